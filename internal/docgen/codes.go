package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/seed-337579fc/subagents/providers/all"
)

const module = "github.com/seed-337579fc/subagents"

// A goPackage is what go list says of a package.
type goPackage struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
}

// codesInSource collects the codes that stand in the source of the program, by
// code, each with the places: every constant value of a type named Code, every
// exported text constant whose name begins so, and the notes of the hosts' tables.
// Only packages that the program is built from count.
func codesInSource(root string) (map[string][]string, error) {
	list, err := packagesOf(root, "./cmd/subagents")
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	for _, p := range list {
		exports[p.ImportPath] = p.Export
	}
	found := map[string][]string{}
	for _, p := range list {
		if p.ImportPath != module && !strings.HasPrefix(p.ImportPath, module+"/") {
			continue
		}
		if err := scan(p, exports, found); err != nil {
			return nil, fmt.Errorf("reading the codes of %s: %w", p.ImportPath, err)
		}
	}
	for _, p := range all.Providers {
		for _, c := range p.Facts().Capabilities {
			if c.Level != "enforced" || c.Code != "" {
				code := string(c.NoteCode())
				found[code] = append(found[code], "table of "+string(p.Facts().ID))
			}
		}
	}
	delete(found, "")
	return found, nil
}

// packagesOf lists a package and all that it imports, with their export data.
func packagesOf(root, pattern string) ([]goPackage, error) {
	cmd := exec.Command("go", "list", "-deps", "-export", "-json=ImportPath,Dir,Export,GoFiles", pattern)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var list []goPackage
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		switch err := d.Decode(&p); {
		case errors.Is(err, io.EOF):
			return list, nil
		case err != nil:
			return nil, fmt.Errorf("go list: %w", err)
		}
		list = append(list, p)
	}
}

// scan adds the codes of a package.
func scan(p goPackage, exports map[string]string, found map[string][]string) error {
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	open := func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: importer.ForCompiler(fset, "gc", open)}
	if _, err := conf.Check(p.ImportPath, fset, files, info); err != nil {
		return err
	}
	add := func(value constant.Value, at token.Pos) {
		if value == nil || value.Kind() != constant.String {
			return
		}
		place := fset.Position(at)
		text := fmt.Sprintf("%s:%d", filepath.Base(place.Filename), place.Line)
		if code := constant.StringVal(value); !slices.Contains(found[code], text) {
			found[code] = append(found[code], text)
		}
	}
	for expr, tv := range info.Types {
		if named, ok := tv.Type.(*types.Named); ok && named.Obj().Name() == "Code" {
			add(tv.Value, expr.Pos())
		}
	}
	for ident, object := range info.Defs {
		if c, ok := object.(*types.Const); ok && namesCode(ident.Name) {
			add(c.Val(), ident.Pos())
		}
	}
	return nil
}

// namesCode says whether a constant is named as codes are: CodeSyntax.
func namesCode(name string) bool {
	rest, ok := strings.CutPrefix(name, "Code")
	return ok && rest != "" && unicode.IsUpper(rune(rest[0]))
}
