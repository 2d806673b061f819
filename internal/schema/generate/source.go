package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
)

// source is a package of ours without what was generated, type-checked as far as that goes without its imports.
type source struct {
	*types.Package
	declared map[string]bool // functions without a receiver
}

// absent stands for every imported package: it has nothing in it.
type absent struct{}

func (absent) Import(path string) (*types.Package, error) {
	p := types.NewPackage(path, filepath.Base(path))
	p.MarkComplete()
	return p, nil
}

// read parses the files of a package. Type errors are expected because imports are not loaded; no field that is
// converted has an imported type.
func read(dir string) (*source, error) {
	set, s := token.NewFileSet(), &source{declared: map[string]bool{}}
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(names) == 0 {
		return nil, fmt.Errorf("no Go files in %s: %v", dir, err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, ".gen.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
		for _, d := range f.Decls {
			if f, is := d.(*ast.FuncDecl); is && f.Recv == nil {
				s.declared[f.Name.Name] = true
			}
		}
	}
	config := types.Config{Importer: absent{}, IgnoreFuncBodies: true, Error: func(error) {}}
	s.Package, _ = config.Check(filepath.Base(dir), set, files, nil)
	return s, nil
}

// structure returns the type of that name, which must be a struct.
func (s *source) structure(name string) (*types.Struct, error) {
	if found := s.Scope().Lookup(name); found != nil {
		if is, ok := found.Type().Underlying().(*types.Struct); ok {
			return is, nil
		}
	}
	return nil, fmt.Errorf("%s has no struct %s", s.Name(), name)
}

// last returns the name of the greatest constant of an enumeration.
func (s *source) last(enum types.Type) (name string) {
	greatest := int64(-1)
	for _, n := range s.Scope().Names() {
		if c, is := s.Scope().Lookup(n).(*types.Const); is && types.Identical(c.Type(), enum) {
			if v, exact := constant.Int64Val(c.Val()); exact && v > greatest {
				name, greatest = n, v
			}
		}
	}
	return name
}
