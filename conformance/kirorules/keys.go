package kirorules

import (
	"maps"
	"slices"
)

// key is what is known about one key of an agent file.
type key struct {
	formats format
	check   func(c *checker, name string, value any)
	// uneven says why a file with this key is not the same to every reader, per format; "" if it is.
	json, markdown string
}

const both = inJSON | inMarkdown

const (
	v2Only    = "V3 strips it"
	v3Only    = "V2 knows the field only from about 2.21 and refuses the file before (KC#8776)"
	hooksNote = "the engines want different shapes, and V3 registers neither (K#10003, KC#11116)"
)

// keys is the union of the fields that either engine reads. "$schema" and toolSchema, which are Kiro's own, are left out
// on purpose: a rendered file has no use for them.
var keys = map[string]key{
	"name":             {formats: both, check: isText},
	"description":      {formats: both, check: isText},
	"prompt":           {formats: inJSON, check: isText},
	"tools":            {formats: both, check: isToolList},
	"model":            {formats: both, check: isModel},
	"allowedTools":     {formats: inJSON, check: isAllowedTools, json: v2Only},
	"toolAliases":      {formats: inJSON, check: isTextMap, json: v2Only},
	"toolsSettings":    {formats: inJSON, check: isToolsSettings, json: v2Only},
	"resources":        {formats: both, check: isResources},
	"hooks":            {formats: both, check: isHooks, json: hooksNote, markdown: hooksNote},
	"mcpServers":       {formats: both, check: isServers},
	"includeMcpJson":   {formats: both, check: isBool},
	"permissions":      {formats: both, check: isPermissions, json: v3Only},
	"excludedTools":    {formats: both, check: isTextList, json: v3Only},
	"includePowers":    {formats: both, check: isBool, json: v3Only},
	"effortLevel":      {formats: both, check: isText, json: v3Only, markdown: "effortLevel is not documented"},
	"dispatchKind":     {formats: both, check: oneOf("sub-agent", "custom-agent", "spec"), json: v3Only, markdown: "dispatchKind is not documented"},
	"welcomeMessage":   {formats: both, check: isText},
	"keyboardShortcut": {formats: inJSON, check: isText, json: v2Only},
}

func (c *checker) checkKeys(object map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		value := object[name]
		known, ok := keys[name]
		switch {
		case !ok:
			c.broken("unknown-key", "%s is no field of an agent: V2 refuses the file, V3 strips the field", name)
			continue
		case known.formats&c.format == 0:
			c.broken("wrong-format", "%s has no effect in this format: V3 strips it", name)
			continue
		case value == nil:
			c.broken("null", "%s is null, which V3 takes for some keys only, in JSON only, and from CLI 2.19 only", name)
			continue
		}
		known.check(c, name, value)
		note := known.json
		if c.format == inMarkdown {
			note = known.markdown
		}
		if note != "" {
			c.uneven("version-dependent", "%s: %s", name, note)
		}
	}
	c.checkTogether(object)
}

// checkTogether holds the rules about more than one key.
func (c *checker) checkTogether(object map[string]any) {
	if tools, ok := object["tools"].([]any); object["tools"] == nil || ok && len(tools) == 0 {
		c.broken("tools-missing", "without tools an agent has none, in both engines")
	}
	if description, _ := object["description"].(string); description == "" {
		c.broken("description-missing", "the delegating model chooses by the description, and there is none")
	}
	if c.format != inJSON {
		return
	}
	if object["permissions"] == nil && (object["allowedTools"] != nil || object["toolsSettings"] != nil) {
		c.broken("skipped-by-v3", "V3 skips a file with allowedTools or toolsSettings and without permissions (K#10733)")
	}
	c.checkAllowed(object)
}

func (c *checker) wrongType(name, want string) {
	c.broken("type", "%s must be %s: V2 refuses the file, V3 drops it (K#11411)", name, want)
}

func isText(c *checker, name string, value any) {
	if _, ok := value.(string); !ok {
		c.wrongType(name, "a string")
	}
}

func isBool(c *checker, name string, value any) {
	if _, ok := value.(bool); !ok {
		c.wrongType(name, "true or false")
	}
}

func isTextList(c *checker, name string, value any) { c.texts(name, value) }

// texts returns a list of strings, and complains about anything else.
func (c *checker) texts(name string, value any) []string {
	list, ok := value.([]any)
	var texts []string
	for _, item := range list {
		text, isString := item.(string)
		ok = ok && isString
		texts = append(texts, text)
	}
	if !ok {
		c.wrongType(name, "a list of strings")
	}
	return texts
}

func isTextMap(c *checker, name string, value any) {
	object, ok := value.(map[string]any)
	for _, item := range object {
		_, isString := item.(string)
		ok = ok && isString
	}
	if !ok {
		c.wrongType(name, "a map of strings")
	}
}

// object returns a map, and complains about anything else.
func (c *checker) object(name string, value any) map[string]any {
	object, ok := value.(map[string]any)
	if !ok {
		c.wrongType(name, "an object")
	}
	return object
}

// fields checks the fields of an object against a table; what the table does not name is unknown.
func (c *checker) fields(name string, object map[string]any, known map[string]func(*checker, string, any)) {
	for _, field := range slices.Sorted(maps.Keys(object)) {
		if check, ok := known[field]; ok {
			check(c, name+"."+field, object[field])
		} else {
			c.broken("unknown-key", "%s.%s is not known", name, field)
		}
	}
}
