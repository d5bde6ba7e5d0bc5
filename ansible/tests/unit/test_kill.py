# Copyright: the subagents authors
# SPDX-License-Identifier: Apache-2.0
"""Every moment is a good one to be killed at."""

import os
import sys
import unittest

from world import MARKER, World

from module_utils import ledger

ONE, TWO, NEW = '.claude/agents/one.md', '.claude/agents/two.md', '.kiro/agents/new.json'
KILLED = 9
CALLS = ('mkdir', 'open', 'write', 'fsync', 'rename', 'link', 'unlink', 'fchmod')


def killed_at(moment, run):
    """Run in a child that ends right before its nth change on disk. True if it came to that."""
    pid = os.fork()
    if pid == 0:
        os._exit(_child(moment, run))
    _pid, status = os.waitpid(pid, 0)
    code = os.WEXITSTATUS(status)
    if code not in (0, KILLED):
        raise AssertionError('the child ended with %d' % code)
    return code == KILLED


def _child(moment, run):
    left = [moment]

    def counted(call):
        def count(*args, **kwargs):
            left[0] -= 1
            if left[0] < 0:
                os._exit(KILLED)
            return call(*args, **kwargs)
        return count

    for name in CALLS:
        setattr(os, name, counted(getattr(os, name)))
    try:
        run()
    except BaseException as error:  # pylint: disable=broad-except
        sys.stderr.write('%r\n' % error)
        return 1
    return 0


class Kill(unittest.TestCase):
    def prepared(self):
        """A file to update, one to replace by force, one to take over, one to delete and one to create."""
        w = World()
        self.addCleanup(w.remove)
        w.files = {ONE: 'old', TWO: 'old', '.claude/agents/gone.md': 'old'}
        w.acts()
        w.write(w.path(TWO), 'by hand')
        w.write(w.path('.claude', 'agents', 'marked.md'), '---\n# %s\n---\n' % MARKER)
        w.files = {ONE: 'new' * 1000, TWO: 'new', '.claude/agents/marked.md': 'new', NEW: '{}'}
        w.options.update(force=True, adopt=True)
        return w

    def whole(self, w):
        """Every file is old or new, and what a person wrote is somewhere."""
        texts = {}
        for path in (ONE, TWO, '.claude/agents/gone.md', '.claude/agents/marked.md', NEW, TWO + '.orig', '.claude/agents/marked.md.orig'):
            if os.path.exists(w.path(path)):
                with open(w.path(path), encoding='utf-8') as file:
                    texts[path] = file.read()
        self.assertIn(texts[ONE], ('old', 'new' * 1000))
        self.assertIn('by hand', (texts[TWO], texts.get(TWO + '.orig')))
        self.assertIn(MARKER, texts['.claude/agents/marked.md'] + texts.get('.claude/agents/marked.md.orig', ''))
        self.assertIn(texts.get('.claude/agents/gone.md'), ('old', None))
        self.assertIn(texts.get(NEW), ('{}', None))

    def test_every_moment(self):
        w = self.prepared()
        w.acts()
        want = dict((path, what[:2]) for path, what in w.snapshot().items() if not path.endswith('ledger.json'))
        with open(w.ledger(), 'rb') as file:
            records = sorted((name, r.sha256, r.pending) for d in ledger.parse(file.read()).directories.values() for name, r in d.files.items())
        moment = 0
        while True:
            w = self.prepared()
            killed = killed_at(moment, w.acts)
            with self.subTest(moment=moment):
                self.whole(w)
                w.acts()
                got = dict((path, what[:2]) for path, what in w.snapshot().items() if not path.endswith('ledger.json'))
                self.assertEqual(sorted(strip(want)), sorted(strip(got)))
                with open(w.ledger(), 'rb') as file:
                    again = sorted((name, r.sha256, r.pending) for d in ledger.parse(file.read()).directories.values() for name, r in d.files.items())
                self.assertEqual(records, again)
            if not killed:
                break
            moment += 1
        self.assertGreater(moment, 50)


def strip(snapshot):
    """Leave locks out, whose names come from the temporary directory."""
    return [(path, what) for path, what in snapshot.items() if not path.endswith('.lock')]


if __name__ == '__main__':
    unittest.main()
