package audit

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/providers/all"
	"github.com/seed-337579fc/subagents/schema"
)

// A unit is one file that is looked at.
type unit struct {
	file     *File
	host     *providers.Facts // nil: no agent file
	form     string
	src      *schema.Source
	open     func(name string) ([]byte, error)
	group    string // in which names have to be unique
	names    []named
	findings []Finding
}

// named is the name of a subagent with its place.
type named struct {
	name string
	at   hcl.Range
}

// find adds a finding, with what its rule says.
func (u *unit) find(f Finding) {
	r := rule(f.Code)
	if f.Severity == "" {
		f.Severity = r.Severity
	}
	if f.Why == "" {
		f.Why = r.Why
	}
	if f.Fix == "" {
		f.Fix = r.Fix
	}
	f.Host = u.file.Host
	u.findings = append(u.findings, f)
}

// decoder is what every host has to read its files.
type decoder interface {
	Decode(file providers.Native) ([]providers.Decoded, hcl.Diagnostics)
}

// maxLoaded is the size beyond which hosts skip a file, in bytes. Observed on
// Claude Code 2.1.332 and goose 1.52.0.
const maxLoaded = 1 << 20

// read reads the file as its host does, and looks at it.
func (u *unit) read() {
	u.file.State = Other
	var texts []string
	if u.host != nil {
		texts = u.decode()
	}
	u.text(texts)
}

// decode reads the subagents of the file and gives their texts.
func (u *unit) decode() (texts []string) {
	client, ok := all.Get(u.host.ID).(decoder)
	if !ok {
		return nil
	}
	agents, diags := client.Decode(providers.Native{Name: u.src.Name, Form: u.form, Data: u.src.Bytes, Open: u.open})
	if u.file.State = NotLoaded; len(agents) > 0 || len(diags) == 0 {
		u.file.State = Read
	}
	for _, d := range diags {
		u.decoded(d)
	}
	if big := u.host.ID == schema.ClaudeID || u.host.ID == schema.GooseID; big && len(u.src.Bytes) > maxLoaded {
		u.file.State = NotLoaded
		u.find(Finding{Code: CodeNotLoaded, At: u.src.Range(0, 0), Message: "the file is larger than 1 MiB"})
	}
	for _, d := range agents {
		u.file.Agents = append(u.file.Agents, d.Name)
		u.names = append(u.names, named{d.Name, d.At})
		a := &agent{unit: u, Decoded: d, block: d.Block()}
		a.check()
		texts = append(texts, d.Description, d.Body)
	}
	return texts
}

// decoded turns what a decoder says into a finding.
func (u *unit) decoded(d *hcl.Diagnostic) {
	f := Finding{Code: CodeReadAs, At: u.src.Range(0, 0), Message: d.Summary, Fix: d.Detail}
	if d.Subject != nil {
		f.At = *d.Subject
	}
	code := schema.CodeOf(d)
	if d.Severity == hcl.DiagError {
		f.Code = u.fault(code, d.Detail)
		if code == providers.CodeNoBody && f.Code == CodeReadAs {
			f.Severity = Warning
		}
	} else {
		switch code {
		case providers.CodeDropped:
			f.Code = CodeDropped
		case providers.CodeHeadCut:
			f.Code = CodeHeadCut
		case providers.CodeReadAs:
			if strings.Contains(d.Summary, " has no effect") {
				f.Code = CodeNoEffect
			}
		}
	}
	u.find(f)
}

// fault says what an error of reading means for the host.
func (u *unit) fault(code schema.Code, detail string) schema.Code {
	switch {
	case strings.Contains(detail, "does not start with it"):
		return CodeClientStops
	case u.host.ID == schema.CodexID:
		return CodeRoleIgnored
	case code == providers.CodeNoBody:
		return CodeReadAs
	case u.host.ID == schema.OpenCodeID && code != providers.CodeNotLoaded:
		if u.form == "config" {
			return CodeClientStops
		}
		return CodeFailOpen
	}
	return CodeNotLoaded
}

// text looks at the words of the file: as they stand in it, and, where escapes
// hide them, as the host reads them.
func (u *unit) text(decoded []string) {
	raw := u.src.Bytes
	looks := []struct {
		code schema.Code
		look func(text []byte) []mark
		says string
	}{
		{CodeHidden, hidden, "%s"},
		{CodeSecret, func(text []byte) []mark { return secrets(string(text)) }, "this looks like %s"},
		{CodeOverride, func(text []byte) []mark { return overrides(string(text)) }, "words that set the operator aside: %q"},
	}
	for _, l := range looks {
		marks := l.look(raw)
		for _, m := range marks {
			u.find(Finding{Code: l.code, At: u.src.Range(m.start, m.end), Message: says(l.says, m.what)})
		}
		for i, text := range decoded {
			if bytes.Contains(raw, []byte(text)) {
				continue // it stands in the file as it is
			}
			if found := l.look([]byte(text)); len(marks) == 0 && len(found) > 0 {
				u.find(Finding{Code: l.code, At: u.names[i/2].at, Agent: u.names[i/2].name, Message: says(l.says, found[0].what) + ", behind an escape"})
			}
		}
	}
}

// byContent says whose a file is that stands in no folder of a host.
func byContent(name string, data []byte) (host schema.ProviderID, form string) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	src := schema.NewSource(name, data)
	has := func(n *schema.Node, keys ...string) bool {
		for _, key := range keys {
			if n.Get(key) != nil {
				return true
			}
		}
		return false
	}
	switch strings.ToLower(path.Ext(name)) {
	case ".md":
		fence, ok := providers.LineFence(data, nil, false)
		if !ok {
			return "", ""
		}
		keys, _ := fence.Head(src, true)
		switch {
		case has(keys, "permission", "mode", "temperature"):
			return schema.OpenCodeID, ""
		case has(keys, "name", "tools", "description") || keys == nil:
			return schema.ClaudeID, ""
		}
	case ".toml":
		if bytes.Contains(data, []byte("developer_instructions")) {
			return schema.CodexID, role
		}
	case ".json":
		if keys, _ := schema.ParseJSON(src); has(keys, "prompt", "allowedTools", "toolsSettings") && has(keys, "name", "tools") {
			return schema.KiroID, "json"
		}
	case ".yaml":
		if keys, _ := schema.ParseYAML(src, true); has(keys, "instructions", "prompt") && has(keys, "title", "extensions") {
			return schema.GooseID, "recipe"
		}
	}
	return "", ""
}

// role is the form of a file in Codex's folder of roles, whatever its name.
const role = "role"

func says(format, what string) string { return fmt.Sprintf(format, what) }
