package arch

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

const longest = 600 // lines of a file; a file this long has a noun that deserves its own file

// vague are names that do not say the purpose of a package.
var vague = []string{"util", "utils", "common", "types", "helper", "helpers", "misc", "base", "shared"}

// unplanned matches words that promise work without a plan. They are split here so that they do not match themselves.
var unplanned = regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|XX` + `X|HA` + `CK)\b`)

// commonplace are methods whose meaning the standard library defines; they need no comment.
var commonplace = []string{"Error", "String", "Unwrap", "Is", "As", "Len", "Less", "Swap", "Push", "Pop", "Read",
	"Write", "Close", "ServeHTTP"}

var (
	decorated = regexp.MustCompile(`Impl$|^Default[A-Z]`)
	hungarian = regexp.MustCompile(`^I[A-Z][a-z]`)
	word      = regexp.MustCompile(`[A-Z]+[a-z]*|[0-9]+`)
)

// each calls a rule for every file that is not generated, tests included.
func (t *tree) each(rule func(p *pkg, f *file)) {
	for _, p := range t.packages {
		for _, f := range p.files {
			if !f.generated {
				rule(p, f)
			}
		}
	}
}

func (t *tree) overlong() (out []string) {
	t.each(func(_ *pkg, f *file) {
		if f.lines > longest {
			out = append(out, violation(f.name, "%d lines: look for the hidden noun (at most %d)", f.lines, longest))
		}
	})
	return out
}

func (t *tree) unexplained() (out []string) {
	for _, p := range t.packages {
		if shipped := p.shipped(); len(shipped) > 0 && !slices.ContainsFunc(shipped, explains) {
			out = append(out, violation(p.path,
				"no package comment: say what it is for, what it does not do, its invariants, and a reference"))
		}
	}
	return out
}

// shipped returns all files except tests. Generated packages explain themselves in a doc.go.
func (p *pkg) shipped() []*file {
	return slices.DeleteFunc(slices.Clone(p.files), func(f *file) bool { return f.test })
}

// explains reports whether a file carries its package's comment. The comment that protoc writes does not count.
func explains(f *file) bool {
	return f.syntax.Doc != nil && (strings.HasPrefix(f.syntax.Doc.Text(), "Package ") ||
		strings.HasPrefix(f.syntax.Doc.Text(), "Command "))
}

func (t *tree) promises() (out []string) {
	t.each(func(_ *pkg, f *file) {
		for _, group := range f.syntax.Comments {
			for _, comment := range group.List {
				if found := unplanned.FindString(comment.Text); found != "" {
					out = append(out, violation(t.at(comment), "%s without a plan: do it, or open an issue", found))
				}
			}
		}
	})
	return out
}

func (t *tree) misnomers() (out []string) {
	for _, p := range t.packages {
		for _, f := range p.files {
			if slices.Contains(vague, strings.TrimSuffix(f.syntax.Name.Name, "_test")) {
				out = append(out, violation(f.name, "package %s says nothing: name it for what it is about", f.syntax.Name.Name))
			}
		}
	}
	t.each(func(_ *pkg, f *file) {
		for _, spec := range declaredTypes(f.syntax) {
			name := spec.Name.Name
			if decorated.MatchString(name) {
				out = append(out, violation(t.at(spec), "%s: say what it is without Default… or …Impl", name))
			}
			if hungarian.MatchString(name) && isInterface(spec) {
				out = append(out, violation(t.at(spec), "%s: an interface is named for its duty, without an I", name))
			}
		}
	})
	return out
}

// declaredTypes returns the types that a file declares at its top level.
func declaredTypes(syntax *ast.File) (out []*ast.TypeSpec) {
	for _, d := range syntax.Decls {
		if d, ok := d.(*ast.GenDecl); ok {
			for _, spec := range d.Specs {
				if spec, ok := spec.(*ast.TypeSpec); ok {
					out = append(out, spec)
				}
			}
		}
	}
	return out
}

func isInterface(spec *ast.TypeSpec) bool {
	_, ok := spec.Type.(*ast.InterfaceType)
	return ok
}

// labels lists tests whose names are not sentences: TestApply names the subject and makes no statement.
func (t *tree) labels() (out []string) {
	t.each(func(_ *pkg, f *file) {
		for _, d := range f.syntax.Decls {
			test, ok := d.(*ast.FuncDecl)
			if !ok || !f.test || test.Recv != nil || !takesT(test) {
				continue
			}
			if name := strings.TrimPrefix(test.Name.Name, "Test"); len(word.FindAllString(name, -1)) < 2 ||
				strings.Contains(name, "_") {
				out = append(out, violation(t.at(test), "%s is no sentence: TestHeadOfQueueIsNeverDelayed is one", test.Name.Name))
			}
		}
	})
	return out
}

func takesT(f *ast.FuncDecl) bool {
	if !strings.HasPrefix(f.Name.Name, "Test") || len(f.Type.Params.List) != 1 {
		return false
	}
	star, ok := f.Type.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	selector, ok := star.X.(*ast.SelectorExpr)
	return ok && selector.Sel.Name == "T"
}

// bareSkips lists tests that skip without naming the requirement that is not met.
func (t *tree) bareSkips() (out []string) {
	t.each(func(_ *pkg, f *file) {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !f.test || statedSkip(call) {
				return true
			}
			out = append(out, violation(t.at(call), `a test skips only for a stated need: t.Skip("needs …")`))
			return true
		})
	})
	return out
}

// statedSkip reports false for a skip that does not name its requirement.
func statedSkip(call *ast.CallExpr) bool {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !slices.Contains([]string{"Skip", "Skipf", "SkipNow"}, selector.Sel.Name) {
		return true
	}
	if len(call.Args) == 0 {
		return false
	}
	reason, ok := leftmost(call.Args[0]).(*ast.BasicLit)
	if !ok || reason.Kind != token.STRING {
		return false
	}
	text, err := strconv.Unquote(reason.Value)
	return err == nil && strings.HasPrefix(text, "needs ")
}

// leftmost returns the first operand of a concatenation.
func leftmost(e ast.Expr) ast.Expr {
	if sum, ok := e.(*ast.BinaryExpr); ok {
		return leftmost(sum.X)
	}
	return e
}

// uncommented lists exported names without a comment.
func (t *tree) uncommented() (out []string) {
	for _, p := range t.packages {
		for _, f := range p.written() {
			for _, d := range f.syntax.Decls {
				for _, name := range undocumented(d) {
					out = append(out, violation(t.at(name), "%s has no comment: one true sentence, with units, ranges and errors",
						name.Name))
				}
			}
		}
	}
	return out
}

func undocumented(d ast.Decl) (out []*ast.Ident) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Doc == nil && d.Name.IsExported() && reachable(d) && (d.Recv == nil ||
			!slices.Contains(commonplace, d.Name.Name)) {
			out = append(out, d.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			out = append(out, undocumentedSpec(d, spec)...)
		}
	}
	return out
}

// undocumentedSpec accepts a comment above the name, behind it or, for values, on their group.
func undocumentedSpec(d *ast.GenDecl, spec ast.Spec) (out []*ast.Ident) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		if spec.Name.IsExported() && spec.Doc == nil && spec.Comment == nil && d.Doc == nil {
			out = append(out, spec.Name)
		}
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			if name.IsExported() && spec.Doc == nil && spec.Comment == nil && d.Doc == nil {
				out = append(out, name)
			}
		}
	}
	return out
}

// reachable reports whether callers can see the method: the type of its receiver is exported.
func reachable(f *ast.FuncDecl) bool {
	if f.Recv == nil {
		return true
	}
	receiver := f.Recv.List[0].Type
	if star, ok := receiver.(*ast.StarExpr); ok {
		receiver = star.X
	}
	switch generic := receiver.(type) {
	case *ast.IndexExpr:
		receiver = generic.X
	case *ast.IndexListExpr:
		receiver = generic.X
	}
	name, ok := receiver.(*ast.Ident)
	return ok && name.IsExported()
}

func TestNoFileIsTooLong(t *testing.T)              { report(t, source(t).overlong()) }
func TestEveryPackageSaysWhatItIsFor(t *testing.T)  { report(t, source(t).unexplained()) }
func TestNothingIsPromisedInComments(t *testing.T)  { report(t, source(t).promises()) }
func TestNamesSayWhatThingsAre(t *testing.T)        { report(t, source(t).misnomers()) }
func TestTestNamesAreSentences(t *testing.T)        { report(t, source(t).labels()) }
func TestSkipsStateTheirNeed(t *testing.T)          { report(t, source(t).bareSkips()) }
func TestEveryExportedNameIsExplained(t *testing.T) { report(t, source(t).uncommented()) }

func TestHouseRulesCatchWhatTheyForbid(t *testing.T) {
	inTest := func(body string) string { return "package x\nimport \"testing\"\n" + body }
	for _, c := range []struct {
		name, file, text string
		rule             func(*tree) []string
		broken           int
	}{
		{"601 lines", "x.go", "package x\n" + strings.Repeat("\n", 600), (*tree).overlong, 1},
		{"600 lines", "x.go", "package x\n" + strings.Repeat("\n", 599), (*tree).overlong, 0},
		{"generated length", "x.go", "// Code generated by hand. DO NOT EDIT.\npackage x\n" + strings.Repeat("\n", 700),
			(*tree).overlong, 0},
		{"no package comment", "x.go", "package x", (*tree).unexplained, 1},
		{"a package comment", "x.go", "// Package x is.\npackage x", (*tree).unexplained, 0},
		{"tests alone", "x_test.go", "package x", (*tree).unexplained, 0},
		{"a promise", "x.go", "package x\n// TO" + "DO later\n", (*tree).promises, 1},
		{"a string is no promise", "x.go", "package x\nvar x = \"TO" + "DO\"\n", (*tree).promises, 0},
		{"a vague package", "util/x.go", "package util", (*tree).misnomers, 1},
		{"an I-interface", "x.go", "package x\ntype IStore interface{}", (*tree).misnomers, 1},
		{"an identity", "x.go", "package x\ntype IPAddress struct{}\ntype Image interface{}", (*tree).misnomers, 0},
		{"an Impl", "x.go", "package x\ntype StoreImpl struct{}", (*tree).misnomers, 1},
		{"a DefaultStore", "x.go", "package x\ntype DefaultStore struct{}", (*tree).misnomers, 1},
		{"a label", "x_test.go", inTest("func TestApply(t *testing.T) {}"), (*tree).labels, 1},
		{"an underscore", "x_test.go", inTest("func TestApply_Again(t *testing.T) {}"), (*tree).labels, 1},
		{"a sentence", "x_test.go", inTest("func TestApplyNeverFails(t *testing.T) {}"), (*tree).labels, 0},
		{"the main of tests", "x_test.go", inTest("func TestMain(m *testing.M) {}"), (*tree).labels, 0},
		{"a bare skip", "x_test.go", inTest("func f(t *testing.T) { t.SkipNow(); t.Skip(\"flaky\") }"), (*tree).bareSkips, 2},
		{"a stated need", "x_test.go", inTest("func f(t *testing.T) { t.Skip(\"needs root\"); t.Skip(\"needs \" + x + y) }"),
			(*tree).bareSkips, 0},
		{"mute names", "x.go", "package x\nfunc F() {}\ntype T int\nfunc (T) M() {}\nconst C = 1", (*tree).uncommented, 4},
		{"hidden and fixed names", "x.go",
			"package x\nfunc f() {}\ntype t int\nfunc (t) M() {}\n// T is.\ntype T int\nfunc (T) String() string { return \"\" }", (*tree).uncommented, 0},
		{"a group with its sentence", "x.go", "package x\n// Phases.\nconst (\n\tA = 1\n\tB = 2\n)", (*tree).uncommented, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.rule(parse(t, fstest.MapFS{c.file: {Data: []byte(c.text)}})); len(got) != c.broken {
				t.Errorf("%d violations, want %d: %q", len(got), c.broken, got)
			}
		})
	}
}
