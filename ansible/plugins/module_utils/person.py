# Copyright: the subagents authors
# SPDX-License-Identifier: Apache-2.0
"""For whom a task acts: the home, the variables that count, and whose rights."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import contextlib
import os
import pwd

from .errors import RunError
from .places import clean_path


class PersonError(RunError):
    """It cannot be said, or is not possible, for whom to act."""


class Person:
    """Somebody's home, absolute, and variables; env is None where none counts.

    strict says that root acts, or somebody's rights were taken on by root: then
    no link is followed that others than root can have made.
    """

    def __init__(self, home, env, strict, entry=None):
        self.home, self.env, self.strict, self._entry = clean_path(home), env, strict, entry

    @contextlib.contextmanager
    def rights(self):
        """Act with the rights of the person that root acts for."""
        if self._entry is None or os.geteuid() != 0 or self._entry.pw_uid == 0:
            yield
            return
        groups = os.getgroups()
        gid = os.getegid()
        os.initgroups(self._entry.pw_name, self._entry.pw_gid)
        os.setegid(self._entry.pw_gid)
        os.seteuid(self._entry.pw_uid)
        try:
            yield
        finally:
            os.seteuid(0)
            os.setegid(gid)
            os.setgroups(groups)

    def expand(self, path):
        """Make a path absolute that may start in the person's home."""
        if path == '~' or path.startswith('~/'):
            path = self.home + path[1:]
        if not os.path.isabs(path):
            raise PersonError('%s is not an absolute path: write one, or start it with ~/' % path)
        return clean_path(path)


def find_person(user=None, home=None):
    """Find for whom to act: a user of that name, or whoever runs this."""
    uid, entry = os.geteuid(), None
    if user:
        entry = _entry_of(user)
        if entry.pw_uid != uid and uid != 0:
            raise PersonError('this runs as %s and cannot act for %s: set become, or become_user: %s' % (name_of(uid), user, user))
    env = None if user or home else os.environ
    person = Person('/', env, uid == 0, entry)
    if home:
        person.home = person.expand(home)
    else:
        person.home = clean_path(entry.pw_dir if entry else _own_home(uid))
    return person


def _entry_of(user):
    try:
        return pwd.getpwnam(user)
    except KeyError:
        raise PersonError('there is no user %s' % user)


def _own_home(uid):
    """Give the home of whoever runs this: $HOME, unless it is somebody else's.

    Some ways to become another user leave the variable as it was.
    """
    home = os.environ.get('HOME', '')
    if os.path.isabs(home):
        try:
            if os.stat(home).st_uid == uid:
                return home
        except OSError:
            pass
    try:
        return pwd.getpwuid(uid).pw_dir
    except KeyError:
        raise PersonError('user %d has no home: set home' % uid)


def name_of(uid):
    """Name a user."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return 'user %d' % uid
