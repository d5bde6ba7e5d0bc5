# shellcheck shell=bash
# The program and the module take turns: the same ledger, byte for byte, and no change reported after the other.

both() { program "$@" --catalogue team --home "$HOME"; }

test_program_then_ansible() {
  both install >/dev/null
  echo 'catalogue: team' | install_playbook
  same_tree home play
  want "r['changed'] is False and r['summary']['unchanged'] == 4"
  sed -i 's/First line of one/Another line/' subagents.yml
  play
  want "acts == {'one.md': 'update', 'one.toml': 'update'}"
  same_tree home both install
  both status --format json | jq -e '[.files[].state] | unique == ["current"]' >/dev/null
}

test_ansible_then_program() {
  echo 'catalogue: team' | install_playbook
  play
  cp home/.local/state/subagents/ledger.json mine.json
  same_tree home both install
  both install --format json --dry-run | jq -e '.changed == false and .summary.unchanged == 4' >/dev/null
  both uninstall >/dev/null
  [ ! -e home/.local/state/subagents/ledger.json ]
  both install >/dev/null
  cmp mine.json home/.local/state/subagents/ledger.json
  printf 'catalogue: team\nstate: absent\nbinary: %s\nproviders: {claude: {enabled: true}, codex: {enabled: true}}\n' "$top/bin/subagents" | playbook
  play
  want "r['summary']['delete'] == 4"
  [ -z "$(find home -name '*.md' -o -name ledger.json)" ]
}

test_the_same_plan_for_everything_at_once() {
  local state
  for state in program ansible; do
    manifest one two three four five
    rm -rf home
    mkdir -p home
    both install >/dev/null
    sed -i 's/First line of one/New/; s/First line of three/New/' subagents.yml
    sed -i '/name: four/,/Second/d' subagents.yml
    echo 'by hand' >>home/.claude/agents/three.md
    rm home/.claude/agents/five.md home/.codex/agents/two.toml
    ln -s /nowhere home/.codex/agents/two.toml
    if [ "$state" = program ]; then
      both install --force --format json >report.json || [ $? -eq 1 ]
    else
      printf 'catalogue: team\nforce: true\n' | install_playbook
      play_fails
    fi
    tree_of home | sed -E 's/ [0-9.]+ ( |$)/ /; s/ [0-9]+\.[0-9]+ / /' | grep -v 'remote' >"tree-$state"
  done
  diff tree-program tree-ansible
  diff <(jq -c '[.actions[] | select(.action != "unchanged") | [.action, .reason, .provider, .agent, .path, .backup]] | sort' report.json) \
    <(jq -c '[.actions[] | [.action, .reason, .provider, .agent, .path, .backup]] | sort' result-here.json)
  diff <(jq -S .summary report.json) <(jq -S .summary result-here.json)
}

test_projects_of_both() {
  mkdir -p home/shop
  program install --catalogue team --scope project --project-dir home/shop >/dev/null
  printf 'catalogue: team\nscope: project\nproject_dir: ~/shop\n' | install_playbook
  same_tree home/shop play
  want "r['summary']['unchanged'] == 4"
  manifest one
  play
  same_tree home/shop program install --catalogue team --scope project --project-dir home/shop
}

test_the_catalogue_of_the_manifest() {
  sed -i '1i catalogue: platform' subagents.yml
  install_playbook </dev/null
  play
  want "r['catalogue'] == 'platform'"
  same_tree home program install --home "$HOME"
}

test_ledger_of_a_newer_program() {
  both install >/dev/null
  local ledger=home/.local/state/subagents/ledger.json
  jq '.later = {b: 1.50, a: ["<é>"]} | .directories[].later = true' "$ledger" >with && cp with "$ledger"
  sed -i 's/First line of one/Another line/' subagents.yml
  cp -r home again
  echo 'catalogue: team' | install_playbook
  play
  mv home by-ansible && mv again home
  both install >/dev/null
  cmp by-ansible/.local/state/subagents/ledger.json "$ledger"
  jq -e '.later.a == ["<é>"]' "$ledger" >/dev/null
}
