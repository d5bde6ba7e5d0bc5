package importer

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/internal/lazyregexp"
	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/schema"
)

// A claim says how a file is to be read.
type claim struct {
	host schema.ProviderID // a host's own file
	form string            // which of the host's
	read reader            // of a catalogue, where it is no host's
}

// A reader reads a file of a catalogue.
type reader func(*importer, *file)

// catalogues are the folders of tools whose files this package reads.
var catalogues = []struct {
	at   providers.Input
	read reader
}{
	{providers.Input{Path: ".rulesync/subagents/**/*.md"}, (*importer).rulesync},
	{providers.Input{Path: ".ruler/agents/**/*.md"}, (*importer).ruler},
	{providers.Input{Path: ".metaproject/agents/**/*.md"}, (*importer).markdown},
}

// byPath claims a file by where it stands.
func byPath(f *file) (claim, bool) {
	if f.claim != nil {
		return *f.claim, true
	}
	whole := filepath.ToSlash(f.path)
	for _, p := range all.Providers {
		facts := p.Facts()
		if f.host != "" && facts.ID != f.host {
			continue
		}
		for _, in := range facts.Inputs {
			if in.Matches(whole) && (in.Beside == "" || beside(in, f.path)) {
				return claim{host: facts.ID, form: in.Form}, true
			}
		}
	}
	if f.host != "" {
		return claim{host: f.host}, true
	}
	for _, c := range catalogues {
		if c.at.Matches(whole) {
			return claim{read: c.read}, true
		}
	}
	return claim{}, false
}

// beside says whether the file that an input wants stands above a path, in the
// folder in which the input's pattern begins.
func beside(in providers.Input, file string) bool {
	first, _, _ := strings.Cut(in.Path, "/")
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		if filepath.Base(dir) == first {
			if _, err := os.Stat(filepath.Join(filepath.Dir(dir), filepath.FromSlash(in.Beside))); err == nil {
				return true
			}
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

// byContent claims a file by what stands in it, or says why it is none.
func byContent(f *file) (c claim, why string) {
	switch strings.ToLower(path.Ext(f.shown)) {
	case ".md", ".markdown":
		return markdownClaim(f)
	case ".toml":
		return tomlClaim(f)
	case ".json", ".jsonc":
		return jsonClaim(f)
	case ".yaml", ".yml":
		return yamlClaim(f)
	}
	return claim{}, "not a format of subagents"
}

// looksLike finds the keys of an agent in a front matter that is no YAML.
var looksLike = lazyregexp.New(`(?m)^(name|description)[ \t]*:`)

func markdownClaim(f *file) (claim, string) {
	src := schema.NewSource(f.shown, f.data)
	fence, ok := providers.LineFence(src.Bytes, []string{"yaml", "yml"}, false)
	if !ok {
		return claim{}, "no front matter"
	}
	keys, diags := fence.Head(src, true)
	if diags.HasErrors() {
		if len(looksLike().FindAll(src.Bytes[fence.Start:fence.End], 2)) == 2 {
			return claim{read: (*importer).markdown}, ""
		}
		return claim{}, "a front matter that is no YAML and names no subagent"
	}
	switch mode, permission := keys.Get("mode").Text(), keys.Get("permission"); {
	case slices.Contains([]string{"subagent", "primary", "all"}, mode), permission != nil && permission.Kind != schema.List:
		return claim{host: schema.OpenCodeID}, ""
	case kiroKeys(keys):
		return claim{host: schema.KiroID, form: "markdown"}, ""
	case keys.Get("name") != nil && keys.Get("description") != nil:
		return claim{read: (*importer).markdown}, ""
	}
	return claim{}, "no name and description in the front matter"
}

// kiroKeys says whether keys are those of a Kiro agent.
func kiroKeys(keys *schema.Node) bool {
	for _, key := range []string{"includeMcpJson", "includePowers", "excludedTools", "toolsSettings", "allowedTools", "effortLevel"} {
		if keys.Get(key) != nil {
			return true
		}
	}
	return keys.Get("permissions").Get("rules") != nil
}

func tomlClaim(f *file) (claim, string) {
	keys, diags := schema.ParseTOML(schema.NewSource(f.shown, f.data))
	switch {
	case diags.HasErrors() && strings.Contains(string(f.data), "developer_instructions"):
		return claim{host: schema.CodexID}, ""
	case diags.HasErrors():
		return claim{}, "no TOML"
	case keys.Get("developer_instructions") != nil, keys.Get("name") != nil && keys.Get("description") != nil:
		return claim{host: schema.CodexID}, ""
	case keys.Get("agents") != nil:
		return claim{host: schema.CodexID, form: "config"}, ""
	}
	return claim{}, "no keys of a Codex role"
}

func jsonClaim(f *file) (claim, string) {
	keys, diags := schema.ParseJSON(schema.NewSource(f.shown, f.data))
	has := func(key string) bool {
		if diags.HasErrors() { // it may have comments, or be broken
			return strings.Contains(string(f.data), `"`+key+`"`)
		}
		return keys.Get(key) != nil
	}
	switch {
	case has("agent"), has("agents"):
		return claim{host: schema.OpenCodeID, form: "config"}, ""
	case has("title") && (has("instructions") || has("prompt")):
		return claim{host: schema.GooseID, form: "recipe"}, ""
	case has("prompt"), has("systemPrompt"), has("name") && has("tools"):
		return claim{host: schema.KiroID, form: "json"}, ""
	}
	return claim{}, "no keys of a subagent"
}

func yamlClaim(f *file) (claim, string) {
	keys, diags := schema.ParseYAML(schema.NewSource(f.shown, f.data), true)
	recipe := regexp.MustCompile(`(?m)^(instructions|prompt)[ \t]*:`)
	switch {
	case diags.HasErrors() && recipe.Match(f.data), keys.Get("title") != nil && (keys.Get("instructions") != nil || keys.Get("prompt") != nil):
		return claim{host: schema.GooseID, form: "recipe"}, ""
	case diags.HasErrors():
		return claim{}, "no YAML"
	case keys.Get("subagents") != nil, keys.Get("agent_tools_subagents") != nil:
		return claim{}, "it is a manifest already"
	}
	return claim{}, "no keys of a goose recipe"
}
