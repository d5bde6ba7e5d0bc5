# Copyright: the subagents authors
# SPDX-License-Identifier: Apache-2.0
"""Directories that are held open, so that no link can lead a write elsewhere.

A path is walked one component after the other, each opened below the last one
and never through a link; links are read and walked themselves. What is reached
is a descriptor, and everything later happens below it, whatever happens to the
names that led there. A strict walk, which root makes, follows a link only if
nobody but root can have put it there.
"""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import errno
import os
import stat

from .errors import RunError
from .places import clean_path

_SEARCH = os.O_DIRECTORY | os.O_NOFOLLOW | getattr(os, 'O_PATH', os.O_RDONLY)
_LIST = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_RDONLY
_MOST_LINKS = 40


class PlantedError(RunError):
    """A link on the way may have been put there by somebody else."""


class EscapeError(RunError):
    """A path of a project leads out of it."""


class OwnerError(RunError):
    """Root would write into the directory of somebody else."""


class Folder:
    """A directory that may not exist yet, held open at the deepest part that does.

    path is what people write, base the real path of what is open, missing the
    names below it.
    """

    def __init__(self, path, descriptor, base, missing):
        self.path, self.fd, self.base, self.missing = path, descriptor, base, missing

    @property
    def real(self):
        return os.path.join(self.base, *self.missing)

    def exists(self):
        return not self.missing

    def close(self):
        if self.fd is not None:
            os.close(self.fd)
            self.fd = None

    def names(self):
        """List the directory; nothing if it does not exist."""
        if self.missing:
            return []
        return self._with_listing(os.listdir)

    def sync(self):
        """Make the names of the directory durable."""
        self._with_listing(os.fsync)

    def _with_listing(self, call):
        fd = os.open('.', _LIST, dir_fd=self.fd)
        try:
            return call(fd)
        finally:
            os.close(fd)

    def stat(self, name):
        return os.stat(name, dir_fd=self.fd, follow_symlinks=False)

    def open(self, name, flags, mode=0o600):
        """Open a file of the directory. A FIFO does not block, a link is an error."""
        return os.open(name, flags | os.O_NOFOLLOW | os.O_NONBLOCK, mode, dir_fd=self.fd)

    def readlink(self, name):
        return os.readlink(name, dir_fd=self.fd)

    def unlink(self, name):
        os.unlink(name, dir_fd=self.fd)

    def rename(self, name, to):
        os.rename(name, to, src_dir_fd=self.fd, dst_dir_fd=self.fd)

    def link(self, name, to):
        os.link(name, to, src_dir_fd=self.fd, dst_dir_fd=self.fd, follow_symlinks=False)

    def make(self, mode):
        """Create what is missing. mode gives the mode by the number of directories below."""
        while self.missing:
            name = self.missing[0]
            _make_directory(name, mode(len(self.missing) - 1), self.fd)
            fd = os.open(name, _LIST, dir_fd=self.fd)
            os.close(self.fd)
            self.fd, self.base, self.missing = fd, os.path.join(self.base, name), self.missing[1:]

    def refuse_root(self, name_of):
        """Stop root at a directory that somebody else owns."""
        owner = os.fstat(self.fd).st_uid
        if os.geteuid() == 0 and owner != 0:
            raise OwnerError('this runs as root, and %s belongs to %s: set user, or become that user with become_user'
                             % (self.path, name_of(owner)))


def _make_directory(name, mode, parent):
    """Create a directory, unless it is there, with its mode from the first moment on."""
    umask = os.umask(0)
    try:
        os.mkdir(name, mode, dir_fd=parent)
    except FileExistsError:
        pass
    finally:
        os.umask(umask)


def private(_below):
    """Make directories that only their owner can enter."""
    return 0o700


def shared(_below):
    """Make directories that everybody can read."""
    return 0o755


def open_folder(path, strict=False):
    """Open a directory, with the links on the way followed."""
    walk = _Walk(clean_path(path), strict)
    walk.run(leaf=False)
    return Folder(path, walk.release(), walk.real(), walk.missing)


def open_folder_in(project, path, strict=False):
    """Open a directory of a project, after proving that it lies inside it."""
    outer = open_folder(project, strict)
    try:
        if not outer.exists():
            raise OSError(errno.ENOENT, os.strerror(errno.ENOENT), project)
        folder = open_folder(path, strict)
        if not within(folder.base, outer.real):
            folder.close()
            raise EscapeError('%s leads to %s, outside the project %s; nothing is written there' % (path, folder.real, outer.real))
        return folder
    finally:
        outer.close()


def open_file(path, strict=False):
    """Find a file that may be a link: the folder of what it leads to, and its name there."""
    walk = _Walk(clean_path(path), strict)
    walk.run(leaf=True)
    return Folder(os.path.dirname(path), walk.release(), walk.real(), walk.missing), walk.leaf


def within(path, top):
    return path == top or path.startswith(top.rstrip('/') + '/')


class _Walk:
    """A way down from the top of the file system."""

    def __init__(self, path, strict):
        self.path, self.strict = path, strict
        self.names, self.fds = [], [os.open('/', _SEARCH)]
        self.rest = [(name, None) for name in reversed(path.split('/')) if name]  # the next one stands last
        self.missing, self.leaf, self.links = [], None, 0

    def real(self):
        return '/' + '/'.join(self.names)

    def release(self):
        """Give the descriptor that was reached, and close all others."""
        fd = self.fds.pop()
        self._close()
        return fd

    def _close(self):
        while self.fds:
            os.close(self.fds.pop())

    def run(self, leaf):
        try:
            while self.rest and not self.missing and self.leaf is None:
                name, via = self.rest.pop()
                if name == '..':
                    self._up()
                elif leaf and not self.rest:
                    self._last(name, via)
                else:
                    self._down(name, via)
            if leaf and self.missing:
                self.leaf = self.missing.pop()
            if leaf and self.leaf is None:
                raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), self.path)
        except BaseException:
            self._close()
            raise

    def _up(self):
        if self.names:
            self.names.pop()
            os.close(self.fds.pop())

    def _down(self, name, via):
        try:
            self.fds.append(os.open(name, _SEARCH, dir_fd=self.fds[-1]))
            self.names.append(name)
        except FileNotFoundError:
            self._absent(via)
            self.missing = [name] + [n for n, _via in reversed(self.rest)]
        except OSError as error:
            if not self._follow(name):
                raise OSError(error.errno, os.strerror(error.errno), os.path.join(self.real(), name))

    def _last(self, name, via):
        if self._follow(name):
            return
        try:
            os.stat(name, dir_fd=self.fds[-1], follow_symlinks=False)
        except FileNotFoundError:
            self._absent(via)
        self.leaf = name

    def _absent(self, via):
        """Refuse a link that leads nowhere: what lies behind it cannot be created without guessing."""
        if via is not None:
            raise OSError(errno.ENOENT, 'it is a link that leads nowhere', via)

    def _follow(self, name):
        """Go where a link leads. False if it is none."""
        holder = self.fds[-1]
        try:
            target = os.readlink(name, dir_fd=holder)
        except OSError:
            return False
        path = os.path.join(self.real(), name)
        if self.strict and not _only_root(holder, name):
            raise PlantedError('%s is a link to %s, and others than root can have put it there: root does not follow it. '
                               'Run the task as that user with become_user, or name the real directory.' % (path, target))
        self.links += 1
        if self.links > _MOST_LINKS:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), self.path)
        if target.startswith('/'):
            while self.names:
                self._up()
        self.rest.extend((part, path) for part in reversed(target.split('/')) if part not in ('', '.'))
        return True


def _only_root(holder, name):
    """Say whether nobody but root can have made a link."""
    directory = os.fstat(holder)
    link = os.stat(name, dir_fd=holder, follow_symlinks=False)
    open_to_others = stat.S_IMODE(directory.st_mode) & 0o022
    return directory.st_uid == 0 and link.st_uid == 0 and not open_to_others
