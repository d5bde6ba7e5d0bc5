# shellcheck shell=bash
# What is not ours, or was changed by hand, stays; the rest of the run goes on.

test_hand_edited() {
  install_playbook </dev/null
  play
  sed -i 's/First line/My line/' home/.claude/agents/one.md
  manifest one two three
  play_fails
  want "acts == {'one.md': 'edited', 'three.md': 'create', 'three.toml': 'create'} and r['changed']"
  grep -q 'one.md: edited (by-hand). Take the change into the manifest, or set force' out
  grep -q 'My line' home/.claude/agents/one.md
  same_tree home play_fails
  echo 'on_refusal: warn' | install_playbook
  play
  want "acts == {'one.md': 'edited'} and not r['changed']"
  tr '\n' ' ' <out | tr -s ' ' | grep -q 'WARNING.*one.md: edited (by-hand)'
  echo 'force: true' | install_playbook
  play --check --diff
  grep -q '^-My line of one' out
  play
  want "acts == {'one.md': 'update'} and r['actions'][0]['backup'] == '$HOME/.claude/agents/one.md.orig'"
  grep -q 'My line' home/.claude/agents/one.md.orig
  play
  want "r['changed'] is False"
}

test_foreign_and_marked() {
  mkdir -p home/.claude/agents
  echo 'somebody wrote this' >home/.claude/agents/one.md
  printf -- '---\n# Managed by subagents (https://github.com/seed-337579fc/subagents): edit the manifest, not this file.\n---\nold\n' >home/.claude/agents/two.md
  for options in '' 'force: true'; do
    echo "$options" | install_playbook
    play_fails
    want "acts['one.md'] == 'foreign' and acts['two.md'] == 'foreign'"
  done
  want "[a['do'] for a in r['actions'] if a['path'].endswith('two.md')] == ['It carries our marker: set adopt to save it beside and take it over.']"
  echo 'adopt: true' | install_playbook
  play_fails
  want "acts == {'one.md': 'foreign', 'two.md': 'adopt'}"
  [ "$(cat home/.claude/agents/one.md)" = 'somebody wrote this' ]
  grep -q '^old' home/.claude/agents/two.md.orig
}

test_identical_files_are_adopted_without_a_change() {
  program install --catalogue other --home "$HOME" >/dev/null
  rm home/.local/state/subagents/ledger.json
  install_playbook </dev/null
  play
  want "r['changed'] is False and r['summary']['adopt'] == 4"
  play
  want "r['summary']['unchanged'] == 4"
}

test_another_catalogue() {
  program install --catalogue other --home "$HOME" >/dev/null
  install_playbook </dev/null
  same_tree home play_fails
  want "set(acts.values()) == {'other-catalogue'} and 'set catalogue to that name' in r['actions'][0]['do']"
  echo 'catalogue: other' | install_playbook
  same_tree home play
  want "r['summary']['unchanged'] == 4"
  printf 'binary: %s\nstate: absent\nproviders: {claude: {enabled: true}, codex: {enabled: true}}\n' "$top/bin/subagents" | playbook
  same_tree home play
  want "[f['code'] for f in r['findings']] == ['other-catalogue']"
}

test_links_and_directories_in_the_place_of_files() {
  mkdir -p home/.claude/agents/two.md home/elsewhere
  ln -s "$HOME/elsewhere/one.md" home/.claude/agents/one.md
  printf 'force: true\nadopt: true\n' | install_playbook
  play_fails
  want "acts == {'one.md': 'symlink', 'two.md': 'not-regular', 'one.toml': 'create', 'two.toml': 'create'}"
  [ -z "$(ls home/elsewhere)" ]
  [ -L home/.claude/agents/one.md ]
}

test_unreadable_ledger() {
  install_playbook </dev/null
  play
  rm home/.claude/agents/two.md
  sed -i 's/First line of one/Another line/' subagents.yml
  for text in 'not json' '{"version": 99, "directories": {}}' ''; do
    printf '%s' "$text" >home/.local/state/subagents/ledger.json
    play_fails
    want "acts['one.md'] == 'foreign' and [f['code'] for f in r['findings']] == ['ledger-unreadable']"
    grep -q 'First line of one' home/.claude/agents/one.md
    [ "$(cat home/.local/state/subagents/ledger.json)" = "$text" ]
  done
  [ -e home/.claude/agents/two.md ]
}

test_planted_links() {
  local where
  mkdir -p elsewhere "$HOME/jo"
  for where in .claude .claude/agents .local .local/state/subagents/ledger.json; do
    rm -rf "$HOME/jo"
    mkdir -p "$HOME/jo/$(dirname "$where")"
    ln -s "$PWD/elsewhere" "$HOME/jo/$where"
    chown -Rh "$user" "$HOME/jo"
    for options in "home: $HOME/jo" "{user: $user, home: $HOME/jo}"; do
      echo "$options" | tr -d '{}' | sed 's/, /\n/' | install_playbook
      play_fails
      [ -z "$(ls -A elsewhere)" ]
      [ -z "$(find "$HOME/jo" -name '*.md' -o -name '*.toml')" ]
    done
    grep -q 'others than root can have put it there' out
  done
}

test_root_in_a_directory_of_somebody() {
  mkdir "$HOME/jo"
  chown "$user" "$HOME/jo"
  echo "home: $HOME/jo" | install_playbook
  same_tree "$HOME/jo" play_fails
  grep -q "this runs as root, and .* belongs to $user: set user" out
}

test_a_project_that_leads_out() {
  mkdir -p home/shop elsewhere
  ln -s ../../elsewhere home/shop/.claude
  printf 'scope: project\nproject_dir: ~/shop\n' | install_playbook
  play_fails
  grep -q 'outside the project' out
  [ -z "$(ls -A elsewhere)" ]
  [ ! -e home/shop/.codex ]
}

test_a_run_at_the_same_time() {
  install_playbook </dev/null
  play
  echo 'lock_timeout: 1' | install_playbook
  flock "$(ls home/.local/state/subagents/locks/*.lock)" sleep 30 &
  local holder=$!
  sleep 0.5
  play_fails
  kill "$holder"
  grep -q 'another run still holds' out
}

test_a_killed_run_is_finished() {
  local id
  install_playbook </dev/null
  play
  id=$(basename home/.local/state/subagents/locks/*.lock .lock)
  echo half >"home/.claude/agents/.subagents-$id-ABCDEFGHIJKLMNOPQRSTUVWXYZ.tmp"
  echo other >home/.claude/agents/.subagents-ffffffffffffffffffffffffffffffff-ABCDEFGHIJKLMNOPQRSTUVWXYZ.tmp
  sed -i 's/First line of one/Another line/' subagents.yml
  play
  [ "$(ls -A home/.claude/agents | xargs)" = '.subagents-ffffffffffffffffffffffffffffffff-ABCDEFGHIJKLMNOPQRSTUVWXYZ.tmp one.md two.md' ]
}
