# shellcheck shell=bash
# What is found out on the controller touches no host: the only host of these tests cannot even be reached.

unreachable_host() {
  echo "here ansible_host=127.0.0.1 ansible_port=9 ansible_connection=ssh ansible_python_interpreter=$python" >hosts
}

# M64: the report has the place, the code and what to write instead.
test_invalid_manifest_touches_no_host() {
  unreachable_host
  sed -i 's/description: Does two/descripton: Does two/' subagents.yml
  install_playbook </dev/null
  play_fails
  want "r['failed'] and not r.get('unreachable') and 'no host was touched' in r['msg']"
  want "'subagents.yml:8:5: ' in r['msg'] and 'descripton' in r['msg'] and 'Did you mean' in r['msg']"
  want "any(p['severity'] == 'error' and p['range']['start']['line'] == 8 for p in r['problems'])"
  printf 'manifest: subagents.yml\nbinary: %s\nstate: absent\nproviders: {claude: {enabled: true}}\n' "$top/bin/subagents" | playbook
  play_fails
  want "'no host was touched' in r['msg']"
  printf 'agent_tools_subagents:\n  - name: one\n    description: One.\n    instructions: Look.\n    providers: {claude: {enabled: true, extra_frontmatter: {name: two}}, codex: [x]}\n' >subagents.yml
  install_playbook </dev/null
  play_fails
  want "{p['range']['start']['line'] for p in r['problems'] if p['severity'] == 'error'} == {5} and len(r['problems']) > 1"
}

test_missing_manifest() {
  unreachable_host
  rm subagents.yml
  install_playbook </dev/null
  play_fails
  grep -q 'the manifest is not found' out
  printf 'binary: %s\nproviders: {claude: {enabled: true}}\n' "$top/bin/subagents" | playbook
  play_fails
  grep -q 'manifest' out
}

test_missing_program() {
  unreachable_host
  printf 'manifest: subagents.yml\nproviders: {claude: {enabled: true}}\n' | playbook
  play_fails
  grep -q 'the subagents program is not on PATH of the controller' out
  printf 'manifest: subagents.yml\nbinary: /nowhere/subagents\nproviders: {claude: {enabled: true}}\n' | playbook
  play_fails
  grep -q '/nowhere/subagents is no program on the controller' out
  echo 'not a program' >broken
  chmod +x broken
  printf 'manifest: subagents.yml\nbinary: ./broken\nproviders: {claude: {enabled: true}}\n' | playbook
  play_fails
  grep -q 'broken does not run on the controller' out
}

# fake CODE OUTPUT ERRORS writes a program that says so.
fake() {
  printf '#!/bin/sh\nif [ "$1" = version ]; then echo %s; exit 0; fi\necho %s\necho %s >&2\nexit %d\n' "'$4'" "'$2'" "'$3'" "$1" >fake
  chmod +x fake
  printf 'manifest: subagents.yml\nbinary: ./fake\nproviders: {claude: {enabled: true}}\n' | playbook
}

test_a_program_that_is_not_fit() {
  unreachable_host
  fake 0 '{"version": 1, "install": {"release": "0.0.9"}}' '' ''
  play_fails
  grep -q 'is subagents 0.0.9; this collection needs subagents 0.1.0 or newer' out
  fake 0 '{"version": 2, "install": {}}' '' '{"release": "9.0.0"}'
  play_fails
  grep -q 'is subagents 9.0.0; this collection needs .* documents of version 1' out
  fake 2 '' 'unknown flag: --for-install' '{"release": "0.0.1"}'
  play_fails
  grep -q 'is subagents 0.0.1; this collection needs' out
  fake 0 'hello' '' 'hello'
  play_fails
  grep -q 'is not the subagents program' out
  fake 3 '' 'disk on fire' '{"release": "0.1.0"}'
  play_fails
  grep -q 'failed with exit code 3: disk on fire' out
}

test_contradictions() {
  unreachable_host
  printf 'state: absent\nforce: true\n' | install_playbook
  play_fails
  grep -q 'force and adopt do not go with state=absent' out
  printf 'scope: project\nproject_dir: /srv\nproviders: {claude: {enabled: true, dir: /x}}\nmanifest: subagents.yml\n' | playbook
  play_fails
  grep -q 'goes with scope=user' out
  printf 'user: root\nowner: root\n' | install_playbook
  play_fails
  grep -q 'mutually exclusive' out
  echo 'no_such_option: 1' | install_playbook
  play_fails
  grep -q 'no_such_option' out
}

test_strict() {
  sed -i 's/^  - name: two/&\n    access: read-only/' subagents.yml
  echo 'strict: true' | install_playbook
  play_fails
  want "'below-required-fidelity' in r['msg']"
  [ ! -e home/.claude ]
}

test_a_selection_without_files() {
  printf 'manifest: subagents.yml\nbinary: %s\nproviders: {kiro: {enabled: true}}\n' "$top/bin/subagents" | playbook
  play_fails
  want "[f['code'] for f in r['findings']] == ['nothing-selected']"
}

# The manifest is looked for as copy looks for files: in a role, in files/, beside the playbook. The program comes from a variable.
test_where_manifest_and_program_are_found() {
  mkdir -p roles/team/files roles/team/tasks files
  mv subagents.yml roles/team/files/
  printf -- '- name: Install\n  subagents.provision.subagents:\n    manifest: subagents.yml\n    providers: {claude: {enabled: true}}\n' >roles/team/tasks/main.yml
  printf -- '- name: Test\n  hosts: all\n  gather_facts: false\n  vars: {subagents_binary: "%s"}\n  roles: [team]\n' "$top/bin/subagents" >play.yml
  play
  [ -e home/.claude/agents/one.md ]
  mv roles/team/files/subagents.yml files/team.yml
  printf 'manifest: team.yml\nproviders: {claude: {enabled: true}}\n' | playbook
  PATH=$top/bin:$PATH play
  want "r['changed'] is False"
}

# A manifest is rendered for every host as it is when the host's turn comes.
test_a_manifest_that_changes_between_hosts() {
  printf 'a\nb\n[all:vars]\nansible_connection=local\nansible_python_interpreter=%s\n' "$python" >hosts
  cat >play.yml <<YML
- name: Test
  hosts: all
  gather_facts: false
  serial: 1
  tasks:
    - name: Write a manifest for this host
      ansible.builtin.copy:
        content: "subagents: [{name: for-{{ inventory_hostname }}, description: One. Use it., instructions: Look.}]"
        dest: "{{ playbook_dir }}/subagents.yml"
        mode: "0644"
      delegate_to: localhost
    - name: Install
      subagents.provision.subagents:
        manifest: subagents.yml
        binary: $top/bin/subagents
        home: "{{ playbook_dir }}/{{ inventory_hostname }}"
        providers: {claude: {enabled: true}}
YML
  mkdir a b
  play
  [ "$(ls a/.claude/agents b/.claude/agents | xargs)" = 'a/.claude/agents: for-a.md b/.claude/agents: for-b.md' ]
}
