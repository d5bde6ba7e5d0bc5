// Package kirorules checks a directory of Kiro agent files against what is known of Kiro's loaders.
//
// Kiro's client is proprietary, needs a login and is in no package registry, so no real client can be run here. What
// stands in for it are the rules that its documentation, the published agent schemas and reports from users add up
// to. Two engines read the files, and a file that is to serve both must satisfy both: V2 (kiro-cli 1.x and 2.x,
// headless runs, "kiro-cli agent list") reads JSON only and refuses fields it does not know; V3 (kiro-cli 3.x, IDE
// 1.x, Web) reads JSON and Markdown, strips what it does not know and drops a file on any value of a wrong type.
//
// A clean result means "checked by rules, not by the client", and a report must say so.
//
// Sources: https://kiro.dev/docs/custom-agents/configuration-reference/, https://kiro.dev/docs/cli/v3/agent-config/,
// https://kiro.dev/docs/tools/, the Amazon Q agent-v1.json schema and loader (aws/amazon-q-developer-cli,
// crates/chat-cli/src/cli/agent), and the issues of kirodotdev/Kiro named at each rule as K#n.
package kirorules

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Level says what a broken rule costs.
type Level string

const (
	// Broken files are bad for somebody: a known build refuses the file, drops it, or takes something else from it than it says.
	Broken Level = "broken"
	// Uneven files load, but one of the engines gives a key no effect, or only some builds take it.
	Uneven Level = "uneven"
)

// Problem is one broken rule.
type Problem struct {
	File  string
	Level Level
	Rule  string // stable code
	Text  string
}

func (p Problem) String() string {
	return fmt.Sprintf("%s: %s: %s (%s)", p.File, p.Level, p.Text, p.Rule)
}

// Agent is a file as Kiro would read it. Prompt is the JSON key, or the Markdown body as it stands; V3 trims it.
type Agent struct {
	File                      string
	Name, Description, Prompt string
	Keys                      map[string]any // everything else too, decoded
}

// Check reads every file below the root of fsys, which is a .kiro/agents directory.
func Check(fsys fs.FS) ([]Agent, []Problem, error) {
	var agents []Agent
	var problems []Problem
	err := fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		agent, found := checkFile(name, data)
		if agent != nil {
			agents = append(agents, *agent)
		}
		problems = append(problems, found...)
		return nil
	})
	problems = append(problems, checkNamesakes(agents)...)
	slices.SortFunc(problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Text, b.Text))
	})
	return agents, problems, err
}

// checkFile reads one file. It returns no agent for a file that no engine would read.
func checkFile(name string, data []byte) (*Agent, []Problem) {
	c := &checker{file: name}
	var keys map[string]any
	var body *string
	switch path.Ext(name) {
	case ".json":
		c.format, keys = inJSON, c.decodeJSON(data)
	case ".md":
		c.format = inMarkdown
		keys, body = c.decodeMarkdown(data)
	default:
		c.broken("stray-file", "no engine reads this file")
	}
	if strings.Contains(name, "/") {
		c.broken("nested", "V2 reads the top level only")
	}
	if keys == nil {
		return nil, c.problems
	}
	c.checkKeys(keys)
	agent := &Agent{File: name, Keys: keys}
	agent.Name, _ = keys["name"].(string)
	agent.Description, _ = keys["description"].(string)
	agent.Prompt, _ = keys["prompt"].(string)
	if body != nil {
		agent.Prompt = *body
	}
	c.checkName(agent.Name)
	c.checkPrompt(agent.Prompt)
	return agent, c.problems
}

// checker collects the problems of one file.
type checker struct {
	file     string
	format   format
	problems []Problem
}

type format int

const (
	inJSON format = 1 << iota
	inMarkdown
)

func (c *checker) broken(rule, text string, args ...any) { c.add(Broken, rule, text, args) }
func (c *checker) uneven(rule, text string, args ...any) { c.add(Uneven, rule, text, args) }

func (c *checker) add(level Level, rule, text string, args []any) {
	c.problems = append(c.problems, Problem{File: c.file, Level: level, Rule: rule, Text: fmt.Sprintf(text, args...)})
}

func (c *checker) checkPrompt(prompt string) {
	if strings.HasPrefix(prompt, "file://") {
		c.broken("file-prompt", "a prompt that starts with file:// names a file, and each engine and version looks for it elsewhere (K#11257, K#7776)")
	}
}
