package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// others are the operators that replace an operator.
var others = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL,
}

// finder collects the mutants of one file.
type finder struct {
	fset     *token.FileSet
	name     string
	source   []byte
	function string
	found    []mutant
}

// find returns all mutants of a file, in the order of the source. Some of them may not compile.
func find(name string, source []byte) ([]mutant, error) {
	f := &finder{fset: token.NewFileSet(), name: name, source: source}
	file, err := parser.ParseFile(f.fset, name, source, parser.ParseComments)
	if err != nil || ast.IsGenerated(file) {
		return nil, err
	}
	for _, d := range file.Decls {
		f.function = "-"
		if function, ok := d.(*ast.FuncDecl); ok {
			f.function = function.Name.Name
			if function.Recv != nil {
				f.function = strings.TrimPrefix(f.text(function.Recv.List[0].Type), "*") + "." + f.function
			}
			f.leaveEarly(function)
		}
		ast.Inspect(d, f.visit)
	}
	slices.SortStableFunc(f.found, func(a, b mutant) int { return a.edit.begin - b.edit.begin })
	seen := map[string]int{}
	for i := range f.found {
		m := &f.found[i]
		id := m.identity()
		if seen[id]++; seen[id] > 1 {
			m.change += fmt.Sprintf(" (%d)", seen[id])
		}
	}
	return f.found, nil
}

func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IfStmt:
		if n.Else == nil && !slices.ContainsFunc(n.Body.List, func(s ast.Stmt) bool { return !logs(s) }) {
			return false
		}
		f.negate(n.Cond)
	case *ast.SwitchStmt:
		f.negateCases(n)
	case *ast.BinaryExpr:
		if other, ok := others[n.Op]; ok {
			begin := f.offset(n.OpPos)
			f.add(n, edit{begin, begin + len(n.Op.String()), other.String()},
				change(f.text(n), f.text(n.X)+" "+other.String()+" "+f.text(n.Y)))
		}
	case *ast.BasicLit:
		if i, err := strconv.ParseInt(n.Value, 0, 64); err == nil && n.Kind == token.INT {
			f.replace(n, strconv.FormatInt(i+1, 10))
		}
	case *ast.Ident:
		if other := map[string]string{"true": "false", "false": "true"}[n.Name]; other != "" {
			f.replace(n, other)
		}
	case *ast.CallExpr:
		f.swapArguments(n)
	case *ast.BlockStmt:
		f.removeEach(n.List)
	case *ast.CaseClause:
		f.removeEach(n.Body)
	case *ast.CommClause:
		f.removeEach(n.Body)
	case *ast.ExprStmt:
		return !logs(n)
	case *ast.ImportSpec, *ast.StructType, *ast.ArrayType:
		return false // tags, and lengths that are part of a type
	}
	return true
}

func (f *finder) offset(p token.Pos) int { return f.fset.Position(p).Offset }

func (f *finder) text(n ast.Node) string {
	return string(f.source[f.offset(n.Pos()):f.offset(n.End())])
}

// replace adds a mutant that replaces the node by the text.
func (f *finder) replace(n ast.Node, text string) {
	f.add(n, edit{f.offset(n.Pos()), f.offset(n.End()), text}, change(f.text(n), text))
}

func (f *finder) add(n ast.Node, e edit, change string) {
	f.found = append(f.found, mutant{f.name, f.fset.Position(n.Pos()).Line, f.function, change, e})
}

// negate negates a condition, unless replacing its operator does so.
func (f *finder) negate(e ast.Expr) {
	if b, ok := e.(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) {
		return
	}
	f.replace(e, "!("+f.text(e)+")")
}

func (f *finder) negateCases(s *ast.SwitchStmt) {
	if s.Tag != nil {
		return
	}
	for _, clause := range s.Body.List {
		for _, e := range clause.(*ast.CaseClause).List {
			f.negate(e)
		}
	}
}

// swapArguments swaps neighbours of the same kind of expression; others seldom have the same type. The order of what
// min compares does not matter, nor that of the words in an error.
func (f *finder) swapArguments(c *ast.CallExpr) {
	if name := f.text(c.Fun); name == "min" || name == "max" || strings.HasPrefix(name, "fmt.") {
		return
	}
	for i := 1; i < len(c.Args); i++ {
		a, b := c.Args[i-1], c.Args[i]
		if reflect.TypeOf(a) != reflect.TypeOf(b) || f.text(a) == f.text(b) {
			continue
		}
		between := string(f.source[f.offset(a.End()):f.offset(b.Pos())])
		e := edit{f.offset(a.Pos()), f.offset(b.End()), f.text(b) + between + f.text(a)}
		f.add(c, e, change(f.text(c), f.text(c.Fun)+"(… "+e.text+" …)"))
	}
}

func (f *finder) removeEach(list []ast.Stmt) {
	for _, s := range list {
		if removable(s) {
			f.replace(s, "")
		}
	}
}

// removable reports whether the program may go on without the statement, which does more than log.
func removable(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt:
		return !logs(s)
	case *ast.AssignStmt:
		return s.Tok != token.DEFINE
	case *ast.BranchStmt:
		return s.Tok == token.CONTINUE || s.Tok == token.BREAK
	case *ast.IncDecStmt, *ast.DeferStmt, *ast.SendStmt:
		return true
	}
	return false
}

// logs reports whether a statement is a line of the log.
func logs(s ast.Stmt) bool {
	if s, ok := s.(*ast.ExprStmt); ok {
		if call, ok := s.X.(*ast.CallExpr); ok {
			method, ok := call.Fun.(*ast.SelectorExpr)
			return ok && slices.Contains([]string{"Msg", "Msgf", "Send"}, method.Sel.Name)
		}
	}
	return false
}

// leaveEarly lets a function return zero values at once.
func (f *finder) leaveEarly(d *ast.FuncDecl) {
	if d.Body == nil || len(d.Body.List) == 0 {
		return
	}
	var zeros []string
	if d.Type.Results != nil {
		for _, r := range d.Type.Results.List {
			for range cmp.Or(len(r.Names), 1) {
				zeros = append(zeros, "*new("+f.text(r.Type)+")")
			}
		}
	}
	text := strings.TrimSpace("return " + strings.Join(zeros, ", "))
	at := f.offset(d.Body.Lbrace) + 1
	f.add(d.Body.List[0], edit{at, at, " " + text + "; "}, change("body", text))
}
