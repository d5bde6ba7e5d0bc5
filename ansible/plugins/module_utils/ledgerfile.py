# Copyright: the subagents authors
# SPDX-License-Identifier: Apache-2.0
"""The file of the ledger: found, read, and replaced as a whole."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import os

from .errors import doing, reason_of
from .folder import EscapeError, open_file, open_folder, private, shared, within
from .ledger import Ledger, LedgerError, parse
from .look import NotRegular, slurp
from .stage import discard, write_temp
from .temp import is_temp, temp_id


class LedgerFile:
    """A ledger with the place that it is kept in.

    data are its bytes as read, None where there is no file; ledger is None where
    there is one that cannot be read, and why says the reason.
    """

    def __init__(self, where, strict):
        self.path, self.scope = where.ledger(), where.scope
        with doing('finding the ledger'):
            self.folder, self.name = open_file(self.path, strict)
        self.real = os.path.join(self.folder.real, self.name)
        self.temp = temp_id(self.real)
        if where.scope == 'project':
            self._prove(where.project, strict)
        self.data, self.ledger, self.why = None, None, ''

    def _prove(self, project, strict):
        """The ledger of a project lies inside it, wherever its links lead."""
        outer = open_folder(project, strict)
        real = outer.real
        outer.close()
        if not within(self.folder.base, real):
            self.folder.close()
            raise EscapeError('%s leads to %s, outside the project %s; nothing is written there' % (self.path, self.real, real))

    def read(self):
        try:
            if self.folder.exists():
                self.data, _info = slurp(self.folder, self.name)
        except FileNotFoundError:
            pass
        except (OSError, NotRegular) as error:
            self.why = reason_of(error) if isinstance(error, OSError) else str(error)
            return
        try:
            self.ledger = Ledger() if self.data is None else parse(self.data)
        except LedgerError as error:
            self.why = str(error)
            return
        if self.scope == 'user':
            self.ledger.follow(real_path)

    def write(self, ledger):
        """Replace the file, durably, and remove it with its last record."""
        with doing('writing the ledger %s' % self.path):
            self._write(ledger)

    def _write(self, ledger):
        if ledger.empty():
            if self.data is not None:
                discard(self.folder, self.name)
                self.folder.sync()
            self.data, self.ledger = None, ledger
            return
        data = ledger.to_bytes()
        if data == self.data:
            return
        self.folder.make(shared if self.scope == 'project' else private)
        name = write_temp(self.folder, self.temp, data)
        try:
            self.folder.rename(name, self.name)
        except OSError:
            discard(self.folder, name)
            raise
        self.folder.sync()
        self.data, self.ledger = data, ledger

    def sweep(self):
        """Remove what a killed run left beside the ledger."""
        for name in self.folder.names():
            if is_temp(name, self.temp):
                discard(self.folder, name)


def real_path(path):
    """Give the real path of a directory, as far as it exists, or None."""
    try:
        folder = open_folder(path)
    except OSError:
        return None
    real = folder.real
    folder.close()
    return real
