package schema

import (
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// functions are what a template may call: pure functions of their arguments.
// None reads a file, the clock or the environment.
var functions = map[string]function.Function{
	"upper": stdlib.UpperFunc, "lower": stdlib.LowerFunc, "title": stdlib.TitleFunc,
	"trim": stdlib.TrimFunc, "trimspace": stdlib.TrimSpaceFunc, "trimprefix": stdlib.TrimPrefixFunc, "trimsuffix": stdlib.TrimSuffixFunc,
	"chomp": stdlib.ChompFunc, "replace": stdlib.ReplaceFunc, "split": stdlib.SplitFunc, "join": stdlib.JoinFunc,
	"strlen": stdlib.StrlenFunc, "substr": stdlib.SubstrFunc, "sort": stdlib.SortFunc, "reverse": stdlib.ReverseListFunc,
	"length": stdlib.LengthFunc, "contains": stdlib.ContainsFunc, "concat": stdlib.ConcatFunc, "distinct": stdlib.DistinctFunc,
	"compact": stdlib.CompactFunc, "coalesce": stdlib.CoalesceFunc, "element": stdlib.ElementFunc, "keys": stdlib.KeysFunc,
	"values": stdlib.ValuesFunc, "lookup": stdlib.LookupFunc, "merge": stdlib.MergeFunc,
	"jsonencode": stdlib.JSONEncodeFunc, "jsondecode": stdlib.JSONDecodeFunc,
}

// scope is what a template sees: variables, and functions beyond those that
// every template can call.
type scope struct {
	variables map[string]cty.Value
	functions map[string]function.Function
	size      int // of what the manifest gave the variables
}

// variables are the values of a manifest as expressions see them.
type variables struct {
	value cty.Value
	size  int
}

func variablesOf(n *Node) variables {
	if n == nil {
		return variables{cty.EmptyObjectVal, 0}
	}
	v := ctyOf(n)
	return variables{v, size(v)}
}

// packScope is what the name and the description of an expanded entry see.
func packScope(p *Pack) scope {
	s := scope{variables: map[string]cty.Value{}}
	s.pack(p)
	return s
}

// pack adds what a template sees of the pack that it is expanded for.
func (s *scope) pack(p *Pack) {
	vars := variablesOf(p.Vars.Node)
	s.size += vars.size
	s.variables["pack"] = cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal(p.ID), "stability": cty.StringVal(p.Stability), "vars": vars.value})
}

// agentScope is what a body sees.
func agentScope(a *Agent, native func(Verb) []string) scope {
	vars := a.Entry.base.vars()
	s := scope{
		variables: map[string]cty.Value{
			"provider": cty.StringVal(string(a.Provider)),
			"var":      vars.value,
			"agent": cty.ObjectVal(map[string]cty.Value{
				"name": cty.StringVal(a.Name), "slug": cty.StringVal(a.Slug), "title": cty.StringVal(a.Title),
				"description": cty.StringVal(a.Description), "role": cty.StringVal(a.Role), "kind": cty.StringVal(a.Kind),
				"access": cty.StringVal(a.Access), "tier": cty.StringVal(a.Tier), "effort": cty.StringVal(a.Effort),
			}),
		},
		functions: map[string]function.Function{"tool": toolFunction(native)},
		size:      vars.size,
	}
	if a.Entry.Pack != nil {
		s.pack(a.Entry.Pack)
	}
	return s
}

// toolFunction gives what the host calls a verb, or the verb where the host
// has no name for it.
func toolFunction(native func(Verb) []string) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "verb", Type: cty.String}},
		Type:   function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			verb := Verb(args[0].AsString())
			if !slices.Contains(Verbs(), verb) {
				return cty.NilVal, function.NewArgErrorf(0, "%q is not a neutral verb", verb)
			}
			if names := native(verb); len(names) > 0 {
				return cty.StringVal(strings.Join(names, ", ")), nil
			}
			return cty.StringVal(string(verb)), nil
		},
	})
}

// ctyOf gives a value of the manifest as the expressions see it.
func ctyOf(n *Node) cty.Value {
	switch n.Kind {
	case Bool:
		return cty.BoolVal(n.Bool)
	case Int:
		return cty.NumberIntVal(n.Int)
	case Float:
		return cty.NumberFloatVal(n.Float)
	case String:
		return cty.StringVal(n.Str)
	case List:
		items := make([]cty.Value, len(n.Items))
		for i, item := range n.Items {
			items[i] = ctyOf(item)
		}
		return cty.TupleVal(items)
	case Map:
		fields := make(map[string]cty.Value, len(n.Fields))
		for _, f := range n.Fields {
			fields[f.Key] = ctyOf(f.Value)
		}
		return cty.ObjectVal(fields)
	}
	return cty.NullVal(cty.DynamicPseudoType)
}
