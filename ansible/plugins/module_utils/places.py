# Copyright: the subagents authors
# SPDX-License-Identifier: Apache-2.0
"""Where the hosts read their files. The table comes from the program."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import os
import re

from .errors import RunError, doing

_STEM = re.compile(r'[a-z][a-z0-9-]{0,63}\Z')


class SharedError(RunError):
    """Two hosts would look into one directory."""


class Dest:
    """A directory of one host, with the places that lie in it.

    There are two where a host reads two formats from one directory. path is what
    people write, real the same with links followed, key its name in the ledger.
    """

    def __init__(self, provider, path, key, came_from='', places=()):
        self.provider, self.path, self.key, self.came_from = provider, path, key, came_from
        self.places, self.real, self.folder = list(places), path, None

    def takes(self, name):
        """Say whether a file of this name can be one of ours."""
        return any(takes(place, name) for place in self.places)

    def reads(self, name):
        """Say whether the host reads files of this name, ours or not."""
        return any(name.endswith(place['ext']) for place in self.places)

    def path_of(self, name):
        return os.path.join(self.path, name)


def takes(place, name):
    """Say whether a place can have a file of this name: a slug, and its extension."""
    ext = place['ext']
    return name.endswith(ext) and bool(_STEM.match(name[:len(name) - len(ext)]))


def clean_path(path):
    """Write an absolute path in its shortest form, as the program does."""
    return '/' + os.path.normpath(path).lstrip('/')


def key_of(place):
    """Name the directory of a place in the ledger of a project."""
    return place['home'] + '/' + place['dir']


def producible(places, key, name):
    """Say whether a host writes a file of this name into this directory of a project."""
    return any(key_of(place) == key and takes(place, name) for place in places)


class Where:
    """For whom files are installed.

    env is None where no variable counts; roots are the configuration directories
    that the task names, by provider.
    """

    def __init__(self, scope, home, env=None, roots=None, project=None):
        self.scope, self.home, self.env = scope, home, env
        self.roots, self.project = roots or {}, project

    def state(self):
        """Name the directory of the person's ledger and of all locks. No variable moves it."""
        return os.path.join(self.home, '.local', 'state', 'subagents')

    def ledger(self):
        if self.scope == 'project':
            return os.path.join(self.project, '.subagents', 'ledger.json')
        return os.path.join(self.state(), 'ledger.json')

    def root(self, place):
        """Give the configuration directory of a place, and what decided it."""
        if self.scope == 'project':
            return os.path.join(self.project, place['home']), 'project'
        if self.roots.get(place['provider']):
            return clean_path(self.roots[place['provider']]), 'dir'
        for variable in place['env']:
            value = (self.env or {}).get(variable['name'], '').strip()
            if os.path.isabs(value):
                return clean_path(os.path.join(value, variable['sub'])), variable['name']
        return os.path.join(self.home, place['home']), 'home'

    def dests(self, places, locate):
        """Resolve the directories of places, in their order.

        locate opens a path and gives a folder with its real path.
        """
        dests = []
        for place in places:
            root, came_from = self.root(place)
            path = clean_path(os.path.join(root, place['dir']))
            with doing('finding the directory of %s' % place['provider']):
                folder = locate(path)
            twin = next((d for d in dests if d.real == folder.real), None)
            if twin is None:
                key = key_of(place) if self.scope == 'project' else folder.real
                twin = Dest(place['provider'], path, key, came_from)
                twin.real, twin.folder = folder.real, folder
                dests.append(twin)
            else:
                folder.close()
            if twin.provider != place['provider']:
                raise SharedError('%s and %s would share the directory %s; give one of them another with providers.%s.dir or its variable'
                                  % (twin.provider, place['provider'], path, place['provider']))
            twin.places.append(place)
        return dests
