# Copyright: the subagents authors
# SPDX-License-Identifier: Apache-2.0
"""New contents lie ready, durably, beside their places before any name changes."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import os

from .temp import temp_name

FILE_MODE = 0o644  # whatever the umask


def write_temp(folder, ident, data, mode=FILE_MODE):
    """Write a new file, which nobody reads yet, and give its name."""
    name = temp_name(ident)
    fd = folder.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(fd, view):]
            os.fchmod(fd, mode)
            os.fsync(fd)
        finally:
            os.close(fd)
    except BaseException:
        discard(folder, name)
        raise
    return name


def discard(folder, name):
    """Remove a file, if it is there."""
    try:
        folder.unlink(name)
    except FileNotFoundError:
        pass


def rename_new(folder, name, to):
    """Rename a file to a name that nothing has yet. Raises FileExistsError."""
    if hard_link(folder, name, to):
        folder.unlink(name)
        return
    try:
        folder.stat(to)
    except FileNotFoundError:
        folder.rename(name, to)
        return
    raise FileExistsError(to)


def hard_link(folder, name, to):
    """Give a file a second name. False where the file system has none to give."""
    try:
        folder.link(name, to)
    except FileExistsError:
        raise
    except FileNotFoundError:
        raise
    except (OSError, NotImplementedError):
        return False
    return True
