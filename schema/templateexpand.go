package schema

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
)

// expandText evaluates a text of the manifest as a template. What it says
// literally comes out byte for byte; what it interpolates is in Unicode normal
// form C, as the expression language has it. Problems point into the text where
// it stands in the file.
func expandText(at *Node, s scope) (string, hcl.Diagnostics) {
	text := at.template()
	x := expander{at: *at, scope: s, meter: &meter{steps: maxSteps, work: maxWork}}
	x.at.Str = text // which the places are about
	parts, diags := parseTemplate(text, at.Range.Filename)
	if s.size > maxWork {
		x.fail(byteRange(0, 0), "the variables hold too much for a template", "Take out what no template needs.")
	}
	if !diags.HasErrors() && !x.diags.HasErrors() {
		x.meter.watchParts(parts)
		x.expand(parts, x.context())
	}
	x.report(diags)
	if x.diags.HasErrors() {
		return "", x.diags
	}
	return x.out.String(), nil
}

type expander struct {
	at    Node
	scope scope
	out   strings.Builder
	meter *meter
	diags hcl.Diagnostics
	over  bool // a bound was passed: nothing more is looked at
}

// context makes what expressions see, with functions that count.
func (x *expander) context() *hcl.EvalContext {
	ctx := &hcl.EvalContext{Variables: x.scope.variables, Functions: map[string]function.Function{}}
	maps.Copy(ctx.Functions, x.scope.functions)
	for name, f := range functions {
		ctx.Functions[name] = x.meter.function(name, f)
	}
	return ctx
}

// report takes over problems of the expression language, moved from the text to
// the file.
func (x *expander) report(diags hcl.Diagnostics) {
	for _, d := range diags {
		where := x.at.Range
		if d.Subject != nil {
			where = x.at.PosIn(d.Subject.Start.Byte, d.Subject.End.Byte)
		}
		detail := expressionDetail(d, x.at.Str, append(slices.Collect(maps.Keys(functions)), slices.Collect(maps.Keys(x.scope.functions))...), slices.Collect(maps.Keys(x.scope.variables)))
		x.diags = append(x.diags, Problem(CodeTemplate, where, "in the template: "+d.Summary, detail))
	}
}

func (x *expander) fail(at hcl.Range, summary, detail string) {
	x.report(hcl.Diagnostics{{Severity: hcl.DiagError, Summary: summary, Detail: detail, Subject: &at}})
}

// expand writes parts one after the other. A part with a problem leaves nothing,
// and the others are looked at all the same.
func (x *expander) expand(parts []templatePart, ctx *hcl.EvalContext) {
	for _, part := range parts {
		if x.over {
			return
		}
		switch part.kind {
		case partLiteral:
			x.write(part.text)
		case partValue:
			x.value(part.expr, ctx)
		case partIf:
			x.branch(part, ctx)
		case partFor:
			x.loop(part, ctx)
		}
	}
}

func (x *expander) write(text string) {
	if x.out.Len()+len(text) > maxBytes {
		x.over = true
		x.diags = append(x.diags, Problem(CodeTemplate, x.at.Range, "in the template: it grows out of bounds", fmt.Sprintf("A body has %d MiB at most.", maxBytes>>20)))
		return
	}
	x.out.WriteString(text)
}

// evaluate gives the value of an expression; not ok with a problem.
func (x *expander) evaluate(e hclsyntax.Expression, ctx *hcl.EvalContext) (cty.Value, bool) {
	if err := x.meter.step(); err != nil {
		x.over = true
		x.fail(e.Range(), tooMuch, overDetail(err))
		return cty.NilVal, false
	}
	v, diags := e.Value(ctx)
	x.report(diags)
	x.over = x.meter.steps < 0 || x.meter.work < 0
	return v, !diags.HasErrors()
}

// value writes what an expression comes to.
func (x *expander) value(e hclsyntax.Expression, ctx *hcl.EvalContext) {
	v, ok := x.evaluate(e, ctx)
	if !ok {
		return
	}
	text, err := convert.Convert(v, cty.String)
	if err != nil || text.IsNull() || !text.IsKnown() {
		x.fail(e.Range(), "this does not come to a text", "Interpolate a text, a number or a boolean; join() makes a text of a list.")
		return
	}
	x.write(text.AsString())
}

func (x *expander) branch(part templatePart, ctx *hcl.EvalContext) {
	v, ok := x.evaluate(part.expr, ctx)
	if !ok {
		return
	}
	v, err := convert.Convert(v, cty.Bool)
	switch {
	case err != nil || v.IsNull() || !v.IsKnown():
		x.fail(part.expr.Range(), "the condition is neither true nor false", "Compare with == or !=.")
	case v.True():
		x.expand(part.body, ctx)
	default:
		x.expand(part.els, ctx)
	}
}

func (x *expander) loop(part templatePart, ctx *hcl.EvalContext) {
	items, ok := x.evaluate(part.expr, ctx)
	if !ok {
		return
	}
	if items.IsNull() || !items.CanIterateElements() {
		x.fail(part.expr.Range(), "this is nothing to go through", "Name a list or a map.")
		return
	}
	// A problem in the body is told once, not for each item.
	for it, before := items.ElementIterator(), len(x.diags); it.Next() && len(x.diags) == before; {
		if err := x.meter.step(); err != nil {
			x.over = true
			x.fail(part.expr.Range(), tooMuch, overDetail(err))
			return
		}
		key, value := it.Element()
		child := ctx.NewChild()
		child.Variables = map[string]cty.Value{part.val: value}
		if part.key != "" {
			child.Variables[part.key] = key
		}
		x.expand(part.body, child)
	}
}
