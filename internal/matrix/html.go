package matrix

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/seed-337579fc/subagents/providers"
)

//go:embed page
var assets embed.FS

// scripts are the parts of the page's program, in order.
var scripts = []string{"data.js", "highlight.js", "dialogs.js", "table.js", "main.js"}

var page = template.Must(template.ParseFS(assets, "page/page.html"))

// A Page says what stands around the matrix on the page of HTML.
type Page struct {
	Manifest string // what it is the matrix of, for people
}

// HTML writes the matrix as one page that needs nothing beside itself: it loads
// from a file, and its own policy forbids it every request.
func (m *Matrix) HTML(w io.Writer, about Page) error {
	data, err := m.pageData()
	if err != nil {
		return err
	}
	encoded, err := json.Marshal(data) // which escapes <, so that no text can end the script element
	if err != nil {
		return fmt.Errorf("encoding the matrix: %w", err)
	}
	style, script := asset("page.css"), program()
	grids := m.grids()
	return page.Execute(w, map[string]any{
		"About":   about,
		"Matrix":  m,
		"Levels":  levels,
		"Tags":    m.tags(),
		"Tallies": m.tallyRows(grids),
		"Data":    template.JS(encoded),
		"Style":   template.CSS(style),
		"Script":  template.JS(script),
		"Policy":  policy(style, script),
	})
}

func asset(name string) string {
	data, err := assets.ReadFile("page/" + name)
	if err != nil {
		panic(err) // an embedded file that is not there is a mistake of ours
	}
	return string(data)
}

// program puts the parts together in a scope of their own.
func program() string {
	var b strings.Builder
	b.WriteString("(() => {\n'use strict';\n")
	for _, name := range scripts {
		b.WriteString(asset(name))
	}
	b.WriteString("})();\n")
	return b.String()
}

// policy lets the browser run the one script and apply the one style sheet, and
// load nothing.
func policy(style, script string) string {
	hash := func(s string) string {
		sum := sha256.Sum256([]byte(s))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return fmt.Sprintf("default-src 'none'; style-src %s; script-src %s; base-uri 'none'; form-action 'none'", hash(style), hash(script))
}

// A pageLevel is a level with its sign and its meaning.
type pageLevel struct {
	Level   providers.Level `json:"level"`
	Sign    string          `json:"sign"`
	Meaning string          `json:"meaning"`
}

var levels = []pageLevel{
	{providers.Enforced, "●", "the host applies it"},
	{providers.Advisory, "◐", "the host takes it and does not enforce it"},
	{providers.Inherited, "↑", "the parent session decides"},
	{providers.Unsupported, "○", "there is no place for it; it is left out"},
}

// tags counts the subagents of each tag, in the order of first use.
func (m *Matrix) tags() []pageTag {
	var list []pageTag
	at := map[string]int{}
	for _, s := range m.Subagents {
		for _, tag := range s.Tags {
			if _, known := at[tag]; !known {
				at[tag] = len(list)
				list = append(list, pageTag{Name: tag})
			}
			list[at[tag]].Count++
		}
	}
	return list
}

type pageTag struct {
	Name  string
	Count int
}
