package schema

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
)

// An Expression is a condition that stands in a manifest as a text, in the
// expression language of HCL. It calls the functions of templates and nothing
// else.
type Expression struct {
	at   *Node
	expr hclsyntax.Expression
}

// ParseExpression reads an expression from a text of a manifest.
func ParseExpression(n *Node) (*Expression, hcl.Diagnostics) {
	expr, diags := parseExpression(n.Str, n.Range.Filename, 0)
	e := &Expression{n, expr}
	if diags.HasErrors() {
		return nil, e.problems(diags)
	}
	if deep := deepLoops(expr); deep != nil {
		return nil, hcl.Diagnostics{Problem(CodeTemplate, n.PosIn(deep.Start.Byte, deep.End.Byte), "loops within loops within loops", "Two levels must do.")}
	}
	return e, nil
}

// problems moves problems of the expression language to where the text stands.
func (e *Expression) problems(diags hcl.Diagnostics) hcl.Diagnostics {
	var out hcl.Diagnostics
	for _, d := range diags {
		where := e.at.Range
		if d.Subject != nil {
			where = e.at.PosIn(d.Subject.Start.Byte, d.Subject.End.Byte)
		}
		out = append(out, Problem(CodeTemplate, where, "in the expression: "+d.Summary, expressionDetail(d, e.at.Str, slices.Collect(maps.Keys(functions)), nil)))
	}
	return out
}

// Keys lists the keys of a variable that the expression looks at: access, for
// level.access, level["access"] or lookup(level, "access", …).
func (e *Expression) Keys(variable string) []string {
	l := &lookupWalker{variable: variable}
	hclsyntax.Walk(e.expr, l) //nolint:errcheck // the walker has no problems to give back
	keys := l.keys
	for _, t := range e.expr.Variables() {
		if t.RootName() != variable || len(t) < 2 {
			continue
		}
		key := ""
		switch step := t[1].(type) {
		case hcl.TraverseAttr:
			key = step.Name
		case hcl.TraverseIndex:
			if step.Key.Type() == cty.String {
				key = step.Key.AsString()
			}
		}
		if key != "" && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// True evaluates the expression over variables, which must be values that
// encoding/json decodes into. It is an error if it is neither true nor false.
func (e *Expression) True(variables map[string]any) (bool, hcl.Diagnostics) {
	ctx := &hcl.EvalContext{Variables: map[string]cty.Value{}, Functions: map[string]function.Function{}}
	for name, v := range variables {
		ctx.Variables[name] = ctyValue(v)
	}
	for name, f := range functions {
		ctx.Functions[name] = f
	}
	v, diags := e.expr.Value(ctx)
	if diags.HasErrors() {
		return false, e.problems(diags)
	}
	v, err := convert.Convert(v, cty.Bool)
	if err != nil || v.IsNull() || !v.IsKnown() {
		return false, hcl.Diagnostics{Problem(CodeTemplate, e.at.Range, "the expression is neither true nor false", "Compare with == or !=.")}
	}
	return v.True(), nil
}

// ctyValue gives a plain value as the expressions see it.
func ctyValue(v any) cty.Value {
	switch v := v.(type) {
	case bool:
		return cty.BoolVal(v)
	case string:
		return cty.StringVal(v)
	case int64:
		return cty.NumberIntVal(v)
	case float64:
		return cty.NumberFloatVal(v)
	case []string:
		items := make([]cty.Value, len(v))
		for i, s := range v {
			items[i] = cty.StringVal(s)
		}
		return cty.TupleVal(items)
	case []any:
		items := make([]cty.Value, len(v))
		for i, item := range v {
			items[i] = ctyValue(item)
		}
		return cty.TupleVal(items)
	case map[string]any:
		fields := make(map[string]cty.Value, len(v))
		for key, item := range v {
			fields[key] = ctyValue(item)
		}
		return cty.ObjectVal(fields)
	case nil:
		return cty.NullVal(cty.DynamicPseudoType)
	}
	return cty.StringVal(fmt.Sprint(v))
}

// maxLoops is how many loops of an expression may stand within each other: what
// they take multiplies.
const maxLoops = 2

// deepLoops gives the place of a loop that stands within too many others.
func deepLoops(e hclsyntax.Expression) *hcl.Range {
	w := &loopWalker{}
	hclsyntax.Walk(e, w) //nolint:errcheck // the walker has no problems to give back
	return w.deep
}

type loopWalker struct {
	depth int
	deep  *hcl.Range
}

// Enter counts the loops that are open.
func (w *loopWalker) Enter(n hclsyntax.Node) hcl.Diagnostics {
	if _, ok := n.(*hclsyntax.ForExpr); ok {
		if w.depth++; w.depth > maxLoops && w.deep == nil {
			w.deep = new(n.Range())
		}
	}
	return nil
}

// Exit counts back.
func (w *loopWalker) Exit(n hclsyntax.Node) hcl.Diagnostics {
	if _, ok := n.(*hclsyntax.ForExpr); ok {
		w.depth--
	}
	return nil
}

// lookupWalker collects the keys that lookup() asks a variable for.
type lookupWalker struct {
	variable string
	keys     []string
}

// Enter looks at a call.
func (w *lookupWalker) Enter(n hclsyntax.Node) hcl.Diagnostics {
	call, ok := n.(*hclsyntax.FunctionCallExpr)
	if !ok || call.Name != "lookup" || len(call.Args) < 2 || hcl.ExprAsKeyword(call.Args[0]) != w.variable {
		return nil
	}
	if key, diags := call.Args[1].Value(nil); !diags.HasErrors() && key.Type() == cty.String && !key.IsNull() {
		w.keys = append(w.keys, key.AsString())
	}
	return nil
}

// Exit has nothing to do.
func (w *lookupWalker) Exit(hclsyntax.Node) hcl.Diagnostics { return nil }
