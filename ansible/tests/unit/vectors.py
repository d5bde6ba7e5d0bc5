# Copyright: the subagents authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the test vectors that the Go planner is held against too.

Run as a program, it reads a file of plans and ledgers and prints those that the
Python side answers otherwise. The program's own tests do that with random ones.
"""

import json
import os
import posixpath
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'plugins'))

from module_utils import ledger, plan, states  # noqa: E402  pylint: disable=wrong-import-position
from module_utils.places import Dest  # noqa: E402  pylint: disable=wrong-import-position

CATALOGUE = 'test'
PROVIDERS = ('claude', 'codex', 'goose', 'kiro', 'opencode')


def dests():
    """Give the directories of the vectors."""
    return [Dest('claude', '/c', '/c', places=[{'ext': '.md'}]), Dest('codex', '/x', '/x', places=[{'ext': '.toml'}]),
            Dest('kiro', '/k', '/k', places=[{'ext': '.json'}, {'ext': '.md'}])]


def stem(path):
    return posixpath.splitext(posixpath.basename(path))[0]


def desired_of(case):
    entries = case.get('manifest', dict((stem(path), {}) for path in case.get('desired', {})))
    subagents = {}
    for name, entry in (entries or {}).items():
        subagents[name] = {'present': not entry.get('absent'), 'targets': entry.get('targets', PROVIDERS), 'tags': entry.get('tags', [])}
    files = {}
    for path, text in case.get('desired', {}).items():
        key, name = posixpath.split(path)
        tags = subagents.get(stem(path), {}).get('tags', [])
        files.setdefault(key, {})[name] = states.File(stem(path), tags, text, text.encode())
    return states.Desired(files, subagents, entries is None)


def actual_of(case):
    have = {}
    for dest in dests():
        state = states.DirState({}, [])
        for path, what in case.get('actual', {}).items():
            key, name = posixpath.split(path)
            if key == dest.key and dest.reads(name):
                state.files[name] = state_of(what)
            elif key == dest.key:
                state.extras.append(name)
        have[dest.key] = state
    return have


def state_of(what):
    if not isinstance(what, dict):
        return states.FileState(states.REGULAR, what)
    if what.get('link'):
        return states.FileState(states.LINK, link=what['link'])
    if what.get('other'):
        return states.FileState(states.OTHER)
    return states.FileState(states.REGULAR, what['marked'], marked=True)


def ledger_of(files):
    """Make a ledger; None is one that cannot be read."""
    if files is None:
        return None
    directories = {}
    for dest in dests():
        for path, record in files.items():
            key, name = posixpath.split(path)
            if key == dest.key:
                directory = directories.setdefault(key, {'provider': dest.provider, 'files': {}})
                record = record if isinstance(record, dict) else {'sha256': record}
                directory['files'][name] = dict({'agent': stem(path), 'catalogue': CATALOGUE}, **record)
    return ledger.parse(json.dumps({'version': 1, 'directories': directories}, ensure_ascii=False).encode())


def plan_of(case):
    """Make the plan of a case."""
    options = states.Options(CATALOGUE, **case.get('options', {}))
    wanted, have, book = desired_of(case), actual_of(case), ledger_of(case.get('ledger', {}))
    if case.get('command') == 'uninstall':
        return plan.removal(case.get('scope', 'user'), dests(), wanted, have, book, options)
    return plan.installation(dests(), wanted, have, book, options)


def lines_of(made):
    """Write actions as the vectors do."""
    return ['%s %s %s%s' % (a.act, a.reason, a.path(), ' -> ' + a.backup if a.backup else '') for a in made.actions]


def differences(case):
    """Say where the plan of a case is not as the case wants it."""
    made, found = plan_of(case), []

    def compare(what, want, got):
        if want != got:
            found.append('%s: %s: want %r, got %r' % (case['name'], what, want, got))

    compare('actions', case['want'], lines_of(made))
    compare('held', case.get('held', 0), made.held)
    for a in made.actions:
        compare('what to do about ' + a.path(), a.refused(), bool(a.do))
    if made.ledger is None:
        return found
    after, intent = made.next(lambda a: True)[0].to_bytes().decode(), made.intent().to_bytes().decode()
    for what, got in (('after', after), ('intent', intent)):
        if what in case:
            compare(what, ledger_of(case[what]).to_bytes().decode(), got)
        if case.get(what + '_text') is not None:
            compare(what, case[what + '_text'], got)
    return found


def written(text):
    """Read the text of a ledger and write it back; None if it cannot be read."""
    try:
        return ledger.parse(text.encode()).to_bytes().decode()
    except ledger.LedgerError:
        return None


def main():
    with open(sys.argv[1], encoding='utf-8') as file:
        cases = json.load(file)
    found = [line for case in cases['plans'] for line in differences(case)]
    found += ['%s: %r: want %r, got %r' % (case['name'], case['text'], case['want'], written(case['text']))
              for case in cases['ledgers'] if written(case['text']) != case['want']]
    for line in found:
        print(line)
    print('%d cases, %d differences' % (len(cases['plans']) + len(cases['ledgers']), len(found)))
    sys.exit(1 if found else 0)


if __name__ == '__main__':
    main()
