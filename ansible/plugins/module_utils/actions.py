# Copyright: the subagents authors
# SPDX-License-Identifier: Apache-2.0
"""What a plan is: a list of acts on files, each with its reason."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

from .ledger import Record
from .states import FileState

CREATE, ADOPT, UPDATE, UNCHANGED, DELETE = 'create', 'adopt', 'update', 'unchanged', 'delete'
FOREIGN, EDITED, SYMLINK, NOT_REGULAR, OTHER_CATALOGUE = 'foreign', 'edited', 'symlink', 'not-regular', 'other-catalogue'
REFUSALS = (FOREIGN, EDITED, SYMLINK, NOT_REGULAR, OTHER_CATALOGUE)
ACTS = (CREATE, ADOPT, UPDATE, UNCHANGED, DELETE) + REFUSALS

# What a person can do about a refusal.
DO_LINK = 'Remove the link, or give the subagent another slug.'
DO_KIND = 'Move what lies there away, or give the subagent another slug.'
DO_LEDGER = 'Repair or remove the ledger.'
DO_EDITED = 'Take the change into the manifest, or set force to save the file beside and replace it.'
DO_MARKED = 'It carries our marker: set adopt to save it beside and take it over.'
DO_FOREIGN = 'Move it away, or give the subagent another slug.'
DO_CATALOGUE = 'It belongs to the catalogue "%s": set catalogue to that name, or adopt to take it over.'
DO_KEPT_LINK = 'It is a link now. Remove it yourself if it is not needed.'
DO_KEPT_KIND = 'It is no regular file now. Remove it yourself if it is not needed.'
DO_KEPT_EDITED = 'It was changed by hand and is kept. Delete it yourself if it is not needed.'
DO_RACE = 'It changed while this ran; run again.'


class Action:
    """One line of a plan: an act with its reason, or why nothing is done.

    want is what is to lie there, writes whether it is to be written, old what
    lies there, before and after what the ledger says and is to say.
    """

    def __init__(self, dest, name, agent='', want=None, old=None, before=None):
        self.dest, self.name, self.agent, self.want = dest, name, agent, want
        self.old, self.before, self.after = old or FileState(), before, None
        self.act, self.reason, self.do, self.backup = '', '', '', ''
        self.writes, self.failed = False, False

    def changes(self):
        return self.writes or self.act == DELETE

    def refused(self):
        return self.act in REFUSALS

    def set(self, act, reason, writes=False):
        self.act, self.reason, self.writes = act, reason, writes

    def refuse(self, act, reason, do):
        self.set(act, reason)
        self.do, self.after, self.backup = do, None, ''

    def our_link(self, catalogue):
        """Say whether the link that lies there is one that the ledger knows."""
        r = self.before
        return r is not None and r.catalogue == catalogue and bool(r.link) and r.link == self.old.link

    def path(self):
        return self.dest.path_of(self.name)


class Plan:
    """The actions of a run, in the order of the directories and names.

    held counts files of ours that stay because nothing is known of the manifest
    or it has no subagents; forget lists records of files that are gone already.
    """

    def __init__(self, ledger):
        self.actions, self.held, self.ledger, self.forget = [], 0, ledger, []

    def changes(self):
        return [a for a in self.actions if a.changes()]

    def refused(self):
        return [a for a in self.actions if a.refused()]

    def next(self, done):
        """Give the ledger after the actions that done accepts, and whether it differs."""
        ledger, changed = self.ledger.clone(), False
        for a in self.actions:
            if a.refused() or not done(a):
                continue
            if a.act == DELETE:
                if a.before is not None:
                    ledger.forget(a.dest.key, a.name)
                    changed = True
            elif a.after is not None and (a.before is None or a.before.facts() != a.after.facts()):
                ledger.set(a.dest.key, a.dest.provider, a.name, a.after)
                changed = True
        for key, name in self.forget:
            ledger.forget(key, name)
            changed = True
        return ledger, changed

    def intent(self):
        """Give the ledger that announces what is about to be written."""
        ledger = self.ledger.clone()
        for a in self.actions:
            if a.writes:
                record = a.before.copy() if a.before else Record(a.after.agent, a.after.catalogue, a.after.tags)
                record.pending = a.want.digest
                ledger.set(a.dest.key, a.dest.provider, a.name, record)
        return ledger
