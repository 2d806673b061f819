package arch

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const module = "aliquot"

// A tree is the module's Go source, parsed but not type-checked, regardless of build tags.
type tree struct {
	fset     *token.FileSet
	packages []*pkg
}

// A pkg is one folder with Go files; its path has no module prefix.
type pkg struct {
	path  string
	files []*file
}

type file struct {
	name      string // slash-separated, from the root of the repository
	syntax    *ast.File
	text      string
	lines     int
	test      bool
	generated bool
}

func load(fsys fs.FS) (*tree, error) {
	t := &tree{fset: token.NewFileSet()}
	folders := map[string]*pkg{}
	err := walk(fsys, func(name string) error {
		if path.Ext(name) != ".go" {
			return nil
		}
		f, err := t.parse(fsys, name)
		if err != nil {
			return err
		}
		folder := path.Dir(name)
		p := folders[folder]
		if p == nil {
			p = &pkg{path: folder}
			folders[folder] = p
			t.packages = append(t.packages, p)
		}
		p.files = append(p.files, f)
		return nil
	})
	slices.SortFunc(t.packages, func(a, b *pkg) int { return strings.Compare(a.path, b.path) })
	return t, err
}

// walk visits every file of the project: no build output, nothing installed, and nothing hidden except .ci.
func walk(fsys fs.FS, visit func(name string) error) error {
	return fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !d.IsDir():
			return visit(name)
		case foreign(name):
			return fs.SkipDir
		}
		return nil
	})
}

func foreign(folder string) bool {
	base := path.Base(folder)
	hidden := strings.HasPrefix(base, ".") && base != "." && base != ".ci"
	return hidden || base == "testdata" || base == "node_modules" || folder == "bin" || folder == "build"
}

func (t *tree) parse(fsys fs.FS, name string) (*file, error) {
	source, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	syntax, err := parser.ParseFile(t.fset, name, source, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	return &file{
		name:      name,
		syntax:    syntax,
		text:      string(source),
		lines:     bytes.Count(source, []byte("\n")),
		test:      strings.HasSuffix(name, "_test.go"),
		generated: ast.IsGenerated(syntax),
	}, nil
}

// written returns the files that are neither tests nor generated.
func (p *pkg) written() []*file {
	return slices.DeleteFunc(slices.Clone(p.files), func(f *file) bool { return f.test || f.generated })
}

func (t *tree) at(n ast.Node) string { return t.fset.Position(n.Pos()).String() }

// imports returns the import specs by path.
func (f *file) imports() map[string]*ast.ImportSpec {
	byPath := map[string]*ast.ImportSpec{}
	for _, spec := range f.syntax.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil {
			byPath[p] = spec
		}
	}
	return byPath
}

func root(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
	}
	t.Fatal("no go.mod above this package")
	return ""
}

// source returns the tree of the repository, which is parsed once.
func source(t *testing.T) *tree {
	t.Helper()
	dir := root(t)
	loaded.Do(func() { loaded.tree, loaded.err = load(os.DirFS(dir)) })
	if loaded.err != nil {
		t.Fatal(loaded.err)
	}
	return loaded.tree
}

var loaded struct {
	sync.Once
	tree *tree
	err  error
}

// report fails the test once for each violation.
func report(t *testing.T, violations []string) {
	t.Helper()
	for _, v := range slices.Sorted(slices.Values(violations)) {
		t.Error(v)
	}
}

func violation(at, format string, args ...any) string {
	return at + ": " + fmt.Sprintf(format, args...)
}
