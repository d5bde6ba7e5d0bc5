package schema

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// What the expansion of one template may take, whatever its loops and functions
// multiply.
const (
	maxSteps = 20_000  // expressions and rounds of loops
	maxWork  = 4 << 20 // bytes of text, and elements, that functions and operators are given and give
)

// elementSize is what an element of a list or a map counts for.
const elementSize = 16

// A meter counts what an expansion takes.
type meter struct{ steps, work int }

// errMeter says that a meter has run out.
var errMeter = fmt.Errorf("a template may evaluate %d expressions and rounds of loops, and work on %d MiB", maxSteps, maxWork>>20)

const tooMuch = "the template does too much"

// overDetail says what to do about a meter that has run out.
func overDetail(err error) string { return "Put less into it: " + err.Error() + "." }

// step counts an expression or a round of a loop.
func (m *meter) step() error {
	if m.steps--; m.steps < 0 {
		return errMeter
	}
	return nil
}

// spend counts bytes and elements.
func (m *meter) spend(n int) error {
	if m.work -= n; m.work < 0 {
		return errMeter
	}
	return nil
}

// size is what a value counts for.
func size(v cty.Value) int {
	switch {
	case v == cty.NilVal || v.IsNull() || !v.IsKnown():
		return 1
	case v.Type() == cty.String:
		return len(v.AsString()) + 1
	case !v.CanIterateElements():
		return 1
	}
	n := 1
	for it := v.ElementIterator(); it.Next(); {
		key, item := it.Element()
		n += elementSize + size(item)
		if key.Type() == cty.String {
			n += len(key.AsString())
		}
	}
	return n
}

// function makes a function count what it is given and what it gives.
func (m *meter) function(name string, f function.Function) function.Function {
	return function.New(&function.Spec{
		Params:   f.Params(),
		VarParam: f.VarParam(),
		Type:     f.ReturnTypeForValues,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			for _, arg := range args {
				if err := m.spend(size(arg)); err != nil {
					return cty.NilVal, err
				}
			}
			if err := m.spend(growth(name, args)); err != nil {
				return cty.NilVal, err
			}
			v, err := f.Call(args)
			if err == nil {
				err = m.spend(size(v))
			}
			return v, err
		},
	})
}

// growth is what a function makes of its arguments, beyond their own size,
// where that can be far more.
func growth(name string, args []cty.Value) int {
	switch name {
	case "replace":
		text, old, with := args[0].AsString(), args[1].AsString(), args[2].AsString()
		return strings.Count(text, old) * len(with)
	case "join":
		n := 0
		for _, list := range args[1:] {
			n += list.LengthInt()
		}
		return n * len(args[0].AsString())
	case "distinct":
		n := args[0].LengthInt()
		return n * n
	}
	return 0
}

// watchParts makes the expressions of a template count.
func (m *meter) watchParts(parts []templatePart) {
	for _, part := range parts {
		if part.expr != nil {
			m.watch(part.expr)
		}
		m.watchParts(part.body)
		m.watchParts(part.els)
	}
}

// watch makes an expression count the rounds of its loops, and what its
// operators and texts put together.
func (m *meter) watch(e hclsyntax.Expression) {
	hclsyntax.VisitAll(e, func(n hclsyntax.Node) hcl.Diagnostics { //nolint:errcheck // the visitor has no problems to give back
		switch n := n.(type) {
		case *hclsyntax.ForExpr:
			m.wrap(&n.ValExpr)
			m.wrap(&n.KeyExpr)
			m.wrap(&n.CondExpr)
		case *hclsyntax.SplatExpr:
			m.wrap(&n.Each)
		case *hclsyntax.BinaryOpExpr:
			m.wrap(&n.LHS)
			m.wrap(&n.RHS)
		case *hclsyntax.ConditionalExpr:
			m.wrap(&n.TrueResult)
			m.wrap(&n.FalseResult)
		case *hclsyntax.TemplateExpr:
			for i := range n.Parts {
				m.wrap(&n.Parts[i])
			}
		}
		return nil
	})
}

func (m *meter) wrap(e *hclsyntax.Expression) {
	if _, done := (*e).(counted); *e != nil && !done {
		*e = counted{&hclsyntax.ParenthesesExpr{Expression: *e, SrcRange: (*e).Range()}, m}
	}
}

// counted is an expression that counts each time it is evaluated.
type counted struct {
	*hclsyntax.ParenthesesExpr
	meter *meter
}

// Value evaluates the expression unless too much has been evaluated already.
func (c counted) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	err := c.meter.step()
	if err == nil {
		v, diags := c.Expression.Value(ctx)
		if diags.HasErrors() {
			return v, diags
		}
		if err = c.meter.spend(size(v)); err == nil {
			return v, diags
		}
	}
	at := c.Range()
	return cty.DynamicVal, hcl.Diagnostics{{Severity: hcl.DiagError, Summary: tooMuch, Detail: overDetail(err), Subject: &at}}
}
