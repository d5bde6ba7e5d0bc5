# Copyright: the subagents authors
# SPDX-License-Identifier: Apache-2.0
"""What a plan is made from: what is wanted, what lies there, and what a run may do."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

MISSING, REGULAR, LINK, OTHER = 'missing', 'regular', 'link', 'other'


class Options:
    """What a plan may do. agents and tags limit what is acted on; empty means all."""

    def __init__(self, catalogue='', agents=(), tags=(), force=False, adopt=False, prune=True, allow_empty=False):
        self.catalogue, self.agents, self.tags = catalogue, agents, tags
        self.force, self.adopt, self.prune, self.allow_empty = force, adopt, prune, allow_empty

    def selects(self, agent, tags):
        """Say whether the run is about a subagent that has these tags."""
        if self.agents and agent not in self.agents:
            return False
        return not self.tags or not tags or any(t in self.tags for t in tags)


class File:
    """The content that a file is to have."""

    def __init__(self, agent, tags, digest, data=b''):
        self.agent, self.tags, self.digest, self.data = agent, tags, digest, data


class FileState:
    """What lies at a path; stat is that of a regular file that was read."""

    def __init__(self, kind=MISSING, digest='', link='', marked=False, stat=None):
        self.kind, self.digest, self.link, self.marked, self.stat = kind, digest, link, marked, stat


class DirState:
    """What lies in a directory; extras are names that the host does not read."""

    def __init__(self, files=None, extras=(), temps=()):
        self.files, self.extras, self.temps = files or {}, extras, temps


class Desired:
    """What is to lie in the directories.

    files: by the directory's key, then by name. subagents: all entries of the
    manifest by name, with present, targets and tags. unknown: there is no
    manifest, so that nothing can be concluded from what is not desired.
    """

    def __init__(self, files=None, subagents=None, unknown=False):
        self.files, self.subagents, self.unknown = files or {}, subagents or {}, unknown

    def file(self, key, name):
        return self.files.get(key, {}).get(name)

    def why(self, agent, provider):
        """Say why a file of a subagent is not desired any more."""
        entry = self.subagents.get(agent)
        if entry is None:
            return 'gone'
        if not entry['present']:
            return 'absent'
        return 'moved' if provider in entry['targets'] else 'not-targeted'
