# Copyright: the subagents authors
# SPDX-License-Identifier: Apache-2.0
"""What can end a run, in words for people."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import contextlib


class RunError(Exception):
    """The run cannot be made, or cannot go on."""


@contextlib.contextmanager
def doing(what):
    """Put what was being done before an error of the system."""
    try:
        yield
    except OSError as error:
        raise RunError('%s: %s' % (what, reason_of(error)))


def reason_of(error):
    """Give the reason of an error of the system, and the path that it names if it is a whole one."""
    path = error.filename
    if isinstance(path, str) and path.startswith('/'):
        return '%s (%s)' % (error.strerror, path)
    return error.strerror or str(error)
