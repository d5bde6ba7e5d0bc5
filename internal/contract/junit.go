package contract

import (
	"encoding/xml"
	"io"
)

// The elements of a JUnit report that readers agree on.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		File    string        `xml:"file,attr"`
		Line    int           `xml:"line,attr"`
		Failure *junitFailure `xml:"failure,omitempty"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// WriteJUnit writes suites as a JUnit XML report, a suite for each contract.
func WriteJUnit(w io.Writer, suites []*Suite) error {
	doc := junitSuites{}
	for _, s := range suites {
		out := junitSuite{Name: s.File, Tests: len(s.Cases), Failures: s.Failed()}
		for _, c := range s.Cases {
			one := junitCase{Name: c.Name, Class: s.File, File: c.At.Filename, Line: c.At.Start.Line}
			if c.Problem != "" {
				one.Failure = &junitFailure{Message: c.Problem, Text: c.place() + ": " + c.Name + ": " + c.Problem}
			}
			out.Cases = append(out.Cases, one)
		}
		doc.Tests += out.Tests
		doc.Failures += out.Failures
		doc.Suites = append(doc.Suites, out)
	}
	data, err := xml.MarshalIndent(doc, "", "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, xml.Header+string(data)+"\n")
	return err
}
