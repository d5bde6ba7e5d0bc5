# Copyright: the subagents authors
# SPDX-License-Identifier: Apache-2.0
"""Carries a plan out.

Contents are made durable beside their places first; then the ledger learns what
is about to appear; only then are the files renamed into place, and the ledger
learns that they are. Whichever of these a kill cuts off, the next run finds
either bytes that the ledger knows, or none.
"""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import os
import stat

from .actions import ADOPT, CREATE, DELETE, DO_RACE, EDITED, FOREIGN, NOT_REGULAR, SYMLINK, UPDATE
from .errors import RunError, doing
from .folder import private, shared
from .plan import MOST_BACKUPS, backup_name
from .stage import FILE_MODE, discard, hard_link, rename_new, write_temp
from .states import LINK, MISSING, REGULAR


_VERB = {CREATE: 'creating', ADOPT: 'taking over', UPDATE: 'updating', DELETE: 'deleting'}


class ChangedError(Exception):
    """What lies at a path is not what the plan saw there."""

    def __init__(self, act):
        Exception.__init__(self, 'it changed during the run')
        self.act = act


def apply(plan, have, book, scope, mode=FILE_MODE):
    """Carry a plan out. An error of the machine is raised after what was done is recorded."""
    sweep(plan, have, book)
    todo, staged = plan.changes(), {}
    for a in todo:
        a.failed = True
    try:
        if todo:
            _stage(todo, staged, book.temp, scope, mode)
            if plan.ledger is not None:
                book.write(plan.intent())
            for a in todo:
                _try(a, staged)
    finally:
        for a, name in staged.items():
            discard(a.dest.folder, name)
        _settle(todo)
        _confirm(plan, book)


def sweep(plan, have, book):
    """Remove what a killed run of this ledger left behind."""
    for dest, state in have:
        with doing('clearing %s of what a killed run left' % dest.path):
            for name in state.temps:
                discard(dest.folder, name)
    with doing('clearing %s of what a killed run left' % book.folder.path):
        book.sweep()


def _stage(todo, staged, temp, scope, mode):
    for a in todo:
        if a.writes:
            with doing('creating %s' % a.dest.path):
                a.dest.folder.make(lambda below: private(below) if scope == 'user' and below else shared(below))
            with doing('writing %s' % a.path()):
                staged[a] = write_temp(a.dest.folder, temp, a.want.data, mode)


def _try(a, staged):
    """Make one change, or find that it is not to be made any more."""
    try:
        with doing('%s %s' % (_VERB[a.act], a.path())):
            _commit(a, staged.get(a))
    except ChangedError as error:
        a.refuse(error.act, 'during-the-run', DO_RACE)
    else:
        staged.pop(a, None)
    a.failed = False


def _commit(a, name):
    folder = a.dest.folder
    if a.old.kind == MISSING:
        try:
            rename_new(folder, name, a.name)
        except FileExistsError:
            raise ChangedError(FOREIGN)
        return
    _still(a)
    if a.act == DELETE:
        folder.unlink(a.name)
        return
    if a.backup:
        a.backup = _keep(a)
    folder.rename(name, a.name)


def _still(a):
    """Check that what lies at a path is what the plan saw there."""
    folder = a.dest.folder
    try:
        info = folder.stat(a.name)
        target = folder.readlink(a.name) if stat.S_ISLNK(info.st_mode) else None
    except FileNotFoundError:
        raise ChangedError(EDITED)
    if target is not None:
        if a.old.kind != LINK or target != a.old.link:
            raise ChangedError(SYMLINK)
    elif not stat.S_ISREG(info.st_mode):
        raise ChangedError(NOT_REGULAR)
    elif a.old.kind != REGULAR or _identity(info) != _identity(a.old.stat):
        raise ChangedError(EDITED)


def _identity(info):
    return info.st_dev, info.st_ino, info.st_size, info.st_mtime_ns


def _keep(a):
    """Give what lies at a path a second name, which nothing has yet.

    A run that was killed after doing so is not repeated under another name.
    """
    folder = a.dest.folder
    for i in range(MOST_BACKUPS):
        name = backup_name(a.name, i)
        try:
            if not hard_link(folder, a.name, name):
                _copy_new(folder, a.name, name)
            return name
        except FileExistsError:
            if os.path.samestat(folder.stat(name), a.old.stat):
                return name
    raise RunError('there are too many backups of %s' % a.path())


def _copy_new(folder, name, to):
    """Copy a file to a name that nothing has yet."""
    source = folder.open(name, os.O_RDONLY)
    try:
        target = folder.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        try:
            part = os.read(source, 1 << 20)
            while part:
                part = part[os.write(target, part):] or os.read(source, 1 << 20)
            os.fchmod(target, stat.S_IMODE(os.fstat(source).st_mode))
            os.fsync(target)
        except BaseException:
            folder.unlink(to)
            raise
        finally:
            os.close(target)
    finally:
        os.close(source)


def _settle(todo):
    """Make the new names durable, before the ledger forgets the old ones."""
    for folder in set(a.dest.folder for a in todo if a.changes() and not a.failed):
        with doing('writing into %s' % folder.path):
            folder.sync()


def _confirm(plan, book):
    """Record what has been done."""
    if plan.ledger is None:
        return
    ledger, changed = plan.next(lambda a: not a.failed)
    if changed or book.ledger is not plan.ledger:
        book.write(ledger)
