# Copyright: the subagents authors
# SPDX-License-Identifier: Apache-2.0
"""One run: read everything, plan everything, then write."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import functools
import os

from . import plan as planning
from .apply import apply
from .folder import open_folder, open_folder_in
from .ledger import count
from .ledgerfile import LedgerFile
from .lock import hold
from .look import look
from .person import name_of
from .stage import FILE_MODE


class Finding:
    """Something to know about a run that is no action on a file.

    refused says that the run left something undone because of it.
    """

    def __init__(self, code, message, refused=False):
        self.code, self.message, self.refused = code, message, refused

    def fields(self):
        return {'code': self.code, 'message': self.message, 'refused': self.refused}


class Job:
    """Where to act, for whom, and with what."""

    def __init__(self, where, person, rendered, providers, options, wait=60):
        self.where, self.person, self.rendered, self.options, self.wait = where, person, rendered, options, wait
        self.places = [p for p in rendered.places if p['provider'] in providers]
        self.book, self.dests, self.desired, self.have, self.plan = None, [], None, [], None
        self._lock = None

    def open(self, writes):
        """Take the lock if the run writes, and open and read everything."""
        if writes:
            before = LedgerFile(self.where, self.person.strict)
            before.folder.close()
            self._lock = hold(self.where.state(), before.temp, self.wait, self.person.strict, name_of)
        self.book = LedgerFile(self.where, self.person.strict)
        self.book.read()
        self.dests = self.where.dests(self.places, self._locate())
        for folder in [d.folder for d in self.dests] + [self.book.folder]:
            folder.refuse_root(name_of)
        self.desired = self.rendered.desired(self.dests)
        self.have = [(dest, self._look(dest)) for dest in self.dests]

    def _locate(self):
        if self.where.scope == 'project':
            return functools.partial(open_folder_in, self.where.project, strict=self.person.strict)
        return functools.partial(open_folder, strict=self.person.strict)

    def _look(self, dest):
        known = self.book.ledger.directories.get(dest.key) if self.book.ledger else None
        return look(dest, self.desired.files.get(dest.key, {}), known.files if known else {}, self.book.temp, self.rendered.marker)

    def decide(self, remove):
        """Make the plan: to install, or to remove what was installed."""
        have = dict((dest.key, state) for dest, state in self.have)
        if remove:
            self.plan = planning.removal(self.where.scope, self.dests, self.desired, have, self.book.ledger, self.options)
        else:
            self.plan = planning.installation(self.dests, self.desired, have, self.book.ledger, self.options)

    def carry_out(self, mode=FILE_MODE):
        apply(self.plan, self.have, self.book, self.where.scope, mode)

    def close(self):
        for folder in [d.folder for d in self.dests] + ([self.book.folder] if self.book else []):
            folder.close()
        if self._lock is not None:
            os.close(self._lock)

    def roots(self):
        return [{'provider': d.provider, 'directory': d.path, 'real': d.real, 'from': d.came_from} for d in self.dests]

    def findings(self, remove):
        """Say what is to be known about the ledger, and what the plan leaves alone."""
        ledger, path = self.book.ledger, self.book.path
        if ledger is None:
            return [Finding('ledger-unreadable', 'the ledger %s cannot be read: %s. Until it is repaired or removed, nothing that exists '
                            'is changed or deleted.' % (path, self.book.why), True)]
        found = [Finding('ledger-path', 'the ledger %s records %s/%s, and %s: the record is left alone' % (path, key, name, why), True)
                 for key, name, why in ledger.strays(self.where.scope, self.rendered.places)]
        found += [Finding('other-root', line) for line in ledger.elsewhere(self.dests)]
        return found + (self._left_by_removal() if remove else self._held())

    def _held(self):
        found = []
        if self.plan.held:
            found.append(Finding('empty-manifest', 'the manifest has no subagents: %s of ours stay; set allow_empty to delete them'
                                 % count(self.plan.held, 'file')))
        if not self.plan.actions and not self.options.allow_empty and self.rendered.selects_nothing(self.options.agents):
            found.append(Finding('nothing-selected', 'nothing is selected: no subagent has a file for these hosts in scope %s'
                                 % self.where.scope, True))
        return found

    def _left_by_removal(self):
        if self.plan.actions or self.plan.forget:
            return []
        others = set()
        for dest in self.dests:
            others.update(self.book.ledger.catalogues(dest.key))
        others.discard(self.options.catalogue)
        if not others:
            return []
        return [Finding('other-catalogue', 'nothing is installed from the catalogue "%s"; the ledger knows files of "%s": set catalogue to that name'
                        % (self.options.catalogue, '", "'.join(sorted(others))))]
