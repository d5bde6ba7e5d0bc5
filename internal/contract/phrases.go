package contract

import (
	"fmt"
	"strings"

	"github.com/seed-337579fc/subagents/schema"
)

// fold makes every run of white space one space, so that a phrase is found
// wherever its lines are broken.
func fold(text string) string { return strings.Join(strings.Fields(text), " ") }

// phrases checks what a body says, on every host it is rendered for.
func (k *checker) phrases(who string, want *schema.Node, files []native) {
	for _, phrase := range want.Get("required").List() {
		k.inBodies(who, phrase, files, "has", func(body string) string {
			if strings.Contains(body, fold(phrase.Text())) {
				return ""
			}
			return "it is not there"
		})
	}
	for _, phrase := range want.Get("forbidden").List() {
		k.inBodies(who, phrase, files, "does not have", func(body string) string {
			before, _, found := strings.Cut(body, fold(phrase.Text()))
			if !found {
				return ""
			}
			return fmt.Sprintf("it stands after %q", end(before))
		})
	}
	order := want.Get("order").List()
	for i := range order {
		k.inBodies(who, order[i], files, "has in order", func(body string) string { return inOrder(body, order[:i+1]) })
	}
}

// inBodies adds the case of one phrase: it has to hold in every body.
func (k *checker) inBodies(who string, phrase *schema.Node, files []native, verb string, check func(body string) string) {
	problem := ""
	for _, n := range files {
		switch {
		case problem != "":
		case n.read == nil:
			problem = n.problem
		default:
			if problem = check(fold(n.read.Body)); problem != "" {
				problem += " in " + n.file.Path
			}
		}
	}
	if len(files) == 0 {
		problem = "it is rendered for no host"
	}
	k.add(phrase.Range, problem, "%s %s %q", who, verb, fold(phrase.Text()))
}

// inOrder says what is wrong with the last of some phrases, which has to follow
// the ones before it, each after the end of the other. A phrase that is missing
// before it is that one's problem.
func inOrder(body string, phrases []*schema.Node) string {
	rest := body
	for i, p := range phrases {
		_, after, found := strings.Cut(rest, fold(p.Text()))
		switch last := i == len(phrases)-1; {
		case found:
			rest = after
		case !last:
			continue
		case strings.Contains(body, fold(p.Text())):
			return fmt.Sprintf("it stands before %q", fold(phrases[i-1].Text()))
		default:
			return "it is not there"
		}
	}
	return ""
}

// end gives the last words of a text.
func end(text string) string {
	runes := []rune(strings.TrimSpace(text))
	if len(runes) > 40 {
		return "…" + string(runes[len(runes)-40:])
	}
	return string(runes)
}
