# Copyright: the subagents authors
# SPDX-License-Identifier: Apache-2.0
"""The ledger: which files were written, by directory.

The program and this module read and write the same file, byte for byte; the
contract is docs/ledger.md of the program.
"""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import os

from .places import producible
from .rawjson import Raw, bytes_of, clean, dumps, loads, read_object, text_of

VERSION = 1


class LedgerError(ValueError):
    """A ledger cannot be read."""


class Record:
    """What the ledger knows of one file."""

    def __init__(self, agent='', catalogue='', tags=(), sha256='', pending='', link='', extra=None):
        self.agent, self.catalogue, self.tags = agent, catalogue, list(tags)
        self.sha256, self.pending, self.link = sha256, pending, link
        self.extra = extra or {}

    def knows(self, digest):
        """Say whether bytes of this hash were written by a run of ours."""
        return bool(digest) and digest in (self.sha256, self.pending)

    def begun(self):
        """Say whether a first write was announced and not confirmed."""
        return not self.sha256 and not self.link

    def facts(self):
        """Give what the record says, to compare it."""
        return self.agent, self.catalogue, self.tags, self.sha256, self.pending, self.link

    def copy(self):
        return Record(*self.facts(), extra=self.extra)

    def fields(self):
        fields = dict((key, Raw(text)) for key, text in self.extra.items())
        fields.update(agent=self.agent, catalogue=self.catalogue)
        if self.tags:
            fields['tags'] = self.tags
        for key in ('sha256', 'pending', 'link'):
            if getattr(self, key):
                fields[key] = getattr(self, key)
        return fields


class Directory:
    """The records of one directory."""

    def __init__(self, provider, files=None, extra=None):
        self.provider, self.files, self.extra = provider, files or {}, extra or {}

    def fields(self):
        fields = dict((key, Raw(text)) for key, text in self.extra.items())
        files = dict((name, record.fields()) for name, record in self.files.items())
        fields.update(provider=self.provider, files=files)
        return fields


class Ledger:
    """The records of all directories: by real path, or in a project by the path there."""

    def __init__(self, directories=None, extra=None):
        self.directories, self.extra = directories or {}, extra or {}

    def record(self, key, name):
        """Give the record of a file, or None."""
        directory = self.directories.get(key)
        return directory.files.get(name) if directory else None

    def clone(self):
        """Copy the ledger so that the copy can be changed."""
        copies = dict((key, Directory(d.provider, dict(d.files), d.extra)) for key, d in self.directories.items())
        return Ledger(copies, self.extra)

    def set(self, key, provider, name, record):
        self.directories.setdefault(key, Directory(provider)).files[name] = record

    def forget(self, key, name):
        """Drop a record, and its directory with the last one."""
        directory = self.directories.get(key)
        if directory is None:
            return
        directory.files.pop(name, None)
        if not directory.files and not directory.extra:
            del self.directories[key]

    def empty(self):
        return not self.directories and not self.extra

    def follow(self, real):
        """Rename directories to what they are called today.

        real gives the real path of an absolute one, or None where it has none.
        A directory that was moved behind a link is still the same one.
        """
        for key in sorted(self.directories):
            moved = real(key) if os.path.isabs(key) else None
            if moved is None or moved == key:
                continue
            directory = self.directories.pop(key)
            there = self.directories.setdefault(moved, directory)
            if there is not directory:
                directory.files.update(there.files)  # what is recorded under the real path wins
                there.files = directory.files

    def strays(self, scope, places):
        """List records that a ledger of this scope cannot have, with the reason."""
        found = []
        for key in sorted(self.directories):
            for name in sorted(self.directories[key].files):
                why = _stray(scope, places, key, name)
                if why:
                    found.append((key, name, why))
        return found

    def elsewhere(self, dests):
        """Describe the other directories that the ledger knows of the hosts."""
        lines = []
        for key in sorted(self.directories):
            directory = self.directories[key]
            if any(d.key == key for d in dests) or not any(d.provider == directory.provider for d in dests):
                continue
            lines.append('%s: the ledger also knows %s in %s; nothing is done there'
                         % (directory.provider, count(len(directory.files), 'file'), key))
        return lines

    def catalogues(self, key):
        """List the catalogues that have records in a directory."""
        directory = self.directories.get(key)
        return sorted(set(r.catalogue for r in directory.files.values())) if directory else []

    def to_bytes(self):
        fields = dict((key, Raw(text)) for key, text in self.extra.items())
        fields.update(version=VERSION, directories=dict((key, d.fields()) for key, d in self.directories.items()))
        return bytes_of(dumps(fields))


def _stray(scope, places, key, name):
    if scope == 'project':
        return None if producible(places, key, name) else 'no host has its files there'
    if not os.path.isabs(key):
        return 'the directory is not an absolute path'
    if not plain(name):
        return 'the name is not one of a file in that directory'
    return None


def plain(name):
    """Say whether a name is one component of a path."""
    return name not in ('', '.', '..') and not any(c in name for c in '/\\\0')


def count(number, noun):
    """Write a number with its noun."""
    return '%d %s%s' % (number, noun, '' if number == 1 else 's')


def parse(data):
    """Read the bytes of a ledger. Raises LedgerError."""
    try:
        return _parse(text_of(data))
    except ValueError as error:
        raise LedgerError(str(error))


def _parse(text):
    root = read_object(text)
    version = root.pop('version', '')
    if not version.isdigit() or int(version) < 1:
        raise ValueError('it has no version')
    if int(version) > VERSION:
        raise ValueError('it is of version %s, written by a newer subagents; this one reads version %d' % (version, VERSION))
    directories = _take_object(root, 'directories')
    return Ledger(dict((key, _parse_directory(raw)) for key, raw in directories.items()), root)


def _parse_directory(raw):
    fields = read_object(raw)
    provider = _take(fields, 'provider', str, '')
    files = _take_object(fields, 'files')
    return Directory(provider, dict((name, _parse_record(text)) for name, text in files.items()), fields)


def _parse_record(raw):
    fields = read_object(raw)
    texts = dict((key, _take(fields, key, str, '')) for key in ('agent', 'catalogue', 'sha256', 'pending', 'link'))
    tags = []
    for tag in _take(fields, 'tags', list, []):
        if tag is not None and not isinstance(tag, str):
            raise ValueError('tags: a list of texts is needed')
        tags.append(clean(tag or ''))
    return Record(tags=tags, extra=fields, **texts)


def _take(fields, key, kind, default):
    """Read a key if it is there, and remove it. Null is as if it were not."""
    value = loads(fields.pop(key, 'null'))
    if value is None:
        return default
    if not isinstance(value, kind):
        raise ValueError('%s: it is of the wrong type' % key)
    return clean(value) if kind is str else value


def _take_object(fields, key):
    return read_object(fields.pop(key, '{}'))
