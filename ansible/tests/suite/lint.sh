# shellcheck shell=bash
# The collection as a product: its archive, its documentation, and what the linters say.

test_the_archive_has_what_it_needs() {
  tar tzf "$top"/subagents-provision-1.*.tar.gz >files
  local name
  for name in LICENSE README.md CHANGELOG.rst meta/runtime.yml plugins/modules/subagents.py plugins/action/subagents.py roles/subagents/meta/argument_specs.yml; do
    grep -qx "$name" files
  done
  if grep -E '^tests/(unit|suite)/|^test$|__pycache__' files; then return 1; fi
}

test_ansible_lint_in_its_production_profile() {
  cp -r "$collection" linted
  cd linted
  ansible-lint --offline --profile production --nocolor
}

test_documentation_of_module_and_role() {
  ansible-doc -t module subagents.provision.subagents >doc
  grep -q 'ADDED IN: version 1.0.0 of subagents.provision' doc
  ansible-doc -t module -j subagents.provision.subagents | "$python" -c '
import json, sys
doc = json.load(sys.stdin)["subagents.provision.subagents"]
assert doc["examples"] and doc["return"]["actions"] and doc["doc"]["options"]["providers"]["suboptions"]["kiro"]'
  ansible-doc -t role subagents.provision.subagents | grep -q 'subagents_providers'
}

# What is left when the findings of tests/sanity are taken off is nothing.
test_validate_modules() {
  local v=/usr/lib/python3/dist-packages/ansible_test/_util/controller/sanity/validate-modules code
  cd "$collection"
  PYTHONPATH=$v:$top/collections "$python" "$v/validate.py" --format plain --arg-spec --collection ansible_collections/subagents/provision \
    --collection-version 1.0.0 plugins/modules/subagents.py >"$HOME/found" 2>&1 || true
  cat "$HOME/found"
  while read -r _ code _; do
    grep -q "E${code#validate-modules:} " "$HOME/found" || { echo "$code is ignored and not found"; return 1; }
    grep -v "E${code#validate-modules:} " "$HOME/found" >"$HOME/left" || true
    mv "$HOME/left" "$HOME/found"
  done <tests/sanity/ignore-2.14.txt
  [ ! -s "$HOME/found" ]
}

test_unit_tests() {
  cd "$repo/ansible/tests/unit"
  PYTHONDONTWRITEBYTECODE=1 "$python" -m unittest -q
}

# The oldest Python of a target: what runs there, really run, or at least parsed as that version.
test_python_3_6() {
  local old
  old=$(ls -d "${PYENV_ROOT:-/root/.pyenv}"/versions/3.6*/bin/python 2>/dev/null | head -n 1 || true)
  old=${old:-$(command -v python3.6 || true)}
  "$python" - "$collection"/plugins/modules/*.py "$collection"/plugins/module_utils/*.py <<'PY'
import ast, sys
for name in sys.argv[1:]:
    ast.parse(open(name, encoding='utf-8').read(), name, feature_version=(3, 6))
PY
  [ -n "$old" ] || skip 'the files parse as Python 3.6; there is no python3.6 here to run them with'
  (cd "$repo/ansible/tests/unit" && PYTHONDONTWRITEBYTECODE=1 "$old" -m unittest -q)
  install_playbook </dev/null
  sed -i "s,interpreter=$python,interpreter=$old," hosts
  play
  task_changed
  play
  want "r['changed'] is False and r['summary']['unchanged'] == 4"
}
