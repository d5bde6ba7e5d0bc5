# shellcheck shell=bash
# The life of files: a first run, an unchanged one, check and diff, updates, removal.

# M4, T57: a second run writes nothing and reports no change.
test_first_run_unchanged_run_update() {
  install_playbook </dev/null
  play
  task_changed
  want "r['summary']['create'] == 4 and r['catalogue'] == 'ansible' and len(r['roots']) == 2"
  want "r['roots'][0] == {'provider': 'claude', 'directory': '$HOME/.claude/agents', 'real': '$HOME/.claude/agents', 'from': 'home'}"
  grep -q 'First line of one' home/.claude/agents/one.md home/.codex/agents/one.toml
  [ "$(stat -c %a home/.claude home/.claude/agents home/.claude/agents/one.md | xargs)" = '700 755 644' ]
  same_tree home play
  if task_changed; then return 1; fi
  want "r['changed'] is False and r['actions'] == [] and r['summary']['unchanged'] == 4"
  sed -i 's/First line of two/A better line of two/' subagents.yml
  play
  task_changed
  want "acts == {'two.md': 'update', 'two.toml': 'update'} and r['summary']['unchanged'] == 2"
  grep -q 'A better line of two' home/.claude/agents/two.md
}

# T59: check mode writes nothing and says exactly what a run then does; the diff has the changed lines and no others.
test_check_and_diff_tell_the_truth() {
  install_playbook </dev/null
  same_tree home play --check --diff
  grep -q '^+First line of one' out
  task_changed
  cp result-here.json checked.json
  play
  "$python" -c 'import json; a, b = (json.load(open(f)) for f in ("checked.json", "result-here.json")); assert a["actions"] == b["actions"] != []'
  sed -i 's/First line of two/Another line of two/' subagents.yml
  same_tree home play --check --diff
  task_changed
  diff <(grep -E '^[-+]' out | grep -vE '^(---|\+\+\+)') <(printf -- '-First line of two.\n+Another line of two.\n-First line of two.\n+Another line of two.\n')
  grep -q "^+++ after: $HOME/.claude/agents/two.md" out
  cp result-here.json checked.json
  play
  "$python" -c 'import json; a, b = (json.load(open(f)) for f in ("checked.json", "result-here.json")); assert a["actions"] == b["actions"] != []'
  play --check --diff
  if task_changed || grep -E '^[-+][A-Z]' out; then return 1; fi
}

# T64
test_removed_entry_is_pruned() {
  install_playbook </dev/null
  play
  manifest one
  play --check --diff
  grep -q '^-First line of two' out
  [ -e home/.claude/agents/two.md ]
  play
  want "acts == {'two.md': 'delete', 'two.toml': 'delete'} and all(a['reason'] == 'gone' for a in r['actions'])"
  [ ! -e home/.claude/agents/two.md ]
  manifest one two
  play
  manifest one
  echo 'prune: false' | install_playbook
  play
  want "r['changed'] is False"
  [ -e home/.claude/agents/two.md ]
}

# M62
test_absent_entry_and_lost_target() {
  install_playbook </dev/null
  play
  cat >subagents.yml <<'YML'
subagents:
  - {name: one, state: absent, description: One. Use it., instructions: Look.}
  - {name: two, targets: [codex], description: Does two. Use it when asked., instructions: "First line of two.\nSecond line.\n"}
YML
  play
  want "acts == {'one.md': 'delete', 'one.toml': 'delete', 'two.md': 'delete'} and r['summary']['unchanged'] == 1"
  want "{a['reason'] for a in r['actions']} == {'absent', 'not-targeted'}"
}

# T66
test_an_empty_manifest_never_prunes() {
  install_playbook </dev/null
  play
  echo 'subagents: []' >subagents.yml
  play_fails
  want "r['changed'] is False and [f['code'] for f in r['findings']] == ['empty-manifest', 'nothing-selected']"
  grep -q 'set allow_empty to delete them' out
  [ -e home/.claude/agents/two.md ]
  echo 'allow_empty: true' | install_playbook
  play
  want "r['summary']['delete'] == 4"
}

# state: absent takes away what was installed and not changed, needs no manifest, and keeps the rest.
test_state_absent() {
  install_playbook </dev/null
  play
  echo 'by hand' >>home/.codex/agents/two.toml
  echo 'mine' >home/.claude/agents/mine.md
  printf 'binary: %s\nstate: absent\nproviders: {claude: {enabled: true}, codex: {enabled: true}}\n' "$top/bin/subagents" | playbook
  same_tree home play_fails --check
  play_fails
  want "acts == {'one.md': 'delete', 'two.md': 'delete', 'one.toml': 'delete', 'two.toml': 'edited'}"
  [ "$(ls home/.claude/agents)" = mine.md ]
  [ "$(ls home/.codex/agents)" = two.toml ]
  rm home/.codex/agents/two.toml
  play
  want "r['changed'] is False"
  [ ! -e home/.local/state/subagents/ledger.json ]
}

# M5, K84: nothing is written for a host that is not enabled.
test_only_enabled_hosts() {
  printf 'manifest: subagents.yml\nbinary: %s\nproviders: {claude: {enabled: true}, codex: {enabled: false}}\n' "$top/bin/subagents" | playbook
  play
  [ -d home/.claude ]
  [ ! -e home/.codex ]
  printf 'manifest: subagents.yml\nbinary: %s\nproviders: {claude: {}, codex: {}}\n' "$top/bin/subagents" | playbook
  same_tree home play
  want "r['changed'] is False and 'no host is enabled' in r['msg']"
}

test_project_scope() {
  mkdir -p home/src/shop
  printf 'scope: project\nproject_dir: ~/src/shop\n' | install_playbook
  play
  [ -e home/src/shop/.claude/agents/one.md ]
  [ -e home/src/shop/.subagents/ledger.json ]
  [ ! -e home/.claude ]
  want "r['roots'][0]['from'] == 'project' and r['ledger'] == '$HOME/src/shop/.subagents/ledger.json'"
  play
  want "r['changed'] is False"
  echo 'scope: project' | install_playbook
  play_fails
  grep -q 'project_dir' out
}

test_directories_and_variables() {
  cat <<YML | playbook 'environment: {CODEX_HOME: "{{ playbook_dir }}/home/codex-home/"}'
manifest: subagents.yml
binary: $top/bin/subagents
providers: {claude: {enabled: true, dir: ~/work}, codex: {enabled: true}}
YML
  play
  want "[root['from'] for root in r['roots']] == ['dir', 'CODEX_HOME']"
  [ -e home/work/agents/one.md ]
  [ -e home/codex-home/agents/one.toml ]
  echo "home: $PWD/other" | install_playbook 'environment: {CODEX_HOME: "{{ playbook_dir }}/home/codex-home/"}'
  mkdir other
  play
  [ -e other/.codex/agents/one.toml ]
  want "[root['from'] for root in r['roots']] == ['home', 'home']"
}

test_selection_by_name_and_tag() {
  sed -i 's/^  - name: two/&\n    tags: [web]/' subagents.yml
  printf 'agents: [one]\n' | install_playbook
  play
  want "set(acts) == {'one.md', 'one.toml'}"
  printf 'tags: [go]\n' | install_playbook
  play
  want "r['changed'] is False and r['summary']['unchanged'] == 2"
  printf 'tags: [web]\n' | install_playbook
  play
  want "set(acts) == {'two.md', 'two.toml'}"
  printf 'agents: [three]\n' | install_playbook
  play_fails
  want "'no subagent is called \"three\"' in r['msg']"
}

test_layers_and_the_catalogue_of_the_program() {
  printf 'manifest: ["builtin:", subagents.yml]\nbinary: %s\nproviders: {claude: {enabled: true}}\n' "$top/bin/subagents" | playbook
  play
  [ -e home/.claude/agents/one.md ]
  [ "$(find home/.claude/agents -type f | wc -l)" -gt 10 ]
}

test_mode_and_group() {
  echo 'mode: "0640"' | install_playbook
  play
  [ "$(stat -c %a home/.claude/agents/one.md)" = 640 ]
  play
  want "r['changed'] is False"
  chmod 0600 home/.claude/agents/one.md
  play --check --diff
  [ "$(stat -c %a home/.claude/agents/one.md)" = 600 ]
  want "acts == {'one.md': 'unchanged'} and r['actions'][0]['attributes'] and r['changed']"
  play
  [ "$(stat -c %a home/.claude/agents/one.md)" = 640 ]
  printf 'mode: "0644"\ngroup: daemon\n' | install_playbook
  play
  [ "$(stat -c %G:%a home/.codex/agents/two.toml)" = daemon:644 ]
  manifest one two three
  echo 'group: daemon' | install_playbook
  play
  [ "$(stat -c %G:%a home/.codex/agents/three.toml)" = daemon:644 ]
}

# The texts of the files are no part of what is shown or logged, and no result is censored.
test_results_are_not_censored_and_not_swollen() {
  install_playbook </dev/null
  play -vvv
  if grep -qE 'CENSORED|VALUE_SPECIFIED_IN_NO_LOG|_rendered' out; then return 1; fi
  want "'invocation' not in r or '_rendered' not in r['invocation']['module_args']"
  want "any('codex' == n['provider'] for n in r['notes']) or r['notes'] == []"
}
