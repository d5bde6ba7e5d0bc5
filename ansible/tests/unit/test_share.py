# Copyright: the subagents authors
# SPDX-License-Identifier: Apache-2.0
"""Hosts that ask at the same time share one answer, and nobody gets an old one."""

import multiprocessing
import os
import shutil
import tempfile
import time
import unittest

import vectors  # noqa: F401  pylint: disable=unused-import  it makes plugin_utils importable

from plugin_utils.share import shared


def ask(folder, started, answers):
    """Ask as one host, and note which process made the answer."""
    started.wait()
    answers.put(shared(folder, ['q'], lambda: time.sleep(0.5) or os.getpid()))


class Share(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix='subagents-test-')
        self.addCleanup(shutil.rmtree, self.folder)

    def test_an_answer_from_before_the_question_is_not_taken(self):
        answers = iter(['old', 'new'])
        self.assertEqual(['old', 'new'], [shared(self.folder, ['q'], lambda: next(answers)) for _i in range(2)])

    def test_questions_differ(self):
        self.assertEqual([1, 2], [shared(self.folder, ['q', n], lambda: n) for n in (1, 2)])

    def test_an_answer_that_was_cut_off(self):
        shared(self.folder, ['q'], lambda: 1)
        for name in os.listdir(self.folder):
            with open(os.path.join(self.folder, name), 'w', encoding='utf-8') as file:
                file.write('{"began": 1e9')
        self.assertEqual(2, shared(self.folder, ['q'], lambda: 2))

    def test_an_error_is_nobody_elses(self):
        def fail():
            raise KeyError('no')
        self.assertRaises(KeyError, shared, self.folder, ['q'], fail)
        self.assertEqual(2, shared(self.folder, ['q'], lambda: 2))

    def test_at_the_same_time(self):
        fork = multiprocessing.get_context('fork')
        started, answers = fork.Event(), fork.Queue()
        hosts = [fork.Process(target=ask, args=(self.folder, started, answers)) for _i in range(8)]
        for host in hosts:
            host.start()
        started.set()
        made = [answers.get(timeout=60) for _host in hosts]
        for host in hosts:
            host.join()
        # The first answer may be too old for the others, who asked after it was begun. The second one is not.
        self.assertLess(len(set(made)), len(hosts))


if __name__ == '__main__':
    unittest.main()
