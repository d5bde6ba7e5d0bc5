# shellcheck shell=bash
# Over ssh on loopback, for root and for a user made for the purpose.

# start_ssh starts an sshd of the tests' own, once: on loopback, on a free port, with keys of its own.
start_ssh() {
  [ -z "$sshd_pid" ] || return 0
  local dir=$top/ssh
  mkdir -p "$dir" /run/sshd
  useradd --create-home --home-dir "$top/home-of-user" --shell /bin/bash --password '*' "$user"
  ssh-keygen -q -t ed25519 -N '' -f "$dir/host_key"
  ssh-keygen -q -t ed25519 -N '' -f "$dir/key"
  cp "$dir/key.pub" "$dir/authorized_keys"
  ssh_port=$("$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  cat >"$dir/config" <<CONF
ListenAddress 127.0.0.1
Port $ssh_port
HostKey $dir/host_key
AuthorizedKeysFile $dir/authorized_keys
PidFile none
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
StrictModes no
MaxStartups 100
Subsystem sftp internal-sftp
CONF
  /usr/sbin/sshd -D -f "$dir/config" -E "$dir/log" &
  sshd_pid=$!
  "$python" - "$ssh_port" <<'PY'
import socket, sys, time
for _ in range(100):
    try:
        socket.create_connection(('127.0.0.1', int(sys.argv[1]))).close()
        break
    except OSError:
        time.sleep(0.1)
else:
    sys.exit('sshd does not listen')
PY
}

# over_ssh USER HOST... writes an inventory of hosts that are all this one.
over_ssh() {
  local as=$1
  shift
  {
    printf '[targets]\n'
    printf '%s\n' "$@"
    printf '[targets:vars]\nansible_host=127.0.0.1\nansible_port=%s\nansible_user=%s\nansible_python_interpreter=%s\n' "$ssh_port" "$as" "$python"
    printf 'ansible_control_path=%s/ssh/c-{{ inventory_hostname }}-{{ ansible_user }}\nansible_ssh_private_key_file=%s/ssh/key\n' "$top" "$top"
    printf 'ansible_ssh_common_args=-o UserKnownHostsFile=%s/ssh/known -o StrictHostKeyChecking=no\n' "$top"
  } >hosts
}

fresh_home() {
  find "$top/home-of-user" -mindepth 1 -delete
}

# A user who connects installs for himself; the target has nothing but Python.
test_a_user_over_ssh() {
  fresh_home
  over_ssh "$user" there
  install_playbook </dev/null
  play
  want "r['summary']['create'] == 4 and r['roots'][0]['directory'] == '$top/home-of-user/.claude/agents'" there
  [ "$(stat -c %U "$top/home-of-user/.claude/agents/one.md" "$top/home-of-user/.local/state/subagents/ledger.json" | sort -u)" = "$user" ]
  play
  want "r['changed'] is False" there
  [ ! -e home/.claude ]
}

# Without pipelining the module is copied, in one round trip as well.
test_without_pipelining() {
  fresh_home
  over_ssh "$user" there
  install_playbook </dev/null
  ANSIBLE_PIPELINING=false play
  want "r['summary']['create'] == 4" there
}

# Root installs for the user: with the option, and by becoming it.
test_root_for_a_user() {
  fresh_home
  over_ssh root there
  echo "user: $user" | install_playbook
  play
  want "r['summary']['create'] == 4" there
  find "$top/home-of-user" ! -user "$user" >others
  [ ! -s others ]
  install_playbook "become: true" "become_method: su" "become_user: $user" </dev/null
  same_tree "$top/home-of-user" play
  want "r['changed'] is False and r['roots'][0]['directory'] == '$top/home-of-user/.claude/agents'" there
  echo "user: $user" | install_playbook
  play
  want "r['changed'] is False" there
  echo "user: no-such-user" | install_playbook
  play_fails
  grep -q 'there is no user no-such-user' out
}

test_a_user_cannot_act_for_another() {
  over_ssh "$user" there
  echo 'user: root' | install_playbook
  play_fails
  grep -q "this runs as $user and cannot act for root" out
}

# Links in a home are followed for its owner, and not for root.
test_dotfiles_that_are_links() {
  fresh_home
  install -d -o "$user" "$top/home-of-user/dotfiles"
  ln -s dotfiles "$top/home-of-user/.claude"
  chown -h "$user" "$top/home-of-user/.claude"
  over_ssh root there
  echo "user: $user" | install_playbook
  play_fails
  grep -q 'become_user' out
  install_playbook "become: true" "become_method: su" "become_user: $user" </dev/null
  play
  [ -e "$top/home-of-user/dotfiles/agents/one.md" ]
}

# M4, M61, T58, T60: the role, for a manifest as the agent_tools_subagents role takes it, for two users.
test_role_for_two_users() {
  fresh_home
  over_ssh root there
  cp "$repo/testdata/manifests/agent-tools-subagents.yml" .
  useradd --create-home --home-dir "$PWD/home-of-second" --shell /bin/bash "${user}b"
  trap 'userdel "${user}b"' EXIT
  chmod 0755 "$top/work" "$(dirname "$PWD")" "$PWD"
  cat >play.yml <<YML
- name: Sub-agents for the team
  hosts: all
  gather_facts: false
  roles:
    - role: subagents.provision.subagents
      vars:
        subagents_manifest: agent-tools-subagents.yml
        subagents_binary: $top/bin/subagents
        subagents_users: [$user, ${user}b]
        subagents_providers:
          claude: {enabled: true}
          codex: {enabled: true}
          goose: {enabled: true}
YML
  same_tree "$PWD/home-of-second" play --check
  play
  grep -q 'Open a new session on there' out
  local home
  for home in "$top/home-of-user" "$PWD/home-of-second"; do
    [ "$(find "$home" -path '*/agents/*.md' -o -path '*/agents/*.toml' -o -path '*/recipes/*.yaml' | wc -l)" -eq 21 ]
  done
  [ "$(stat -c %U home-of-second/.config/goose/recipes/joiner.yaml)" = "${user}b" ]
  play
  grep -q 'changed=0' out
  if grep -q 'Open a new session' out; then return 1; fi
  sed -i 's/You look; you do not touch/You look and never touch/' agent-tools-subagents.yml
  play --check --diff
  [ "$(grep -c '^+You look and never touch' out)" -eq 4 ]
  [ "$(grep -cE '^[-+][^-+]' out)" -eq 12 ]
  sed -i 's/      instructions: |/      instructionz: |/' agent-tools-subagents.yml
  sed -i '0,/    instructions: |/s//    instructionz: |/' agent-tools-subagents.yml
  play_fails
  grep -q 'no host was touched' out
  play -e '{"subagents_required": false}'
  grep -q 'Say what was not installed' out
}

# The playbook of the README, as it stands there but for the users.
test_the_playbook_of_the_readme() {
  fresh_home
  over_ssh root there
  sed -n '/^```yaml$/,/^```$/p;' "$repo/ansible/README.md" | sed -n '2,/^```$/p' | sed '$d' >play.yml
  grep -q 'subagents_users: \[jo, kim\]' play.yml
  sed -i "s/\[jo, kim\]/[$user]/" play.yml
  sed -i 's/targets: .*/targets: [claude, codex, goose]/' subagents.yml
  PATH=$top/bin:$PATH play -e ansible_become_method=su
  [ "$(find "$top/home-of-user" -path '*agents/*.md' -o -path '*agents/*.toml' | wc -l)" -eq 6 ]
  PATH=$top/bin:$PATH play -e ansible_become_method=su
  grep -q 'changed=0' out
}

# K84: every host is off until it is switched on, and the argument spec refuses what the role does not know.
test_role_defaults() {
  over_ssh "$user" there
  fresh_home
  printf -- '- name: Test\n  hosts: all\n  gather_facts: false\n  roles:\n    - role: subagents.provision.subagents\n      vars: {subagents_manifest: subagents.yml, subagents_binary: %s}\n' "$top/bin/subagents" >play.yml
  play
  [ -z "$(find "$top/home-of-user" -name '*.md')" ]
  sed -i 's/subagents_manifest: subagents.yml/&, subagents_state: gone/' play.yml
  play_fails
  grep -q "subagents_state" out
}
