#!/usr/bin/python
# Copyright: the subagents authors
# SPDX-License-Identifier: Apache-2.0

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r'''
module: subagents
short_description: Install the sub-agents of a manifest for Claude Code, Codex, goose, Kiro and OpenCode
version_added: 1.0.0
description:
  - Renders a C(subagents.yml) on the controller and brings the files into the agent directories of a person or a project on the target.
  - The C(subagents) program is needed on the controller only. A target needs Python 3.6 and nothing else, whatever its architecture.
  - A manifest with a problem fails the task before the target is touched, with the place in the manifest and what to write instead.
  - Everything is planned before the first write. A file is changed or deleted only if the ledger holds the hash of exactly its bytes; what
    was edited by hand, or is somebody else's, is left alone and listed. The rest of the plan is carried out, then the task fails unless
    O(on_refusal=warn).
  - The ledger is the one that C(subagents install) reads and writes, so that the program and this module can take turns.
options:
  manifest:
    description:
      - The manifest on the controller. It is looked for like the files of M(ansible.builtin.copy), in C(files/) of the role and beside the playbook.
      - With several, a later one lies above an earlier one. V(builtin:) is the catalogue that comes with the program.
      - Required if O(state=present).
    type: list
    elements: str
  binary:
    description:
      - The C(subagents) program on the controller.
      - Without it the variable C(subagents_binary) counts, else the program is looked for on C(PATH).
    type: str
  scope:
    description: Install for a person, or into a project.
    type: str
    choices: [user, project]
    default: user
  project_dir:
    description:
      - The project's directory on the target, absolute or starting with C(~/). Required if O(scope=project).
      - What is written lies inside it, wherever its links lead.
    type: str
  user:
    description:
      - For whom to install. Home and owner come from the password database, and everything is read and written with that user's rights.
      - It takes root (C(become)) unless it is the user who runs the task. Variables such as C(CLAUDE_CONFIG_DIR) do not count then.
      - A link in the user's home is not followed when root runs the task. Where directories are links, as dotfiles managers make them, use
        C(become_user) instead.
    type: str
  home:
    description: Another home, absolute. Variables such as C(CLAUDE_CONFIG_DIR) do not count then.
    type: str
  providers:
    description: The hosts to install for. A host that is not enabled is not touched.
    type: dict
    required: true
    suboptions:
      claude:
        description: Claude Code.
        type: dict
        suboptions: &suboptions
          enabled:
            description: Install for this host.
            type: bool
            default: false
          dir:
            description:
              - Its configuration directory, absolute or starting with C(~/), if it is another one. The files are installed below it.
              - Goes with O(scope=user).
            type: str
      codex:
        description: Codex.
        type: dict
        suboptions: *suboptions
      goose:
        description: goose.
        type: dict
        suboptions: *suboptions
      kiro:
        description: Kiro.
        type: dict
        suboptions: *suboptions
      opencode:
        description: OpenCode.
        type: dict
        suboptions: *suboptions
  catalogue:
    description:
      - The identity under which the files are recorded. Only files of the same catalogue are changed or deleted, so that two manifests for
        one person need two.
      - Without it C(catalogue) of the manifest counts, else V(ansible).
    type: str
  state:
    description:
      - V(present) makes the directories hold what the manifest says.
      - V(absent) removes what was installed from the catalogue and nobody has changed. It needs no manifest; in a project, files that are
        exactly what O(manifest) renders go too.
    type: str
    choices: [present, absent]
    default: present
  agents:
    description: Only the subagents of these names. Pruning is limited to them, too.
    type: list
    elements: str
    default: []
  tags:
    description: Only subagents with one of these tags, and those without any. Pruning is limited to them, too.
    type: list
    elements: str
    default: []
  prune:
    description: Delete installed files whose subagent is gone from the manifest, absent, or not for that host any more.
    type: bool
    default: true
  allow_empty:
    description: Let a manifest without a single subagent delete all that was installed.
    type: bool
    default: false
  force:
    description: Replace installed files that were edited by hand, after saving them beside as C(NAME.orig).
    type: bool
    default: false
  adopt:
    description:
      - Take over files that carry the marker line of C(subagents) or belong to another catalogue, after saving them beside if they differ.
      - A file that already has the right bytes is taken over without it.
    type: bool
    default: false
  strict:
    description: Fail if a host does not enforce a setting.
    type: bool
    default: false
  allow_outside:
    description: Let the manifest include files outside its own directory.
    type: bool
    default: false
  on_refusal:
    description: Whether the task fails, or only warns, when something was left undone.
    type: str
    choices: [fail, warn]
    default: fail
  lock_timeout:
    description: Seconds to wait for another run that holds the ledger.
    type: int
    default: 60
  mode:
    description:
      - Mode of the installed files, kept on later runs too.
      - Without it files are written with V(0644), whatever the umask, and the mode of a file that has the right bytes is nobody's business.
  owner:
    description: Owner of the installed files. Not together with O(user).
  unsafe_writes:
    description: Has no effect. Files are replaced by renaming, always.
extends_documentation_fragment:
  - ansible.builtin.action_common_attributes
  - ansible.builtin.action_common_attributes.files
  - ansible.builtin.files
attributes:
  action:
    description: The action of the same name renders on the controller.
    support: full
  async:
    description: The action waits for the module.
    support: none
  bypass_host_loop:
    description: Every host is asked on its own.
    support: none
  check_mode:
    support: full
  diff_mode:
    support: full
  platform:
    platforms: posix
  safe_file_operations:
    description: Files are replaced by renaming, from a temporary file in the same directory, below a directory that is held open.
    support: full
  vault:
    description: A manifest is read by the program, which cannot decrypt it.
    support: none
notes:
  - Run it as the person that it installs for, with C(become_user). Root does not follow links that others than root can have made, and does
    not write into directories of others unless O(user) says for whom.
  - A client reads its sub-agents when it starts. What is installed while it runs is dependable from the next session on.
seealso:
  - module: ansible.builtin.copy
author:
  - The subagents authors (@seed-337579fc)
'''

EXAMPLES = r'''
- name: Install the team's sub-agents for whoever logs in
  subagents.provision.subagents:
    manifest: subagents.yml
    providers:
      claude: {enabled: true}
      codex: {enabled: true}

- name: Install them for two users
  subagents.provision.subagents:
    manifest: subagents.yml
    user: "{{ item }}"
    providers:
      claude: {enabled: true}
      goose: {enabled: true}
  loop: [jo, kim]
  become: true

- name: Install into a checkout, for a Claude Code that keeps its configuration elsewhere as well
  subagents.provision.subagents:
    manifest: ["builtin:", team.yml]
    scope: project
    project_dir: ~/src/shop
    providers:
      claude: {enabled: true}
      kiro: {enabled: true}

- name: Replace what was edited by hand, and keep it beside
  subagents.provision.subagents:
    manifest: subagents.yml
    force: true
    providers:
      claude: {enabled: true, dir: ~/.claude-work}

- name: Take everything away again
  subagents.provision.subagents:
    state: absent
    providers:
      claude: {enabled: true}
      codex: {enabled: true}
'''

RETURN = r'''
actions:
  description: What was done about each file, or would be in check mode. Files that are as they should be are counted in RV(summary).
  returned: when the target was looked at
  type: list
  elements: dict
  contains:
    action:
      description:
        - V(create), V(adopt), V(update) or V(delete), or a refusal, V(foreign), V(edited), V(symlink), V(not-regular) or
          V(other-catalogue).
      type: str
      returned: always
    reason:
      description: Why, in one word.
      type: str
      returned: always
    provider:
      description: The host that reads the file.
      type: str
      returned: always
    agent:
      description: The subagent.
      type: str
      returned: always
    path:
      description: The file.
      type: str
      returned: always
    do:
      description: What a person can do about a refusal.
      type: str
      returned: for refusals
    backup:
      description: Where the old bytes are kept.
      type: str
      returned: when they were saved
    attributes:
      description: Mode, owner, group or context of a file with the right bytes were changed.
      type: bool
      returned: when they were
    failed:
      description: The machine failed before it was done.
      type: bool
      returned: when it did
  sample:
    - {action: create, agent: code-reviewer, path: /home/jo/.claude/agents/code-reviewer.md, provider: claude, reason: new}
summary:
  description: The number of actions by their kind.
  returned: when the target was looked at
  type: dict
  sample: {create: 1, unchanged: 9}
findings:
  description: What is to be known about the ledger and the manifest. Those that are V(refused) left something undone.
  returned: when the target was looked at
  type: list
  elements: dict
  sample:
    - {code: other-root, message: "claude: the ledger also knows 3 files in /home/jo/.claude-work/agents; nothing is done there", refused: false}
roots:
  description: The directories that were acted on, and what decided it, V(dir), the name of a variable, V(home) or V(project).
  returned: when the target was looked at
  type: list
  elements: dict
  sample:
    - {directory: /home/jo/.claude/agents, from: home, provider: claude, real: /home/jo/.claude/agents}
notes:
  description: What the hosts do not simply enforce, for each host and setting, with the subagents that it is about.
  returned: when the manifest was rendered
  type: list
  elements: dict
  sample:
    - {agents: [code-reviewer], code: tools-inherited, level: inherited, provider: codex, setting: tools, why: The session decides.}
problems:
  description: Warnings about the manifest, or what is wrong with it, each with its code and place.
  returned: when the program ran
  type: list
  elements: dict
  sample: []
catalogue:
  description: The identity under which files are recorded.
  returned: when the target was looked at
  type: str
  sample: platform-team
ledger:
  description: The ledger.
  returned: when the target was looked at
  type: str
  sample: /home/jo/.local/state/subagents/ledger.json
'''

from ansible.module_utils.basic import FILE_COMMON_ARGUMENTS, AnsibleModule
from ansible_collections.subagents.provision.plugins.module_utils import report
from ansible_collections.subagents.provision.plugins.module_utils.errors import RunError, reason_of
from ansible_collections.subagents.provision.plugins.module_utils.job import Job
from ansible_collections.subagents.provision.plugins.module_utils.person import find_person
from ansible_collections.subagents.provision.plugins.module_utils.places import Where
from ansible_collections.subagents.provision.plugins.module_utils.rendered import ARGUMENT, Rendered
from ansible_collections.subagents.provision.plugins.module_utils.spec import CATALOGUE, RULES, contradiction, enabled, options
from ansible_collections.subagents.provision.plugins.module_utils.states import Options


class Module(AnsibleModule):
    """A module whose rendered files stay out of the system's log."""

    def _log_invocation(self):
        rendered = self.params.pop(ARGUMENT, None)
        try:
            super(Module, self)._log_invocation()
        finally:
            self.params[ARGUMENT] = rendered


def job_of(params, person, rendered):
    """Make the run that the options describe."""
    roots = dict((p, person.expand(h['dir'])) for p, h in params['providers'].items() if h and h['dir'])
    project = person.expand(params['project_dir']) if params['scope'] == 'project' else None
    where = Where(params['scope'], person.home, person.env, roots, project)
    may = Options(params['catalogue'] or CATALOGUE, params['agents'], params['tags'], params['force'], params['adopt'],
                  params['prune'], params['allow_empty'])
    return Job(where, person, rendered, enabled(params), may, params['lock_timeout'])


def run(module, job):
    """Plan, and carry the plan out. Gives the result, and the error of the machine that cut it short."""
    remove, error = module.params['state'] == 'absent', None
    job.open(writes=not module.check_mode)
    job.decide(remove)
    findings = job.findings(remove)
    diff = report.diffs(job.plan) if module._diff else []
    attributes = [name for name in FILE_COMMON_ARGUMENTS if name != 'unsafe_writes' and module.params.get(name) is not None]
    try:
        if not module.check_mode:
            job.carry_out(0o644 if module.params['mode'] is None else 0o600)
    except RunError as caught:
        error = caught
    lines = report.lines(job.plan)
    changed = report.changed(job.plan)
    if attributes and error is None and not remove:
        others = set_attributes(module, job.plan, diff)
        lines, changed = lines + others, changed or bool(others)
    result = dict(changed=changed, actions=lines, summary=report.summary(job.plan), roots=job.roots(),
                  findings=[f.fields() for f in findings], catalogue=job.options.catalogue, ledger=job.book.path)
    if module._diff:
        result['diff'] = diff
    for finding in findings:
        if not finding.refused:
            module.warn(finding.message)
    return result, report.refusals(job.plan, findings), error


def set_attributes(module, plan, diff):
    """Give the files the mode, owner, group and context of the task. Lists those that had all but these."""
    lines = []
    for a in plan.actions:
        if a.want is None or a.refused():
            continue
        arguments = module.load_file_common_arguments(module.params, a.path())
        if a.changes():
            if not module.check_mode:
                module.set_fs_attributes_if_different(arguments, False)
            continue
        texts = dict(before={}, after={}, before_header=a.path(), after_header=a.path())
        if module.set_fs_attributes_if_different(arguments, False, texts):
            lines.append(dict(report.line_of(a), attributes=True))
            diff.append(texts)
    return lines


def main():
    spec = options()
    spec[ARGUMENT] = dict(type='str')
    module = Module(argument_spec=spec, supports_check_mode=True, add_file_common_args=True, **RULES)
    packed = module.params.pop(ARGUMENT)
    if packed is None:
        module.fail_json(msg='the action of the same name did not run on the controller: call the module by its full name, '
                             'subagents.provision.subagents, from a playbook or with ansible -m')
    if contradiction(module.params):
        module.fail_json(msg=contradiction(module.params))
    job, result = None, dict(changed=False)
    try:
        person = find_person(module.params['user'], module.params['home'])
        with person.rights():
            job = job_of(module.params, person, Rendered(packed))
            try:
                result, refused, error = run(module, job)
            finally:
                job.close()
    except (OSError, RunError) as caught:
        refused, error = [], caught
    if error is not None:
        module.fail_json(msg=reason_of(error) if isinstance(error, OSError) else str(error), **result)
    if refused and module.params['on_refusal'] == 'fail':
        module.fail_json(msg=report.message(refused), **result)
    for text in refused:
        module.warn(text)
    module.exit_json(**result)


if __name__ == '__main__':
    main()
