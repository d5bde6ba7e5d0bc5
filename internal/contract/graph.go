package contract

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/schema"
)

// nicknames expects that no two subagents of Codex share a nickname, whatever
// their case: people call them by it.
func (k *checker) nicknames(at hcl.Range) {
	owner := map[string]string{}
	var twice []string
	for i := range k.result.Agents {
		r := &k.result.Agents[i]
		block, ok := r.Agent.Block.(*schema.Codex)
		if !ok {
			continue
		}
		for _, nickname := range block.NicknameCandidates {
			key := strings.ToLower(strings.TrimSpace(nickname))
			if first, taken := owner[key]; taken && first != r.Agent.Name {
				twice = append(twice, fmt.Sprintf("%q and %q share %q", first, r.Agent.Name, nickname))
				continue
			}
			owner[key] = r.Agent.Name
		}
	}
	k.add(at, strings.Join(twice, "; "), "no two subagents share a nickname")
}

// delegation expects exactly who may start whom. A subagent that the contract
// lists with nobody has to say so; one that it does not list may name none.
func (k *checker) delegation(f *schema.Field) {
	for _, want := range f.Value.Fields {
		e := k.m.Entry(want.Key)
		if e == nil || !e.Present() {
			k.add(want.Range, k.missing(want.Key), "%s may start subagents", want.Key)
			continue
		}
		k.set(want, names(want.Value), e.Resolved.Delegates, "%s: delegates", want.Key)
	}
	problem := ""
	for _, e := range k.present() {
		if f.Value.Field(e.Name) == nil && len(e.Resolved.Delegates) > 0 {
			problem = fmt.Sprintf("%q may start %s", e.Name, strings.Join(slices.Sorted(slices.Values(e.Resolved.Delegates)), ", "))
			break
		}
	}
	k.add(f.Range, problem, "no other subagent may start one")
}
