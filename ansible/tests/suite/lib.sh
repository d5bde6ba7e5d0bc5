# What the tests of the collection share. A test is a function test_… of a file of this folder; it runs in a shell and a folder of its own, with
# a HOME of its own, and fails with the first command that fails.
# shellcheck shell=bash disable=SC2154  # top and repo are ansible/test's

passed=0 failed=0
python=/usr/bin/python3
ansible_version='' ansible_path=$PATH
user=subagents$$ # made for the tests, and removed with its home
sshd_pid=''

install_needs() {
  local needs=()
  [ "$(id -u)" -eq 0 ] || { echo 'the tests of the collection want root: they make a user and start an sshd' >&2; exit 1; }
  command -v ansible-playbook >/dev/null || needs+=(ansible-core)
  command -v ansible-lint >/dev/null || needs+=(ansible-lint)
  "$python" -c 'import voluptuous' 2>/dev/null || needs+=(python3-voluptuous)
  command -v jq >/dev/null || needs+=(jq)
  [ -x /usr/sbin/sshd ] || needs+=(openssh-server openssh-client)
  [ ${#needs[@]} -eq 0 ] && return
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "${needs[@]}" >/dev/null
}

clean_up() {
  if [ -n "$sshd_pid" ]; then
    kill "$sshd_pid" 2>/dev/null || true
  fi
  if id "$user" >/dev/null 2>&1; then
    pkill -KILL -u "$user" || true # a session of a test that was stopped
    userdel --force "$user" || true
  fi
  rm -rf "$top"
}

build_program() {
  CGO_ENABLED=0 go build -ldflags "-X main.release=$(cat VERSION)" -o "$top/bin/subagents" ./cmd/subagents
}

# The tests use the collection as it is installed from the archive that is built.
build_collection() {
  mkdir -p "$top/galaxy"
  HOME=$top/galaxy ansible-galaxy collection build ansible --output-path "$top" >/dev/null 2>&1
  HOME=$top/galaxy ansible-galaxy collection install --offline -p "$top/collections" "$top"/subagents-provision-*.tar.gz >/dev/null 2>&1
  collection=$top/collections/ansible_collections/subagents/provision
}

use_ansible_of_system() {
  ansible_version=$(ansible-playbook --version | sed -n '1s/.*core \([0-9.]*\).*/\1/p')
}

# Debian 13's package is fetched with a configuration of apt of its own, and unpacked: nothing of the system changes. The repository is the
# one that the system has for its own release.
use_ansible_of_debian_13() {
  [ "${ANSIBLE_13:-yes}" = yes ] || return 1
  local dir=$top/debian13 uri
  mkdir -p "$dir/lists/partial" "$dir/archives/partial"
  uri=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' | head -n 1)
  printf 'Types: deb\nURIs: %s\nSuites: trixie\nComponents: main\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n' "$uri" >"$dir/debian.sources"
  local apt=(apt-get -qq -o "Dir::Etc::sourcelist=$dir/debian.sources" -o Dir::Etc::sourceparts=/dev/null -o "Dir::State::lists=$dir/lists"
    -o "Dir::Cache=$dir" -o Debug::NoLocking=1 -o APT::Sandbox::User=root -o Acquire::Languages=none)
  if ! { "${apt[@]}" update && cd "$dir" && "${apt[@]}" download ansible-core; } >"$dir/log" 2>&1; then
    cd "$repo"
    printf "skip Debian 13's ansible-core: apt does not have it: %s\n" "$(tail -n 1 "$dir/log")"
    return 1
  fi
  dpkg -x ansible-core_*.deb root
  cd "$repo"
  mkdir -p "$dir/bin"
  local name
  for name in ansible-playbook ansible-doc; do
    printf '#!/bin/sh\nexport PYTHONPATH=%s\nexec %s %s "$@"\n' "$dir/root/usr/lib/python3/dist-packages" "$python" "$dir/root/usr/bin/$name" >"$dir/bin/$name"
    chmod +x "$dir/bin/$name"
  done
  if ! "$dir/bin/ansible-playbook" --version >"$dir/log" 2>&1; then
    printf "skip Debian 13's ansible-core: it does not run with the Python of this system: %s\n" "$(tail -n 1 "$dir/log")"
    return 1
  fi
  ansible_path=$dir/bin:$PATH
  ansible_version=$(sed -n '1s/.*core \([0-9.]*\).*/\1/p' "$dir/log")
}

# tests_of lists the tests of files in the order in which they stand there.
tests_of() {
  local file
  for file in "$@"; do
    sed -n 's/^\(test_[a-z0-9_]*\)() {$/\1/p' "$repo/ansible/tests/suite/$file.sh"
  done
}

# run_test NAME [SELECTION...] runs a test, if it is selected.
run_test() {
  local name=$1 wanted=$# part
  shift
  for part in "$@"; do
    case $name in *"$part"*) wanted=1 ;; esac
  done
  [ "$wanted" -eq 1 ] || return 0
  local work=$top/work/$ansible_version/$name code=0 start=$SECONDS
  mkdir -p "$work/home"
  set +e
  (
    set -eEuo pipefail
    trap 'echo "failed in line $LINENO of $BASH_SOURCE: $BASH_COMMAND" >&2' ERR
    in_folder "$work"
    "$name"
  ) >"$work/log" 2>&1
  code=$?
  set -e
  case $code in
    0)
      passed=$((passed + 1))
      printf 'ok   %s (%s, %d s)%s\n' "$name" "$ansible_version" $((SECONDS - start)) "$(sed -n 's/^note: /: /p' "$work/log")"
      ;;
    77) printf 'skip %s (%s): %s\n' "$name" "$ansible_version" "$(sed -n 's/^skip: //p' "$work/log")" ;;
    *)
      failed=$((failed + 1))
      printf 'FAIL %s (%s)\n' "$name" "$ansible_version"
      sed 's/^/     /' "$work/log"
      ;;
  esac
}

skip() {
  echo "skip: $*"
  exit 77
}

in_folder() {
  cd "$1"
  export LC_ALL=C.UTF-8 HOME=$1/home PATH=$ansible_path ANSIBLE_HOME=$1/home/.ansible ANSIBLE_LOCAL_TEMP=$1/tmp ANSIBLE_COLLECTIONS_PATH=$top/collections
  export ANSIBLE_NOCOWS=1 ANSIBLE_NOCOLOR=1 ANSIBLE_LOCALHOST_WARNING=false ANSIBLE_DEPRECATION_WARNINGS=false ANSIBLE_RETRY_FILES_ENABLED=false
  export ANSIBLE_COLLECTIONS_ON_ANSIBLE_VERSION_MISMATCH=ignore ANSIBLE_PIPELINING=true ANSIBLE_STDOUT_CALLBACK=default
  unset CLAUDE_CONFIG_DIR CODEX_HOME KIRO_HOME GOOSE_PATH_ROOT XDG_CONFIG_HOME OPENCODE_CONFIG_DIR NO_COLOR
  printf 'here ansible_connection=local ansible_python_interpreter=%s ansible_remote_tmp=%s/remote\n' "$python" "$1" >hosts
  manifest one two
}

# manifest NAME... writes a manifest with these subagents for Claude and Codex.
manifest() {
  local name
  printf 'targets: [claude, codex]\nsubagents:\n' >subagents.yml
  for name in "$@"; do
    printf '  - name: %s\n    description: Does %s. Use it when asked.\n    instructions: |\n      First line of %s.\n      Second line.\n' "$name" "$name" "$name" >>subagents.yml
  done
}

# playbook writes play.yml with one task, whose options are read from standard input; the arguments are further lines of the play. The result
# is kept in result-HOST.json, also of a task that fails.
playbook() {
  {
    printf -- '- name: Test\n  hosts: all\n  gather_facts: false\n'
    [ $# -eq 0 ] || printf '  %s\n' "$@"
    printf '  tasks:\n    - name: Try\n      block:\n        - name: Install\n          subagents.provision.subagents:\n'
    sed 's/^/            /'
    printf '          register: result\n      always:\n        - name: Keep the result\n          ansible.builtin.copy:\n'
    printf '            content: "{{ result | to_json }}"\n            dest: "{{ playbook_dir }}/result-{{ inventory_hostname }}.json"\n            mode: "0600"\n'
    printf '          delegate_to: localhost\n          become: false\n          check_mode: false\n          diff: false\n'
    printf "          vars: {ansible_connection: local, ansible_python_interpreter: $python, ansible_remote_tmp: $PWD/remote}\n"
  } >play.yml
}

# install_playbook writes a playbook for the manifest at hand, with the options on standard input beside.
install_playbook() {
  { printf 'manifest: subagents.yml\nbinary: %s\nproviders: {claude: {enabled: true}, codex: {enabled: true}}\n' "$top/bin/subagents" && cat; } | playbook "$@"
}

# play runs play.yml and shows what it says. Its output is in out.
play() {
  local code=0
  ansible-playbook -i hosts play.yml "$@" >out 2>&1 || code=$?
  cat out
  return "$code"
}

# task_changed: the task reported a change, on any host. The task that keeps the result is not counted.
task_changed() {
  grep -q '^changed: ' <(sed -n '/TASK \[Install\]/,/TASK \[Keep/p' out)
}

play_fails() {
  if play "$@"; then
    echo 'the play was to fail'
    return 1
  fi
}

# want EXPRESSION [HOST]: it holds of the result r of a host.
want() {
  "$python" - "$1" "result-${2:-here}.json" <<'PY'
import json, sys
r = json.load(open(sys.argv[2]))
if not eval(sys.argv[1], {'r': r, 'acts': {a['path'].split('/')[-1]: a['action'] for a in r.get('actions', [])}}):
    sys.exit('not so: %s\nof %s' % (sys.argv[1], json.dumps(r, indent=1)))
PY
}

# same_tree DIR COMMAND...: the command changes nothing below a directory: no content, mode, time or name.
same_tree() {
  local dir=$1
  shift
  tree_of "$dir" >tree-before
  "$@"
  tree_of "$dir" | diff tree-before -
}

tree_of() {
  find "$1" -mindepth 1 \( -name .ansible -o -name locks \) -prune -o -printf '%P %y %m %u %T@ %l\n' | sort
  find "$1" -mindepth 1 -name .ansible -prune -o -type f -print0 | sort -z | xargs -0r sha256sum
}

program() { "$top/bin/subagents" "$@"; }
