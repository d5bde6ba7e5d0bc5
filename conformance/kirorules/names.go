package kirorules

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// nameForm is the form that every engine takes. V3 alone takes more.
var nameForm = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]*$`)

// reserved names: V3 filters the first row from every source; the second are built-in agents. Third-party reading of
// shipped builds.
var reserved = []string{
	"vibe", "spec", "quick-spec", "bug-fix", "plan", "autonomous",
	"default", "kiro_default", "kiro_planner", "kiro_guide", "context-gatherer", "general-task-execution",
	"custom-agent-creator", "semantic_reviewer", "planner", "coder", "spec-task-execution",
}

func (c *checker) checkName(name string) {
	stem := strings.TrimSuffix(path.Base(c.file), path.Ext(c.file))
	switch {
	case name == "":
		c.broken("name-missing", "V2 requires a name that is not empty")
	case !nameForm.MatchString(name):
		c.broken("name-form", "%q is not of the form %s", name, nameForm)
	case name != stem:
		c.broken("name-stem", "V2 lists the name %q but looks for it in %s.json", name, name)
	}
	if slices.Contains(reserved, name) || strings.HasSuffix(name, "-workflow") {
		c.broken("name-reserved", "%q belongs to Kiro", name)
	}
}

// checkNamesakes reports names that several files carry.
func checkNamesakes(agents []Agent) []Problem {
	var problems []Problem
	first := map[string]Agent{}
	for _, agent := range agents {
		other, taken := first[agent.Name]
		switch {
		case !taken:
			first[agent.Name] = agent
		case path.Ext(other.File) != path.Ext(agent.File):
			problems = append(problems, Problem{
				agent.File, Uneven, "both-formats",
				"V2 reads the .json file; which of the two V3 takes is not documented (K#10750)",
			})
		default:
			problems = append(problems, Problem{agent.File, Broken, "name-twice", "the name " + agent.Name + " is also in " + other.File})
		}
	}
	return problems
}
