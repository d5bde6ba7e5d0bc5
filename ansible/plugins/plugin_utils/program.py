# Copyright: the subagents authors
# SPDX-License-Identifier: Apache-2.0
"""The subagents program on the controller."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import json
import os
import re
import shutil
import subprocess

from ansible_collections.subagents.provision.plugins.module_utils.rendered import DOCUMENT

# The oldest release whose documents this collection reads.
OLDEST = (0, 1, 0)

_RELEASE = re.compile(r'v?(\d+)\.(\d+)\.(\d+)(?!\d)(?!-0\.|-\d{14}-)')


class ProgramError(Exception):
    """The program is not there, cannot be used, or found problems in the manifest."""

    def __init__(self, message, problems=()):
        Exception.__init__(self, message)
        self.problems = list(problems)


def find_program(wanted, directory):
    """Find the program: the one that is asked for, relative to a directory, else on PATH."""
    if not wanted:
        found = shutil.which('subagents')
        if found is None:
            raise ProgramError('the subagents program is not on PATH of the controller: install it there, or name it with the option '
                               'binary or the variable subagents_binary')
        return found
    path = os.path.expanduser(wanted)
    if os.sep in path:
        path = os.path.join(directory, path)
    found = shutil.which(path)
    if found is None:
        raise ProgramError('%s is no program on the controller: the option binary or the variable subagents_binary names it' % wanted)
    return found


class Program:
    """A program that was found."""

    def __init__(self, path):
        self.path = path

    def arguments(self, manifests, params, providers):
        """Say which manifests to render, and for which hosts."""
        arguments = ['--scope', params['scope']]
        # What is to be removed may be gone from the manifest.
        agents = params['agents'] if params['state'] == 'present' else []
        for flag, values in (('-f', manifests), ('-p', providers), ('-a', agents), ('--tag', params['tags'])):
            for value in values:
                arguments += [flag, value]
        arguments += ['--strict'] if params['strict'] else []
        arguments += ['--allow-outside'] if params['allow_outside'] else []
        return arguments

    def tables(self, scope):
        """Give a document without files. The tables in it are the same whatever the manifest."""
        document = self.document(['--scope', scope, '-f', 'builtin:'])
        document.update(files=[], notes=[], problems=[], known=False)
        document['install'].update(subagents=[], catalogue='')
        return document

    def document(self, arguments):
        """Render. Gives the document of render --for-install."""
        code, out, err = self._run(['render', '--format', 'json', '--for-install'] + arguments)
        if code != 0:
            self._explain(code, err, arguments)
        document = _json(out)
        if document is None or document.get('version') != DOCUMENT or 'install' not in document:
            raise ProgramError(self._unfit(self.release()))
        self._check(document['install']['release'])
        return dict(document, known=True)

    def _explain(self, code, err, arguments):
        """Say why nothing was rendered: with the program's own report of the manifest, if it is that."""
        document = _json(err)
        if document is None:
            self._check(self.release())
            raise ProgramError('%s failed with exit code %d: %s' % (self.path, code, err.strip()))
        _code, _out, text = self._run(['render', '--color', 'never', '-q'] + arguments)
        raise ProgramError('the manifest cannot be used, and no host was touched:\n%s' % (text.strip() or err), document.get('problems', []))

    def release(self):
        """Ask the program what it is. Empty if it does not say."""
        _code, out, _err = self._run(['version', '--format', 'json'])
        return str((_json(out) or {}).get('release', ''))

    def _check(self, release):
        """Refuse a release that is too old. What was built without a release is taken at its word."""
        match = _RELEASE.match(release)
        if not release or match and tuple(int(n) for n in match.groups()) < OLDEST:
            raise ProgramError(self._unfit(release))

    def _unfit(self, release):
        return '%s is %s; this collection needs subagents %s or newer that prints documents of version %d' % (
            self.path, 'subagents ' + release if release else 'not the subagents program', '.'.join(str(n) for n in OLDEST), DOCUMENT)

    def _run(self, arguments):
        try:
            done = subprocess.run([self.path] + arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        except OSError as error:
            raise ProgramError('%s does not run on the controller: %s' % (self.path, error.strerror))
        return done.returncode, done.stdout.decode('utf-8', 'replace'), done.stderr.decode('utf-8', 'replace')


def grouped(notes):
    """Say once what is the same for several subagents. Results travel, and there are many notes."""
    groups = {}
    for note in notes:
        fields = dict((key, note[key]) for key in ('provider', 'setting', 'level', 'code', 'when', 'why') if note.get(key))
        group = groups.setdefault(tuple(sorted(fields.items())), dict(fields, agents=[]))
        if note['agent'] not in group['agents']:
            group['agents'].append(note['agent'])
    return list(groups.values())


def _json(text):
    """Read a document, or None if it is none."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
