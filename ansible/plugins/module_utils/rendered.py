# Copyright: the subagents authors
# SPDX-License-Identifier: Apache-2.0
"""What the program rendered, on its way from the controller to the target."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import base64
import hashlib
import json
import zlib

from .states import Desired, File

DOCUMENT = 1  # version of the document that render --for-install prints

# The argument that carries the document. It is no option: the action sets it.
ARGUMENT = '_rendered'

# Hosts in the program's order.
PROVIDERS = ('claude', 'codex', 'goose', 'kiro', 'opencode')


def pack(document):
    """Turn what the target needs of a document into one short text."""
    install = document['install']
    needed = dict(
        files=[[f['provider'], f['path'], f['agent'], f['content']] for f in document['files']],
        marker=install['marker'], places=install['places'], subagents=install['subagents'], known=document['known'],
    )
    data = json.dumps(needed, separators=(',', ':')).encode('utf-8')
    return base64.b64encode(zlib.compress(data, 1)).decode('ascii')


class Rendered:
    """The files that were rendered, with what the manifest and the hosts are.

    places are all places of the scope; subagents all entries of the manifest, by
    name. known is False where there is no manifest.
    """

    def __init__(self, text):
        needed = json.loads(zlib.decompress(base64.b64decode(text)).decode('utf-8'))
        self.marker, self.places, self.known = needed['marker'].encode('utf-8'), needed['places'], needed['known']
        self.subagents = dict((s['name'], s) for s in needed['subagents'])
        self._files = needed['files']

    def selects_nothing(self, agents):
        """Say whether there is neither a file nor a subagent that is to be absent."""
        return not self._files and not any(not s['present'] for s in self.subagents.values() if not agents or s['name'] in agents)

    def desired(self, dests):
        """Sort the files into the directories that they belong to."""
        by_place = {}
        for dest in dests:
            for place in dest.places:
                by_place[dest.provider, place['home'] + '/' + place['dir']] = dest.key
        files = {}
        for provider, path, agent, content in self._files:
            directory, _slash, name = path.rpartition('/')
            key = by_place.get((provider, directory))
            if key is not None:
                data = content.encode('utf-8')
                tags = self.subagents[agent]['tags']
                files.setdefault(key, {})[name] = File(agent, tags, hashlib.sha256(data).hexdigest(), data)
        return Desired(files, self.subagents, not self.known)
