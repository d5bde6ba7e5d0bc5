# Copyright: the subagents authors
# SPDX-License-Identifier: Apache-2.0
"""What is to be done: desired files, what lies there, and the ledger make a plan.

This is the program's own planner in Python. Both are driven by the same test
vectors (internal/install/testdata/vectors of the program), and by random ones.
"""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

from .actions import (
    ADOPT, CREATE, DELETE, DO_CATALOGUE, DO_EDITED, DO_FOREIGN, DO_KEPT_EDITED, DO_KEPT_KIND, DO_KEPT_LINK, DO_KIND,
    DO_LEDGER, DO_LINK, DO_MARKED, EDITED, FOREIGN, NOT_REGULAR, OTHER_CATALOGUE, SYMLINK, UNCHANGED, UPDATE, Action, Plan,
)
from .ledger import Record
from .states import LINK, MISSING, OTHER, REGULAR, DirState, FileState

MOST_BACKUPS = 10000


class _Planner:
    """Decides about one directory after the other."""

    def __init__(self, want, have, ledger, options):
        self.want, self.have, self.ledger, self.opt = want, have, ledger, options
        self.plan = Plan(ledger)

    def names(self, dest):
        """List all names of a directory that the plan may have to say something about."""
        names = set(self.want.files.get(dest.key, {})) | set(self.state(dest).files)
        if self.ledger is not None and dest.key in self.ledger.directories:
            names.update(name for name in self.ledger.directories[dest.key].files if dest.takes(name))
        return sorted(names)

    def state(self, dest):
        return self.have.get(dest.key) or DirState()

    def old(self, dest, name):
        return self.state(dest).files.get(name) or FileState()

    def record(self, dest, name):
        return None if self.ledger is None else self.ledger.record(dest.key, name)

    def put(self, dest, name, file):
        """Decide about a file that is desired."""
        a = Action(dest, name, file.agent, file, self.old(dest, name), self.record(dest, name))
        if a.old.kind == MISSING:
            known = a.before is not None and not a.before.begun()
            a.set(CREATE, 'restored' if known else 'new', True)
        elif a.old.kind == LINK:
            if a.our_link(self.opt.catalogue):
                a.set(UPDATE, 'our-link', True)
            else:
                a.refuse(SYMLINK, 'other-kind', DO_LINK)
        elif a.old.kind == OTHER:
            a.refuse(NOT_REGULAR, 'other-kind', DO_KIND)
        elif self.ledger is not None:
            self.replace(a, file)
        elif a.old.digest == file.digest:
            a.set(UNCHANGED, 'ledger-unread')
        else:
            a.refuse(FOREIGN, 'ledger-unread', DO_LEDGER)
        if self.ledger is not None and not a.refused():
            a.after = Record(file.agent, self.opt.catalogue, file.tags, file.digest, extra=a.before.extra if a.before else None)
        return a

    def replace(self, a, file):
        """Decide about a desired file in whose place a regular file lies."""
        r, same = a.before, a.old.digest == file.digest
        ours = r is not None and r.knows(a.old.digest)
        settled = r is not None and not r.begun()
        if r is not None and r.catalogue != self.opt.catalogue and (settled or ours):
            self.take_over(a, file)
        elif same and ours:
            a.set(UNCHANGED, 'identical')
        elif same:
            a.set(ADOPT, 'identical')
        elif ours:
            a.set(UPDATE, 'stale', True)
        elif settled and self.opt.force:
            a.set(UPDATE, 'forced', True)
            a.backup = self.backup(a)
        elif settled:
            a.refuse(EDITED, 'by-hand', DO_EDITED)
        elif a.old.marked and self.opt.adopt:
            a.set(ADOPT, 'marker', True)
            a.backup = self.backup(a)
        else:
            a.refuse(FOREIGN, 'not-ours', DO_MARKED if a.old.marked else DO_FOREIGN)

    def take_over(self, a, file):
        """Decide about a file that another catalogue has in the ledger."""
        if not self.opt.adopt:
            a.refuse(OTHER_CATALOGUE, 'other-owner', DO_CATALOGUE % a.before.catalogue)
        elif a.old.digest == file.digest:
            a.set(ADOPT, 'taken')
        else:
            a.set(ADOPT, 'taken', True)
            a.backup = self.backup(a)

    def backup(self, a):
        """Give the first free name for what lies in a file's place."""
        state = self.state(a.dest)
        for i in range(MOST_BACKUPS):
            name = backup_name(a.name, i)
            if name not in state.files and name not in state.extras:
                return name
        return backup_name(a.name, MOST_BACKUPS)

    def drop(self, dest, name):
        """Decide about a name of a directory that is not desired."""
        old, r = self.old(dest, name), self.record(dest, name)
        if r is None or r.catalogue != self.opt.catalogue or not self.selected(r):
            return
        if old.kind == MISSING:
            self.plan.forget.append((dest.key, name))
        elif not self.opt.prune:
            return
        elif self.want.unknown or not self.want.subagents and not self.opt.allow_empty:
            self.plan.held += 1
        else:
            self.retire(dest, name, r, self.want.why(r.agent, dest.provider))

    def selected(self, r):
        """Say whether the run is about the subagent of a record.

        An entry that the manifest still has is taken by the tags it has now.
        """
        entry = self.want.subagents.get(r.agent)
        return self.opt.selects(r.agent, r.tags if entry is None else entry['tags'])

    def retire(self, dest, name, r, why):
        """Delete a file of ours, unless somebody has changed it."""
        a = Action(dest, name, r.agent, None, self.old(dest, name), r)
        if a.old.kind == LINK and a.our_link(self.opt.catalogue) or a.old.kind == REGULAR and r.knows(a.old.digest):
            a.set(DELETE, why)
        elif a.old.kind == LINK:
            a.refuse(SYMLINK, why, DO_KEPT_LINK)
        elif a.old.kind == OTHER:
            a.refuse(NOT_REGULAR, why, DO_KEPT_KIND)
        elif r.begun():
            self.plan.forget.append((dest.key, name))  # announced and never written: not ours
            return
        else:
            a.refuse(EDITED, why, DO_KEPT_EDITED)
        self.plan.actions.append(a)

    def remove(self, scope, dest, name):
        """Decide about a name of a directory that is being uninstalled from."""
        r, file, old = self.record(dest, name), self.want.file(dest.key, name), self.old(dest, name)
        if r is not None and (r.catalogue != self.opt.catalogue or not self.selected(r)):
            return
        ours = r is not None and r.knows(old.digest)
        if r is not None and old.kind == MISSING:
            self.plan.forget.append((dest.key, name))
        elif scope == 'project' and self.leftover(file, old) and not ours:
            a = Action(dest, name, file.agent, None, old, r)
            a.set(DELETE, 'rendered')
            self.plan.actions.append(a)
        elif r is not None:
            self.retire(dest, name, r, 'uninstalled')

    def leftover(self, file, old):
        """Say whether what lies in a desired file's place is exactly that."""
        return file is not None and self.opt.selects(file.agent, file.tags) and old.kind == REGULAR and old.digest == file.digest


def backup_name(name, i):
    """Give the i-th name of a backup. It ends in nothing that a host reads."""
    return name + '.orig' + ('.%d' % i if i else '')


def installation(dests, want, have, ledger, options):
    """Decide what to install.

    ledger is None where there is one that cannot be read: then nothing that
    exists is changed or deleted.
    """
    planner = _Planner(want, have, ledger, options)
    for dest in dests:
        for name in planner.names(dest):
            file = want.file(dest.key, name)
            if file is not None:
                planner.plan.actions.append(planner.put(dest, name, file))
            else:
                planner.drop(dest, name)
    return planner.plan


def removal(scope, dests, want, have, ledger, options):
    """Decide what to uninstall: what the ledger knows and nobody has changed.

    In a project that is also what is exactly as the manifest renders it.
    """
    planner = _Planner(want, have, ledger, options)
    if ledger is not None:
        for dest in dests:
            for name in planner.names(dest):
                planner.remove(scope, dest, name)
    return planner.plan
