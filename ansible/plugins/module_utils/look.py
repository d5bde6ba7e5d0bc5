# Copyright: the subagents authors
# SPDX-License-Identifier: Apache-2.0
"""What lies in the directories of the hosts."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import hashlib
import os
import stat

from .errors import doing
from .states import LINK, MISSING, OTHER, REGULAR, DirState, FileState
from .temp import is_temp

_HEAD = 512  # enough of a file to see whether it carries our marker


class NotRegular(Exception):
    """Something that is no regular file lies at a path."""


def slurp(folder, name):
    """Read a regular file whole, with its stat. It never waits for a FIFO."""
    fd = folder.open(name, os.O_RDONLY)
    try:
        info = os.fstat(fd)
        if not stat.S_ISREG(info.st_mode):
            raise NotRegular('it is no regular file')
        parts = []
        while True:
            part = os.read(fd, 1 << 20)
            if not part:
                return b''.join(parts), info
            parts.append(part)
    finally:
        os.close(fd)


def digest_of(data):
    """Hash a file's bytes as the ledger does."""
    return hashlib.sha256(data).hexdigest()


def carries(data, marker):
    """Say whether the marker stands in its place: at the top, or first in front matter."""
    lines = data[:_HEAD].split(b'\n', 2)
    if lines[0].rstrip(b'\r') == b'---':
        lines = lines[1:]
    return bool(lines) and lines[0].rstrip(b'\r') == b'# ' + marker


def look(dest, wanted, recorded, temp, marker):
    """Describe a directory; of the files it reads those that are wanted or recorded."""
    state = DirState({}, [], [])
    with doing('reading %s' % dest.path):
        names = dest.folder.names()
    for name in names:
        if is_temp(name, temp):
            state.temps.append(name)
        elif not dest.reads(name):
            state.extras.append(name)
        else:
            with doing('reading %s' % dest.path_of(name)):
                state.files[name] = _look_at(dest.folder, name, name in wanted or name in recorded, marker)
    return state


def _look_at(folder, name, read, marker):
    try:
        mode = folder.stat(name).st_mode
        if stat.S_ISLNK(mode):
            return FileState(LINK, link=folder.readlink(name))
        if not stat.S_ISREG(mode):
            return FileState(OTHER)
        if not read:
            return FileState(REGULAR)
        data, info = slurp(folder, name)
    except FileNotFoundError:
        return FileState(MISSING)
    except NotRegular:
        return FileState(OTHER)
    return FileState(REGULAR, digest_of(data), marked=carries(data, marker), stat=info)
