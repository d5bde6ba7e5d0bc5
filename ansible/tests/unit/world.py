# Copyright: the subagents authors
# SPDX-License-Identifier: Apache-2.0
"""A home and a project of their own, with what a manifest would render."""

import os
import shutil
import tempfile

import vectors  # noqa: F401  pylint: disable=unused-import  it makes module_utils importable
from module_utils.job import Job
from module_utils.person import Person
from module_utils.places import Where
from module_utils.rendered import PROVIDERS, Rendered, pack
from module_utils.states import Options

MARKER = 'Managed by somebody'


def places(scope):
    """Give the places of two hosts, one of them with two formats."""
    def place(provider, ext, home, env):
        return {'provider': provider, 'home': home, 'dir': 'agents', 'ext': ext, 'env': [{'name': env, 'sub': ''}] if scope == 'user' else []}
    return [place('claude', '.md', '.claude', 'CLAUDE_CONFIG_DIR'), place('kiro', '.json', '.kiro', 'KIRO_HOME'),
            place('kiro', '.md', '.kiro', 'KIRO_HOME')]


class World:
    """Directories below a temporary one, and the options of the runs in it."""

    def __init__(self, scope='user', strict=False):
        self.scope, self.strict = scope, strict
        self.top = os.path.realpath(tempfile.mkdtemp(prefix='subagents-test-'))
        self.home, self.project = os.path.join(self.top, 'home'), os.path.join(self.top, 'project')
        os.mkdir(self.home)
        os.mkdir(self.project)
        self.files, self.absent, self.options, self.env, self.roots = {}, [], {}, None, {}

    def remove(self):
        shutil.rmtree(self.top)

    def path(self, *names):
        return os.path.join(self.home if self.scope == 'user' else self.project, *names)

    def write(self, path, text):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w', encoding='utf-8', newline='') as file:
            file.write(text)

    def rendered(self):
        """Give what a manifest would render: path below the home or project, and text."""
        agents = sorted(set(vectors.stem(path) for path in self.files) | set(self.absent))
        files = [{'provider': path[1:].split('/')[0], 'path': path, 'agent': vectors.stem(path), 'content': text}
                 for path, text in sorted(self.files.items())]
        subagents = [{'name': name, 'present': name not in self.absent, 'targets': list(PROVIDERS), 'tags': []} for name in agents]
        return Rendered(pack({'files': files, 'known': True, 'install': {'marker': MARKER, 'places': places(self.scope), 'subagents': subagents}}))

    def job(self, wait=5):
        where = Where(self.scope, self.home, self.env, self.roots, self.project)
        return Job(where, Person(self.home, self.env, self.strict), self.rendered(), PROVIDERS, Options('test', **self.options), wait)

    def run(self, check=False, remove=False):
        """Run, and give the plan as it came out."""
        job = self.job()
        try:
            job.open(writes=not check)
            job.decide(remove)
            job.found = job.findings(remove)
            if not check:
                job.carry_out()
            return job
        finally:
            job.close()

    def acts(self, **how):
        """Run, and give the act of each file."""
        return dict((os.path.basename(a.path()), a.act) for a in self.run(**how).plan.actions)

    def ledger(self):
        path = os.path.join(self.project, '.subagents') if self.scope == 'project' else os.path.join(self.home, '.local', 'state', 'subagents')
        return os.path.join(path, 'ledger.json')

    def snapshot(self, times=True):
        """List everything that lies there: type, mode, content and, with times, when it changed."""
        seen = {}
        for folder, directories, files in os.walk(self.top):
            for name in directories + files:
                path = os.path.join(folder, name)
                info = os.lstat(path)
                what = os.readlink(path) if os.path.islink(path) else ''
                if os.path.isfile(path) and not os.path.islink(path):
                    with open(path, 'rb') as file:
                        what = file.read()
                seen[os.path.relpath(path, self.top)] = (info.st_mode, what, info.st_mtime_ns if times else 0)
        return seen
