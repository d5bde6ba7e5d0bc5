# Copyright: the subagents authors
# SPDX-License-Identifier: Apache-2.0
"""The lock of a ledger, which the program takes too."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import fcntl
import os
import time

from .errors import RunError, doing
from .folder import open_folder, private

_PAUSE = 0.02  # seconds between two attempts


class LockError(RunError):
    """Another run kept the lock for too long."""


def hold(state, ident, wait, strict, name_of):
    """Take the lock of a ledger, below the person's state directory.

    Gives a descriptor; closing it lets the next run in. wait is in seconds. The
    file is never removed: a run that waits on a removed file would hold a lock
    that nobody else sees.
    """
    path = os.path.join(state, 'locks')
    with doing('making the lock in %s' % path):
        folder = open_folder(path, strict)
        try:
            folder.refuse_root(name_of)
            folder.make(private)
            fd = folder.open(ident + '.lock', os.O_RDONLY | os.O_CREAT)
        finally:
            folder.close()
    try:
        _wait(fd, os.path.join(path, ident + '.lock'), wait)
    except BaseException:
        os.close(fd)
        raise
    return fd


def _wait(fd, path, wait):
    end = time.monotonic() + wait
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except (BlockingIOError, InterruptedError):
            if time.monotonic() >= end:
                raise LockError('another run still holds %s after %d s; try again when it is done' % (path, wait))
            time.sleep(_PAUSE)
