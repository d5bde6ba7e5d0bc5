package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
	"golang.org/x/text/unicode/norm"
)

// maxSteps bounds the loops of a template.
const maxSteps = 100_000

// functions are what a template may call: pure functions of their arguments.
// None reads a file, the clock or the environment, and none makes a long text
// from a short one.
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

// packContext is what the name and the description of an expanded entry see.
func packContext(p *Pack) *hcl.EvalContext {
	return &hcl.EvalContext{Variables: map[string]cty.Value{"pack": packValue(p)}, Functions: functions}
}

func packValue(p *Pack) cty.Value {
	vars := cty.EmptyObjectVal
	if p.Vars.Node != nil {
		vars = ctyOf(p.Vars.Node)
	}
	return cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal(p.ID), "stability": cty.StringVal(p.Stability), "vars": vars})
}

// agentContext is what a body sees.
func agentContext(a *Agent, native func(Verb) []string) *hcl.EvalContext {
	ctx := &hcl.EvalContext{Variables: map[string]cty.Value{
		"provider": cty.StringVal(string(a.Provider)),
		"var":      cty.EmptyObjectVal,
		"agent": cty.ObjectVal(map[string]cty.Value{
			"name": cty.StringVal(a.Name), "slug": cty.StringVal(a.Slug), "title": cty.StringVal(a.Title),
			"description": cty.StringVal(a.Description), "role": cty.StringVal(a.Role), "kind": cty.StringVal(a.Kind),
			"access": cty.StringVal(a.Access), "tier": cty.StringVal(a.Tier), "effort": cty.StringVal(a.Effort),
		}),
	}}
	if vars := a.Entry.base.doc.Vars; vars.Node != nil {
		ctx.Variables["var"] = ctyOf(vars.Node)
	}
	if a.Entry.Pack != nil {
		ctx.Variables["pack"] = packValue(a.Entry.Pack)
	}
	ctx.Functions = map[string]function.Function{"tool": toolFunction(native)}
	for name, f := range functions {
		ctx.Functions[name] = f
	}
	return ctx
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

// expandText evaluates a template. What it says literally comes out byte for
// byte; what it interpolates is in Unicode normal form C, as the expression
// language has it. Problems point into the text where it stands in the file.
func expandText(at *Node, text string, ctx *hcl.EvalContext) (string, hcl.Diagnostics) {
	src := []byte(text)
	expr, diags := hclsyntax.ParseTemplate(src, at.Range.Filename, hcl.InitialPos)
	x := expander{at: at, src: src}
	if !diags.HasErrors() {
		x.expand(expr, ctx)
	}
	x.report(diags)
	if x.diags.HasErrors() {
		return "", x.diags
	}
	return x.out.String(), nil
}

type expander struct {
	at    *Node
	src   []byte
	out   strings.Builder
	steps int
	diags hcl.Diagnostics
}

// report takes over problems of the expression language, moved from the text to
// the file.
func (x *expander) report(diags hcl.Diagnostics) {
	for _, d := range diags {
		where := x.at.Range
		if d.Subject != nil {
			where = x.at.PosIn(d.Subject.Start.Byte, d.Subject.End.Byte)
		}
		x.diags = append(x.diags, Problem(CodeTemplate, where, "in the template: "+d.Summary, d.Detail))
	}
}

func (x *expander) fail(e hclsyntax.Expression, summary, detail string) {
	r := e.Range()
	x.report(hcl.Diagnostics{{Severity: hcl.DiagError, Summary: summary, Detail: detail, Subject: &r}})
}

// expand writes an expression. It walks the parts of a template itself, so that
// literal text is taken from the source.
func (x *expander) expand(e hclsyntax.Expression, ctx *hcl.EvalContext) {
	if x.steps++; x.steps > maxSteps || x.out.Len() > maxBytes {
		if !x.diags.HasErrors() {
			x.fail(e, "the template grows out of bounds", fmt.Sprintf("It may take %d steps and grow to %d MiB.", maxSteps, maxBytes>>20))
		}
		return
	}
	switch e := e.(type) {
	case *hclsyntax.TemplateExpr:
		for _, part := range e.Parts {
			x.expand(part, ctx)
		}
	case *hclsyntax.TemplateWrapExpr:
		x.expand(e.Wrapped, ctx)
	case *hclsyntax.TemplateJoinExpr:
		if loop, ok := e.Tuple.(*hclsyntax.ForExpr); ok {
			x.loop(loop, ctx)
			return
		}
		x.value(e, ctx)
	case *hclsyntax.ConditionalExpr:
		x.branch(e, ctx)
	case *hclsyntax.LiteralValueExpr:
		x.literal(e)
	default:
		x.value(e, ctx)
	}
}

// literal writes literal text as the source has it.
func (x *expander) literal(e *hclsyntax.LiteralValueExpr) {
	if e.Val.Type() != cty.String {
		x.value(e, nil)
		return
	}
	text, ok := exactLiteral(e.Val.AsString(), string(e.SrcRange.SliceBytes(x.src)), unescapeTemplate)
	if !ok {
		x.fail(e, "this text cannot be kept as it is", "Write it in Unicode normal form C.")
	}
	x.out.WriteString(text)
}

func (x *expander) branch(e *hclsyntax.ConditionalExpr, ctx *hcl.EvalContext) {
	v, diags := e.Condition.Value(ctx)
	x.report(diags)
	if diags.HasErrors() {
		return
	}
	v, err := convert.Convert(v, cty.Bool)
	if err != nil || v.IsNull() || !v.IsKnown() {
		x.fail(e.Condition, "the condition is neither true nor false", "Compare with == or !=.")
		return
	}
	if v.True() {
		x.expand(e.TrueResult, ctx)
		return
	}
	x.expand(e.FalseResult, ctx)
}

func (x *expander) loop(e *hclsyntax.ForExpr, ctx *hcl.EvalContext) {
	items, diags := e.CollExpr.Value(ctx)
	x.report(diags)
	if diags.HasErrors() {
		return
	}
	if items.IsNull() || !items.CanIterateElements() {
		x.fail(e.CollExpr, "this is nothing to go through", "Name a list or a map.")
		return
	}
	for it := items.ElementIterator(); it.Next() && !x.diags.HasErrors(); {
		key, value := it.Element()
		child := ctx.NewChild()
		child.Variables = map[string]cty.Value{e.ValVar: value}
		if e.KeyVar != "" {
			child.Variables[e.KeyVar] = key
		}
		x.expand(e.ValExpr, child)
	}
}

// value writes what an expression comes to.
func (x *expander) value(e hclsyntax.Expression, ctx *hcl.EvalContext) {
	v, diags := e.Value(ctx)
	x.report(diags)
	if diags.HasErrors() {
		return
	}
	text, err := convert.Convert(v, cty.String)
	if err != nil || text.IsNull() || !text.IsKnown() {
		x.fail(e, "this does not come to a text", "Interpolate a text, a number or a boolean; join() makes a text of a list.")
		return
	}
	x.out.WriteString(text.AsString())
}

// exactLiteral gives the text of a literal as the source spells it, where value
// is that text in normal form C and without the white space that the template
// takes away at either end. It is not ok if the two do not fit together.
func exactLiteral(value, source string, unescape func(string) string) (string, bool) {
	if norm.NFC.IsNormalString(source) {
		return value, true
	}
	text := unescape(source)
	for _, candidate := range []string{text, strings.TrimLeft(text, " \t\r\n"), strings.TrimRight(text, " \t\r\n"), strings.TrimSpace(text)} {
		if norm.NFC.String(candidate) == value {
			return candidate, true
		}
	}
	return "", false
}

// unescapeTemplate undoes the two escapes of a template.
func unescapeTemplate(s string) string {
	return strings.NewReplacer("$${", "${", "%%{", "%{").Replace(s)
}
