package goose

import (
	"maps"
	"slices"
	"strings"

	"github.com/seed-337579fc/subagents/providers"
	"github.com/seed-337579fc/subagents/schema"
)

type wireExtension struct {
	Type            string            `json:"type"`
	Name            string            `json:"name"`
	Description     string            `json:"description,omitempty"`
	DisplayName     string            `json:"display_name,omitempty"`
	Cmd             string            `json:"cmd,omitempty"`
	Args            []string          `json:"args,omitzero"`
	Cwd             string            `json:"cwd,omitempty"`
	URI             string            `json:"uri,omitempty"`
	Envs            map[string]string `json:"envs,omitzero"`
	EnvKeys         []string          `json:"env_keys,omitzero"`
	Headers         map[string]string `json:"headers,omitzero"`
	Socket          string            `json:"socket,omitempty"`
	ClientID        string            `json:"client_id,omitempty"`
	ClientSecretKey string            `json:"client_secret_key,omitempty"`
	Scopes          []string          `json:"scopes,omitzero"`
	Timeout         *int              `json:"timeout,omitempty"`
	Bundled         *bool             `json:"bundled,omitempty"`
	AvailableTools  []string          `json:"available_tools,omitzero"`
}

// keysOf lists the keys that an extension of a type may have beside type and
// name; goose ignores any other without a word. Observed on 1.52.0.
var keysOf = map[string][]string{
	"builtin":  {"description", "display_name", "timeout", "bundled", "available_tools"},
	"platform": {"description", "display_name", "bundled", "available_tools"},
	"stdio":    {"description", "cmd", "args", "envs", "env_keys", "timeout", "cwd", "bundled", "available_tools"},
	"streamable_http": {
		"description", "uri", "envs", "env_keys", "headers", "timeout", "socket", "client_id", "client_secret_key", "scopes", "bundled",
		"available_tools",
	},
}

// dropped are variables that goose keeps from an extension, as far as they are
// known by name. Source of aaif-goose/goose.
var dropped = []string{"PATH", "LD_PRELOAD", "NODE_OPTIONS", "PYTHONPATH", "TEMP"}

// extensions writes extensions and sub_recipes. No extensions are something
// else than an absent key, which means those of the session.
func (e *encoder) extensions(r *recipe) {
	b := e.block
	if b.Extensions != nil {
		list := make([]wireExtension, len(b.Extensions))
		for i, x := range b.Extensions {
			e.checkExtension(i, x)
			list[i] = wireExtension(x)
			if x.Type == "stdio" && x.Args == nil {
				list[i].Args = []string{} // goose wants the key
			}
		}
		r.live("extensions", list)
	}
	if b.SubRecipes != nil {
		if b.Extensions == nil {
			e.out.Use("goose.sub_recipes#without-extensions", "", e.a.At("goose.sub_recipes"))
		}
		list := make([]wireSubRecipe, len(b.SubRecipes))
		for i, s := range b.SubRecipes {
			list[i] = wireSubRecipe(s)
		}
		r.live("sub_recipes", list)
	}
}

func (e *encoder) checkExtension(i int, x schema.GooseExtension) {
	const code = "bad-extension"
	s, _ := e.a.Setting("goose.extensions")
	node := s.Value.Items[i]
	if x.Type == "" {
		return // which has been told
	}
	for _, f := range node.Fields {
		if f.Key != "type" && f.Key != "name" && f.Value.Kind != schema.Null && !slices.Contains(keysOf[x.Type], f.Key) {
			e.fail(code, f.Range, "Remove it. Possible here: "+strings.Join(keysOf[x.Type], ", ")+".",
				"goose ignores %s in an extension of type %s", f.Key, x.Type)
		}
	}
	switch {
	case x.Type == "stdio" && x.Cmd == "":
		e.fail(code, node.Range, "Add cmd.", "the extension %q of type stdio has no cmd", x.Name)
	case x.Type == "streamable_http" && x.URI == "":
		e.fail(code, node.Range, "Add uri.", "the extension %q of type streamable_http has no uri", x.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(x.Envs)) {
		if slices.Contains(dropped, name) {
			e.warn("env-dropped", node.Get("envs").Field(name).Range, "Set it in a script that cmd starts.", "goose does not hand %s to an extension", name)
		}
	}
	e.checkTools(node, x)
}

// checkTools warns about names that give no tool, and about lists that give
// more than they seem to.
func (e *encoder) checkTools(node *schema.Node, x schema.GooseExtension) {
	known, ships := extensionTools[x.Type]
	names, isKnown := known[x.Name]
	if ships && !isKnown {
		detail := "Possible here: " + strings.Join(slices.Sorted(maps.Keys(known)), ", ") + "."
		if near := schema.Nearest(x.Name, slices.Collect(maps.Keys(known))); near != "" {
			detail = "Did you mean " + near + "? " + detail
		}
		e.warn("unknown-extension", node.Get("name").Range, detail, "goose has no %s extension %q and gives no tools for it", x.Type, x.Name)
	}
	if x.AvailableTools != nil && len(x.AvailableTools) == 0 {
		e.out.Use("goose.extensions#all-tools", x.Name, node.Get("available_tools").Range)
	}
	for i, tool := range x.AvailableTools {
		at := node.Get("available_tools").Items[i].Range
		if bare, ok := strings.CutPrefix(tool, x.Name+"__"); ok {
			e.warn("unknown-native-tool", at, "Write "+bare+": goose wants the bare name.", "%q is no tool of the extension %q", tool, x.Name)
		} else if names != nil && !slices.Contains(names, tool) {
			e.warn("unknown-native-tool", at, "Possible here: "+strings.Join(names, ", ")+".", "%q is no tool of the extension %q", tool, x.Name)
		}
	}
	if e.a.ReadOnly() {
		e.keepReading(node, x, names)
	}
}

// keepReading holds the tools of an extension that comes with the client
// against access: read-only. What defaults gave is noted, since taking it away
// would leave an empty list, which means every tool.
func (e *encoder) keepReading(node *schema.Node, x schema.GooseExtension, names []string) {
	at := node.Range
	given := x.AvailableTools
	if len(given) == 0 {
		given = names
	} else {
		at = node.Get("available_tools").Range
	}
	for _, tool := range given {
		verb, known := tools.Verb(tool)
		if !known || !verb.Mutating() || verb == schema.Shell && providers.AllowsShell(e.a) || !slices.Contains(names, tool) {
			continue
		}
		if e.a.Rank("goose.extensions") == schema.FromBlock {
			e.fail(schema.CodeToolConflict, at, "Name the tools that only read in available_tools, or set access: workspace-write.",
				"%q is read-only and the extension %q gives it %s, which can write", e.a.Name, x.Name, tool)
			return
		}
		e.out.Use("goose.extensions#writes", x.Name+": "+tool, at)
	}
}

// checkResponse says whether goose can read the answer's JSON Schema.
func (e *encoder) checkResponse() bool {
	node := e.block.Response.JSONSchema.Node
	if node == nil {
		return false // the manifest's schema has said so
	}
	if d := providers.NoNulls(node); d != nil {
		d.Detail = `Write type: "null" or another schema that admits it.`
		e.diags = append(e.diags, d)
		return false
	}
	if err := e.block.Response.Check(); err != nil {
		e.fail("bad-json-schema", node.Range, "Correct it: goose refuses the recipe. References may lead into the schema itself alone.",
			"response.json_schema is not a JSON Schema that goose can read: %v", err)
		return false
	}
	return true
}
