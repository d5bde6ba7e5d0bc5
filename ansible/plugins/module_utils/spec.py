# Copyright: the subagents authors
# SPDX-License-Identifier: Apache-2.0
"""The options, for the action on the controller and the module on the target."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

from .rendered import PROVIDERS

# The identity under which files are recorded, where neither the task nor the
# manifest names one. A path would differ from one controller to the next.
CATALOGUE = 'ansible'

RULES = dict(
    required_if=[('scope', 'project', ['project_dir']), ('state', 'present', ['manifest'])],
    mutually_exclusive=[('user', 'owner')],
)


def options():
    """Give the argument spec, without the arguments that all file modules have."""
    host = dict(type='dict', options=dict(enabled=dict(type='bool', default=False), dir=dict(type='str')))
    return dict(
        manifest=dict(type='list', elements='str'),
        binary=dict(type='str'),
        scope=dict(type='str', default='user', choices=['user', 'project']),
        project_dir=dict(type='str'),
        user=dict(type='str'),
        home=dict(type='str'),
        providers=dict(type='dict', required=True, options=dict((p, host) for p in PROVIDERS)),
        catalogue=dict(type='str'),
        state=dict(type='str', default='present', choices=['present', 'absent']),
        agents=dict(type='list', elements='str', default=[]),
        tags=dict(type='list', elements='str', default=[]),
        prune=dict(type='bool', default=True),
        allow_empty=dict(type='bool', default=False),
        force=dict(type='bool', default=False),
        adopt=dict(type='bool', default=False),
        strict=dict(type='bool', default=False),
        allow_outside=dict(type='bool', default=False),
        on_refusal=dict(type='str', default='fail', choices=['fail', 'warn']),
        lock_timeout=dict(type='int', default=60),
    )


def enabled(params):
    """List the hosts that are switched on."""
    hosts = params['providers'] or {}
    return [p for p in PROVIDERS if (hosts.get(p) or {}).get('enabled')]


def contradiction(params):
    """Say what is wrong with options that are right one by one, or None."""
    if params['state'] == 'absent' and (params['force'] or params['adopt']):
        return 'force and adopt do not go with state=absent: what was changed by hand is never deleted'
    hosts = params['providers'] or {}
    if params['scope'] == 'project' and any((hosts.get(p) or {}).get('dir') for p in PROVIDERS):
        return 'providers.*.dir goes with scope=user: in a project the hosts look into fixed places'
    return None
