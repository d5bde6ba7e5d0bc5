# Copyright: the subagents authors
# SPDX-License-Identifier: Apache-2.0
"""Runs in directories of their own: what lies there afterwards, and what never does."""

import fcntl
import os
import stat
import unittest

from world import MARKER, World

from module_utils import folder, lock, report
from module_utils.errors import RunError

ONE, KIRO = '.claude/agents/one.md', '.kiro/agents/one.json'


def read(path):
    with open(path, encoding='utf-8', newline='') as file:
        return file.read()


class Case(unittest.TestCase):
    scope = 'user'

    def setUp(self):
        self.world = World(self.scope)
        self.addCleanup(self.world.remove)


class Life(Case):
    """K61, K62, K63, T61, T64: the life of a file."""

    def test_life_of_a_file(self):
        w = self.world
        w.files = {ONE: '1\r\n', KIRO: '{}'}
        self.assertEqual({'one.md': 'create', 'one.json': 'create'}, w.acts(check=True))
        self.assertEqual([], os.listdir(w.home), 'check mode writes nothing')
        self.assertEqual({'one.md': 'create', 'one.json': 'create'}, w.acts())
        self.assertEqual('1\r\n', read(w.path(ONE)))
        before = w.snapshot()
        self.assertEqual({'one.md': 'unchanged', 'one.json': 'unchanged'}, w.acts())
        self.assertEqual(before, w.snapshot(), 'an unchanged run writes nothing')
        w.files[ONE] = '2'
        self.assertEqual('update', w.acts()['one.md'])
        self.assertEqual('2', read(w.path(ONE)))
        w.write(w.path(ONE), 'by hand')
        w.files[ONE] = '3'
        self.assertEqual('edited', w.acts()['one.md'])
        self.assertEqual('by hand', read(w.path(ONE)))
        w.options['force'] = True
        w.write(w.path(ONE) + '.orig', 'older')
        self.assertEqual('update', w.acts()['one.md'])
        self.assertEqual(['3', 'older', 'by hand'], [read(w.path(ONE) + s) for s in ('', '.orig', '.orig.1')])
        del w.files[KIRO]
        w.absent = ['other']
        self.assertEqual('delete', w.acts()['one.json'])
        self.assertFalse(os.path.exists(w.path(KIRO)))
        self.assertEqual({'one.md': 'delete'}, w.acts(remove=True))
        self.assertFalse(os.path.exists(w.ledger()), 'the ledger goes with its last record')

    def test_modes(self):
        old = os.umask(0o077)
        self.addCleanup(os.umask, old)
        self.world.files = {ONE: '1'}
        self.world.acts()
        modes = [stat.S_IMODE(os.stat(self.world.path(p)).st_mode) for p in ('.claude', '.claude/agents', ONE)]
        self.assertEqual([0o700, 0o755, 0o644], modes)

    def test_foreign_files_stay(self):
        w = self.world
        w.files = {ONE: '1', KIRO: '{}'}
        w.write(w.path(ONE), 'theirs')
        w.options.update(force=True, adopt=True)
        self.assertEqual({'one.md': 'foreign', 'one.json': 'create'}, w.acts())
        self.assertEqual('theirs', read(w.path(ONE)))

    def test_adopt(self):
        w = self.world
        w.files = {ONE: '1', KIRO: '{}'}
        w.write(w.path(ONE), '---\n# %s\n---\nold' % MARKER)
        w.write(w.path(KIRO), '{}')
        before = os.stat(w.path(KIRO))
        w.options['adopt'] = True
        self.assertEqual({'one.md': 'adopt', 'one.json': 'adopt'}, w.acts())
        self.assertEqual('1', read(w.path(ONE)))
        self.assertIn('old', read(w.path(ONE) + '.orig'))
        self.assertTrue(os.path.samestat(before, os.stat(w.path(KIRO))))

    def test_variables_and_links_of_a_person(self):
        w = self.world
        os.mkdir(os.path.join(w.top, 'dotfiles'))
        os.symlink(os.path.join(w.top, 'dotfiles'), w.path('.claude'))
        w.files = {ONE: '1', KIRO: '{}'}
        w.env = {'KIRO_HOME': w.path('elsewhere') + '/'}
        w.acts()
        self.assertEqual('1', read(os.path.join(w.top, 'dotfiles', 'agents', 'one.md')))
        self.assertEqual('{}', read(w.path('elsewhere', 'agents', 'one.json')))
        os.rename(os.path.join(w.top, 'dotfiles'), os.path.join(w.top, 'moved'))
        os.unlink(w.path('.claude'))
        os.symlink('../moved', w.path('.claude'))
        os.symlink('moved', os.path.join(w.top, 'dotfiles'))
        self.assertEqual('unchanged', w.acts()['one.md'], 'the ledger follows a directory that moved behind a link')

    def test_shared_directory(self):
        self.world.roots = {'claude': self.world.path('.kiro')}
        self.assertRaisesRegex(RunError, 'would share', self.world.acts)


class Unread(Case):
    """T68: a ledger that cannot be read."""

    def test_only_missing_files_are_written(self):
        w = self.world
        w.files = {ONE: '1', KIRO: '{}'}
        w.write(w.ledger(), '{"version": 2}')
        w.write(w.path(ONE), 'theirs')
        job = w.run()
        self.assertEqual(['ledger-unreadable'], [f.code for f in job.found])
        self.assertEqual({'foreign', 'create'}, set(a.act for a in job.plan.actions))
        self.assertEqual(['{"version": 2}', 'theirs', '{}'], [read(p) for p in (w.ledger(), w.path(ONE), w.path(KIRO))])

    def test_a_ledger_that_is_no_file(self):
        w = self.world
        w.files = {ONE: '1'}
        os.makedirs(w.ledger())
        self.assertEqual(['ledger-unreadable'], [f.code for f in w.run().found])
        os.rmdir(w.ledger())
        os.mkfifo(w.ledger())
        self.assertEqual(['ledger-unreadable'], [f.code for f in w.run().found])


class Projects(Case):
    scope = 'project'

    def test_a_link_out_of_the_project(self):
        w = self.world
        os.mkdir(os.path.join(w.top, 'outside'))
        os.symlink('../outside', w.path('.claude'))
        w.files = {ONE: '1', KIRO: '{}'}
        self.assertRaisesRegex(folder.EscapeError, 'outside the project', w.acts)
        self.assertFalse(os.path.exists(w.path('.kiro')), 'nothing is written at all')
        self.assertEqual([], os.listdir(os.path.join(w.top, 'outside')))

    def test_a_ledger_out_of_the_project(self):
        w = self.world
        os.mkdir(os.path.join(w.top, 'outside'))
        os.symlink('../outside', w.path('.subagents'))
        w.files = {ONE: '1'}
        self.assertRaisesRegex(folder.EscapeError, 'outside the project', w.acts)
        self.assertEqual([], os.listdir(os.path.join(w.top, 'outside')))

    def test_links_inside_the_project(self):
        w = self.world
        os.mkdir(w.path('config'))
        os.symlink('config/../config', w.path('.claude'))
        w.files = {ONE: '1'}
        w.acts()
        self.assertEqual('1', read(w.path('config', 'agents', 'one.md')))

    def test_forged_ledger(self):
        """The ledger comes with the repository and may say anything."""
        w = self.world
        w.write(w.path('src', 'main.md'), 'x')
        w.write(w.path('.claude', 'agents', 'notes.txt'), 'x')
        digest = '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881'
        record = '{"agent": "a", "catalogue": "test", "sha256": "%s"}' % digest
        w.write(w.ledger(), '{"version": 1, "directories": {"src": {"provider": "claude", "files": {"main.md": %s}}, '
                            '".claude/agents": {"provider": "claude", "files": {"notes.txt": %s, "../../src/main.md": %s}}}}' % (record, record, record))
        w.files = {ONE: '1'}
        job = w.run()
        self.assertEqual(['ledger-path'] * 3, [f.code for f in job.found if f.refused])
        self.assertEqual(['create'], [a.act for a in job.plan.actions])
        self.assertEqual(['x', 'x'], [read(w.path('src', 'main.md')), read(w.path('.claude', 'agents', 'notes.txt'))])
        self.assertIn('main.md', read(w.ledger()))

    def test_lock_is_outside(self):
        self.world.files = {ONE: '1'}
        self.world.acts()
        self.assertEqual({'.claude', '.subagents'}, set(os.listdir(self.world.project)))
        self.assertEqual(1, len(os.listdir(os.path.join(self.world.home, '.local', 'state', 'subagents', 'locks'))))


class Locks(Case):
    def test_another_run_is_waited_for(self):
        w = self.world
        w.files = {ONE: '1'}
        w.acts()
        locks = w.path('.local', 'state', 'subagents', 'locks')
        fd = os.open(os.path.join(locks, os.listdir(locks)[0]), os.O_RDONLY)
        self.addCleanup(os.close, fd)
        fcntl.flock(fd, fcntl.LOCK_EX)
        job = w.job(wait=0)
        self.addCleanup(job.close)
        self.assertRaisesRegex(lock.LockError, 'another run still holds', job.open, True)
        self.assertEqual('unchanged', w.acts(check=True)['one.md'], 'a look needs no lock')


class CutShort(Case):
    """A run that the machine cut short counts what it did, and nothing else."""

    def test_what_failed_is_not_counted(self):
        self.world.files = {ONE: '1', KIRO: '{}'}
        job = self.world.run()
        self.assertEqual(2, report.summary(job.plan)['create'])
        job.plan.actions[0].failed = True
        self.assertEqual(1, report.summary(job.plan)['create'])
        self.assertTrue(report.changed(job.plan))
        job.plan.actions[1].failed = True
        self.assertEqual(0, report.summary(job.plan)['create'])
        self.assertFalse(report.changed(job.plan))


class Races(Case):
    """What changes between planning and writing becomes a refusal."""

    def race(self, change):
        w = self.world
        job = w.job()
        try:
            job.open(writes=True)
            job.decide(remove=False)
            change()
            job.carry_out()
        finally:
            job.close()
        return dict((os.path.basename(a.path()), (a.act, a.reason)) for a in job.plan.actions)

    def test_a_file_appears(self):
        self.world.files = {ONE: '1', KIRO: '{}'}
        got = self.race(lambda: self.world.write(self.world.path(ONE), 'theirs'))
        self.assertEqual({'one.md': ('foreign', 'during-the-run'), 'one.json': ('create', 'new')}, got)
        self.assertEqual('theirs', read(self.world.path(ONE)))
        self.assertEqual({'one.json'}, set(os.listdir(self.world.path('.kiro', 'agents'))))
        self.assertEqual({'one.md'}, set(os.listdir(self.world.path('.claude', 'agents'))))

    def changed(self, change):
        self.world.files = {ONE: '1'}
        self.world.acts()
        self.world.files = {ONE: '2'}
        got = self.race(change)['one.md']
        self.assertNotIn('pending', read(self.world.ledger()))
        return got

    def test_a_file_is_edited(self):
        path = self.world.path(ONE)
        self.assertEqual(('edited', 'during-the-run'), self.changed(lambda: self.world.write(path, 'by hand')))
        self.assertEqual('by hand', read(path))

    def test_a_file_becomes_a_link(self):
        def change():
            os.unlink(self.world.path(ONE))
            os.symlink('/etc/passwd', self.world.path(ONE))
        self.assertEqual(('symlink', 'during-the-run'), self.changed(change))

    def test_a_file_goes(self):
        self.assertEqual(('edited', 'during-the-run'), self.changed(lambda: os.unlink(self.world.path(ONE))))


if __name__ == '__main__':
    unittest.main()
