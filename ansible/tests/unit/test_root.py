# Copyright: the subagents authors
# SPDX-License-Identifier: Apache-2.0
"""What root does, and does not do, in the directories of others."""

import os
import pwd
import unittest
from unittest import mock

from world import World

from module_utils import folder, person
from module_utils.errors import RunError

ONE, KIRO = '.claude/agents/one.md', '.kiro/agents/one.json'


@unittest.skipUnless(os.geteuid() == 0, 'it takes root to own nothing of what it writes into')
class Root(unittest.TestCase):
    def setUp(self):
        self.world = World(strict=True)
        self.addCleanup(self.world.remove)
        self.world.files = {ONE: '1', KIRO: '{}'}
        self.jo = next(entry for entry in pwd.getpwall() if entry.pw_uid != 0)
        os.chmod(self.world.top, 0o755)
        self.elsewhere = os.path.join(self.world.top, 'elsewhere')
        os.mkdir(self.elsewhere)

    def give(self, path):
        os.chown(path, self.jo.pw_uid, self.jo.pw_gid, follow_symlinks=False)

    def link(self, *names):
        """Plant a link in somebody's home."""
        path = self.world.path(*names)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.symlink(self.elsewhere, path)
        self.give(path)

    def refused(self, error, text):
        self.assertRaisesRegex(error, text, self.world.acts)
        self.assertEqual([], os.listdir(self.elsewhere))
        self.assertFalse(os.path.exists(self.world.path('.kiro', 'agents')), 'nothing is written at all')

    def as_jo(self):
        """Act with somebody's rights, as the option user makes root do."""
        return person.Person(self.world.home, None, True, self.jo).rights()

    def test_planted_links(self):
        for names in (['.claude'], ['.claude', 'agents'], ['.local'], ['.local', 'state', 'subagents', 'ledger.json']):
            with self.subTest('/'.join(names)):
                self.setUp()
                self.link(*names)
                self.give(self.world.home)
                self.refused(RunError, 'others than root can have put it there|belongs to')
                with self.as_jo():
                    self.refused(folder.PlantedError, 'others than root can have put it there')

    def test_a_link_in_a_directory_that_others_write(self):
        os.symlink(self.elsewhere, self.world.path('.claude'))
        os.chmod(self.world.home, 0o777)
        self.refused(folder.PlantedError, 'others than root')

    def test_a_link_of_root(self):
        os.symlink(self.elsewhere, self.world.path('.claude'))
        self.assertEqual({'one.md': 'create', 'one.json': 'create'}, self.world.acts())
        self.assertEqual(['agents'], os.listdir(self.elsewhere))

    def test_directories_of_others(self):
        self.give(self.world.home)
        self.refused(folder.OwnerError, 'this runs as root')

    def test_rights_of_a_user(self):
        self.give(self.world.home)
        with self.as_jo():
            self.assertEqual({'one.md': 'create', 'one.json': 'create'}, self.world.acts())
        self.assertEqual((0, 0), (os.geteuid(), os.getegid()))
        owners = set()
        for top, directories, files in os.walk(self.world.home):
            owners.update(os.stat(os.path.join(top, name)).st_uid for name in directories + files)
        self.assertEqual({self.jo.pw_uid}, owners)

    def test_find_person(self):
        found = person.find_person(self.jo.pw_name)
        self.assertEqual((self.jo.pw_dir, None, True), (found.home, found.env, found.strict))
        self.assertRaisesRegex(person.PersonError, 'there is no user', person.find_person, 'no-such-user')

    def test_a_home_that_is_somebody_else_s(self):
        self.give(self.world.home)
        with mock.patch.dict(os.environ, HOME=self.world.home):
            self.assertEqual(pwd.getpwuid(0).pw_dir, person.find_person().home)


class Anybody(unittest.TestCase):
    def test_expand(self):
        someone = person.Person('/home/jo/', None, False)
        self.assertEqual(['/home/jo', '/home/jo/x', '/x', '/y'], [someone.expand(p) for p in ('~', '~/x/', '/x', '//a/../y')])
        self.assertRaisesRegex(person.PersonError, 'not an absolute path', someone.expand, 'x')

    def test_another_user(self):
        with mock.patch('os.geteuid', return_value=54321):
            self.assertRaisesRegex(person.PersonError, 'cannot act for root', person.find_person, 'root')


if __name__ == '__main__':
    unittest.main()
