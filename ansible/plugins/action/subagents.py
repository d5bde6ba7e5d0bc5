# Copyright: the subagents authors
# SPDX-License-Identifier: Apache-2.0
"""Renders on the controller, and hands the files to the module in one round trip."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import os

from ansible import constants as C
from ansible.errors import AnsibleActionFail, AnsibleError
from ansible.module_utils.basic import FILE_COMMON_ARGUMENTS
from ansible.plugins.action import ActionBase
from ansible_collections.subagents.provision.plugins.module_utils.rendered import ARGUMENT, pack
from ansible_collections.subagents.provision.plugins.module_utils.spec import CATALOGUE, RULES, contradiction, enabled, options
from ansible_collections.subagents.provision.plugins.plugin_utils.program import Program, ProgramError, find_program, grouped
from ansible_collections.subagents.provision.plugins.plugin_utils.share import shared

_BUILTIN = 'builtin:'


class ActionModule(ActionBase):
    """Nothing is asked of the target before the manifest has been rendered."""

    TRANSFERS_FILES = False
    _supports_check_mode = True
    _supports_async = False

    def run(self, tmp=None, task_vars=None):
        task_vars = task_vars or {}
        result = super(ActionModule, self).run(tmp, task_vars)
        params = self._params()
        if not enabled(params):
            result.update(changed=False, actions=[], msg='no host is enabled, and nothing is done: set providers.claude.enabled and the like')
            return result
        try:
            rendered = self._render(params, task_vars)
        except ProgramError as error:
            result.update(failed=True, changed=False, msg=str(error), problems=error.problems)
            return result
        arguments = dict(self._task.args)
        arguments['catalogue'] = params['catalogue'] or rendered['catalogue'] or CATALOGUE
        arguments[ARGUMENT] = rendered['packed']
        result.update(self._execute_module('subagents.provision.subagents', arguments, task_vars=task_vars))
        result.get('invocation', {}).get('module_args', {}).pop(ARGUMENT, None)
        result.update(notes=rendered['notes'], problems=rendered['problems'])
        return result

    def _params(self):
        """Read the task's options, and refuse what no run can be made of."""
        spec = dict(options(), **FILE_COMMON_ARGUMENTS)
        _validated, params = self.validate_argument_spec(spec, **RULES)
        if contradiction(params):
            raise AnsibleActionFail(contradiction(params))
        return params

    def _render(self, params, task_vars):
        """Render what the task is about, once for all hosts that are at it now."""
        wanted = params['binary'] or self._templar.template(task_vars.get('subagents_binary'))
        program = Program(find_program(wanted, self._loader.get_basedir()))
        manifests = [self._manifest(name) for name in params['manifest'] or []]
        arguments = program.arguments(manifests, params, enabled(params))

        def make():
            document = program.document(arguments) if manifests else program.tables(params['scope'])
            return {'packed': pack(document), 'catalogue': document['install'].get('catalogue'), 'notes': grouped(document['notes']),
                    'problems': document['problems']}

        return shared(C.DEFAULT_LOCAL_TMP, [program.path, arguments], make)

    def _manifest(self, name):
        """Find a manifest as copy finds a file."""
        if name == _BUILTIN:
            return name
        try:
            return self._find_needle('files', os.path.expanduser(name))
        except AnsibleError as error:
            raise AnsibleActionFail('the manifest is not found. %s' % error)
