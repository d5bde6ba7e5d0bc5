# Copyright: the subagents authors
# SPDX-License-Identifier: Apache-2.0
"""Holds the Python planner against the vectors of the Go planner."""

import glob
import json
import os
import unittest

import vectors
from module_utils import ledger, look, temp
from module_utils.actions import ACTS
from module_utils.places import Where, takes

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', '..', 'internal', 'install', 'testdata', 'vectors')

HOSTS = [
    {'provider': 'claude', 'home': '.claude', 'env': [{'name': 'CLAUDE_CONFIG_DIR', 'sub': ''}]},
    {'provider': 'goose', 'home': '.config/goose', 'env': [{'name': 'GOOSE_PATH_ROOT', 'sub': 'config'}, {'name': 'XDG_CONFIG_HOME', 'sub': 'goose'}]},
    {'provider': 'kiro', 'home': '.kiro', 'env': [{'name': 'KIRO_HOME', 'sub': ''}]},
]


def read(name):
    with open(os.path.join(FOLDER, name), encoding='utf-8') as file:
        return json.load(file)


class Plans(unittest.TestCase):
    def test_plans(self):
        acts = set()
        for path in sorted(glob.glob(os.path.join(FOLDER, 'plans-*.json'))):
            for case in read(path):
                with self.subTest(case['name']):
                    self.assertEqual([], vectors.differences(case))
                    acts.update(line.split()[0] for line in vectors.lines_of(vectors.plan_of(case)))
        self.assertEqual(set(ACTS), acts, 'every act stands in a vector')


class Ledgers(unittest.TestCase):
    def test_texts(self):
        for case in read('ledgers.json'):
            with self.subTest(case['name']):
                if case['want'] is None:
                    self.assertRaises(ledger.LedgerError, ledger.parse, case['text'].encode())
                else:
                    self.assertEqual(case['want'], ledger.parse(case['text'].encode()).to_bytes().decode())

    def test_example(self):
        """The ledger of version 1 is read and written back byte for byte by every release."""
        with open(os.path.join(FOLDER, '..', 'ledger-v1.json'), 'rb') as file:
            data = file.read()
        self.assertEqual(data, ledger.parse(data).to_bytes())

    def test_bytes_that_are_no_text(self):
        data = b'{"version": 1, "directories": {}, "later": "\xff"}'
        self.assertEqual(b'{\n  "directories": {},\n  "later": "\xff",\n  "version": 1\n}\n', ledger.parse(data).to_bytes())

    def test_deep_nesting(self):
        self.assertRaises(ledger.LedgerError, ledger.parse, b'{"version": 1, "x": ' + b'[' * 100000)


class Places(unittest.TestCase):
    def setUp(self):
        self.cases = read('places.json')

    def test_takes(self):
        for case in self.cases['takes']:
            self.assertEqual(case['want'], takes({'ext': case['ext']}, case['name']), case)

    def test_roots(self):
        for case in self.cases['roots']:
            where = Where('user', case['home'], case['env'], case['roots'])
            got = ['%s %s %s' % ((host['provider'],) + where.root(host)) for host in HOSTS]
            self.assertEqual([w.replace(' given', ' dir') for w in case['want']], got, case['name'])

    def test_marked(self):
        for case in self.cases['marked']:
            self.assertEqual(case['want'], look.carries(case['text'].encode(), b'MARKER'), case)

    def test_temporary(self):
        for case in self.cases['temporary']:
            self.assertEqual(case['id'], temp.temp_id(case['ledger']))
        for case in self.cases['temporary_names']:
            self.assertEqual(case['want'], temp.is_temp(case['name'], 'ID'), case)
        self.assertTrue(temp.is_temp(temp.temp_name('ID'), 'ID'))


if __name__ == '__main__':
    unittest.main()
