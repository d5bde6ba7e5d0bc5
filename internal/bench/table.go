//go:build unix

package main

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"
	"time"
)

// A row is a step with what it took.
type row struct {
	name  string
	usage usage
}

// A table prints rows, and keeps them for the exponents.
type table struct {
	out   io.Writer
	tab   *tabwriter.Writer
	names []string
	taken map[string]map[int]usage // step → size → what it took
}

func newTable(out io.Writer) *table {
	t := &table{out: out, tab: tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight), taken: map[string]map[int]usage{}}
	fmt.Fprintln(t.tab, "run\tsubagents\tCPU ms\twall ms\tpeak MiB\tCPU ÷ cp -r\t÷ read\t÷ (validate + read)\twall ÷ cp -r\t")
	return t
}

// rows prints the steps of one size, with their ratios.
func (t *table) rows(size string, rows []row) {
	of := map[string]usage{}
	for _, r := range rows {
		of[r.name] = r.usage
	}
	floor := of[stepValidate].CPU + of[stepRead].CPU
	if of[stepRead].CPU == 0 {
		floor = 0
	}
	for _, r := range rows {
		fmt.Fprintf(t.tab, "%s\t%s\t%.1f\t%.1f\t%.1f\t%s\t%s\t%s\t%s\t\n", r.name, size, ms(r.usage.CPU), ms(r.usage.Wall), float64(r.usage.RSS)/1024,
			ratio(r.usage.CPU, of[stepCopy].CPU), ratio(r.usage.CPU, of[stepRead].CPU), ratio(r.usage.CPU, floor), ratio(r.usage.Wall, of[stepCopy].Wall))
	}
}

func ratio(a, b time.Duration) string {
	if b == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", float64(a)/float64(b))
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func (t *table) remember(size int, rows []row) {
	for _, r := range rows {
		if t.taken[r.name] == nil {
			t.names = append(t.names, r.name)
			t.taken[r.name] = map[int]usage{}
		}
		t.taken[r.name][size] = r.usage
	}
}

// exponents ends the table and prints how each step grows from 100 subagents on.
func (t *table) exponents() error {
	if err := t.tab.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(t.tab, "\ngrows with the power, from 100 on\tCPU\twall\tpeak\t")
	for _, name := range t.names {
		at := t.taken[name]
		fmt.Fprintf(t.tab, "%s\t%.3f\t%.3f\t%.3f\t\n", name,
			exponent(at, func(u usage) float64 { return ms(u.CPU) }),
			exponent(at, func(u usage) float64 { return ms(u.Wall) }),
			exponent(at, func(u usage) float64 { return float64(u.RSS) }))
	}
	return t.tab.Flush()
}

// exponent fits a power of the size to what was taken, by least squares of the
// logarithms.
func exponent(taken map[int]usage, of func(usage) float64) float64 {
	var n, sx, sy, sxx, sxy float64
	for size, u := range taken {
		if size < 100 {
			continue
		}
		x, y := math.Log(float64(size)), math.Log(of(u))
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}
