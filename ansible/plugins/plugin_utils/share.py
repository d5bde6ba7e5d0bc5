# Copyright: the subagents authors
# SPDX-License-Identifier: Apache-2.0
"""Lets hosts that ask for the same thing at the same time share one answer."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import fcntl
import hashlib
import json
import os
import time


def shared(folder, question, make):
    """Give make(), or what another process has made of the same question meanwhile.

    An answer is shared only if making it began after this call: whatever had
    changed by then is in it. Answers lie in the folder, which ends with the run.
    """
    asked = time.monotonic()
    name = hashlib.sha256(json.dumps(question).encode('utf-8')).hexdigest()
    path = os.path.join(folder, 'subagents-' + name)
    with open(path + '.lock', 'w', encoding='utf-8') as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        answer = _read(path)
        if answer is None or answer['began'] < asked:
            answer = {'began': time.monotonic(), 'value': make()}
            with open(path, 'w', encoding='utf-8') as file:
                json.dump(answer, file)
        return answer['value']


def _read(path):
    """Read an answer; one that is not there or was cut off is none."""
    try:
        with open(path, encoding='utf-8') as file:
            return json.load(file)
    except (OSError, ValueError):
        return None
