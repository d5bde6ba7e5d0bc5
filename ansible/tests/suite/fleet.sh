# shellcheck shell=bash
# Many hosts: 20 of them, 60 files each, over ssh.

fleet() {
  local i
  over_ssh root $(seq -f 'host%g' 20)
  mkdir -p homes
  for i in $(seq 20); do mkdir -p "homes/host$i"; done
  printf 'targets: [claude, codex, goose, kiro, opencode]\nsubagents:\n' >team.yml
  for i in one two; do
    printf '  - {name: extra-%s, description: One more. Use it when asked., instructions: Look.}\n' "$i" >>team.yml
  done
  cat >fleet.yml <<YML
- name: Fleet
  hosts: all
  gather_facts: false
  tasks:
    - name: Install
      subagents.provision.subagents:
        manifest: ["builtin:", team.yml]
        binary: $top/bin/subagents
        home: "{{ playbook_dir }}/homes/{{ inventory_hostname }}"
        providers: {claude: {enabled: true}, codex: {enabled: true}, goose: {enabled: true}, kiro: {enabled: true}, opencode: {enabled: true}}
YML
  cat >stat.yml <<'YML'
- name: Fleet
  hosts: all
  gather_facts: false
  tasks:
    - name: Stat
      ansible.builtin.stat:
        path: "{{ playbook_dir }}/homes/{{ inventory_hostname }}"
YML
  export ANSIBLE_FORKS=10
}

seconds() {
  local start=$EPOCHREALTIME
  ansible-playbook -i hosts "$1" >out 2>&1
  "$python" -c "print($EPOCHREALTIME - $start)"
}

# 20 hosts × 60 files, unchanged: one module round trip for each host, and within 1.5 × of the same play with a single stat.
test_twenty_hosts_of_sixty_files() {
  fleet
  ansible-playbook -i hosts fleet.yml >out 2>&1 || { cat out; return 1; }
  [ "$(find homes -type f -path '*s/*' ! -path '*/state/*' | wc -l)" -eq 1200 ]
  ansible-playbook -i hosts -vvv fleet.yml >out 2>&1
  [ "$(grep -c 'changed=0 .*failed=0' out)" -eq 20 ]
  local trips
  trips=$(grep -cE 'SSH: EXEC|PUT|FETCH' out)
  ansible-playbook -i hosts -vvv stat.yml >out 2>&1
  echo "round trips: $trips, with stat: $(grep -cE 'SSH: EXEC|PUT|FETCH' out)"
  [ "$trips" -eq 20 ]
  local i ours=() theirs=()
  for i in 1 2 3; do
    ours+=("$(seconds fleet.yml)")
    theirs+=("$(seconds stat.yml)")
  done
  "$python" - "${ours[*]}" "${theirs[*]}" <<'PY'
import sys
ours, theirs = ([float(n) for n in a.split()] for a in sys.argv[1:])
ratio = min(ours) / min(theirs)
print('note: %.2f s, a single stat %.2f s, ratio %.2f; 20 round trips' % (min(ours), min(theirs), ratio))
sys.exit(ratio > 1.5)
PY
}
