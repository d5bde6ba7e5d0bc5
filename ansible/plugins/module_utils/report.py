# Copyright: the subagents authors
# SPDX-License-Identifier: Apache-2.0
"""What a run did, or would do, as values that a playbook can read."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

from .actions import ACTS, UNCHANGED
from .ledger import count
from .look import NotRegular, slurp
from .states import REGULAR


def lines(plan):
    """List what is done, and what is not; a file that is as it should be is only counted."""
    return [line_of(a) for a in plan.actions if a.act != UNCHANGED]


def line_of(a):
    line = {'action': a.act, 'reason': a.reason, 'provider': a.dest.provider, 'agent': a.agent, 'path': a.path()}
    if a.do:
        line['do'] = a.do
    if a.backup:
        line['backup'] = a.dest.path_of(a.backup)
    if a.failed:
        line['failed'] = True
    return line


def summary(plan):
    """Count the actions by act, without those that the machine failed at."""
    return dict((act, sum(1 for a in plan.actions if a.act == act and not a.failed)) for act in ACTS)


def changed(plan):
    return any(a.changes() and not a.failed for a in plan.actions)


def diffs(plan):
    """Give the texts before and after of every file that is to change."""
    return [{'before_header': a.path(), 'after_header': a.path(), 'before': _before(a), 'after': _text(a.want.data) if a.want else ''}
            for a in plan.changes()]


def _before(a):
    if a.old.kind != REGULAR:
        return ''
    try:
        data, _info = slurp(a.dest.folder, a.name)
    except (OSError, NotRegular):
        return ''  # it went away; applying the plan will see that too
    return _text(data)


def _text(data):
    return data.decode('utf-8', 'replace')


def refusals(plan, findings):
    """Say for each thing that was left undone why, and what to do."""
    said = [f.message for f in findings if f.refused]
    return said + ['%s: %s (%s). %s' % (a.path(), a.act, a.reason, a.do) for a in plan.refused()]


def message(refused):
    return '%s left undone:\n%s' % (count(len(refused), 'thing'), '\n'.join('- ' + r for r in refused))
