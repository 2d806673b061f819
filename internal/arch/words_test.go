package arch

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"
)

const (
	widest = 120 // characters of a line of Go, a tab counting as one
	uncut  = 60  // characters of a string literal that excuses its line: sentences are not cut for the margin
)

// plain are the rooms whose comments follow the rules of plain English.
var plain = []string{"..."}

// narrow are the rooms whose lines are at most widest characters long.
var narrow = []string{"..."}

// shared are the rooms whose data every room reads. Fields of web/api carry their comment in a tag.
var shared = []string{"cluster", "policy"}

// explained are the types of these rooms whose exported fields need a comment each.
var explained = []string{
	"State", "Job", "Task", "Node", "Placement", "View", "Decision", "Grant", "Load", "Alarm", "Occasion",
}

var (
	sentenceEnd  = regexp.MustCompile(`([.!?;])\s+|\n\n`)
	questionWord = regexp.MustCompile(`^(?i:what|who|whom|whose)\b`)
	whether      = regexp.MustCompile(`\b(tells|says)\s+whether\b`)
	directive    = regexp.MustCompile(`^\s*//go:`)
)

// in returns the packages that match one of the patterns.
func (t *tree) in(patterns []string) *tree {
	some := slices.DeleteFunc(slices.Clone(t.packages), func(p *pkg) bool { return !matches(patterns, p.path) })
	return &tree{fset: t.fset, packages: some}
}

// commented calls the rule with the text of every comment that people wrote.
func (t *tree) commented(rule func(group *ast.CommentGroup, text string)) {
	t.each(func(_ *pkg, f *file) {
		for _, group := range f.syntax.Comments {
			rule(group, strings.TrimSpace(group.Text()))
		}
	})
}

// pronounSentences lists sentences in comments that begin with What, Who, Whom or Whose and are no questions.
func (t *tree) pronounSentences() (out []string) {
	t.commented(func(group *ast.CommentGroup, text string) { out = append(out, pronouns(t.at(group), text)...) })
	return out
}

// pronouns lists the sentences of one comment that begin with What, Who, Whom or Whose and are no questions.
func pronouns(at, text string) (out []string) {
	for _, sentence := range sentences(text) {
		if questionWord.MatchString(sentence) && !strings.HasSuffix(sentence, "?") {
			out = append(out, violation(at, "%q: begin with the noun", brief(sentence)))
		}
	}
	return out
}

// sentences splits a text behind the marks that end sentences, which stay, and at empty lines.
func sentences(text string) []string {
	const cut = "\x00"
	return strings.Split(sentenceEnd.ReplaceAllString(text, "$1"+cut), cut)
}

// brief returns the first words of a sentence.
func brief(sentence string) string {
	words := strings.Fields(sentence)
	return strings.Join(words[:min(len(words), 5)], " ")
}

// tellsWhether lists comments with another verb than "reports" in front of "whether".
func (t *tree) tellsWhether() (out []string) {
	t.commented(func(group *ast.CommentGroup, text string) { out = append(out, predicates(t.at(group), text)...) })
	return out
}

// predicates lists the first predicate of one comment that has another verb than "reports".
func predicates(at, text string) []string {
	if found := whether.FindString(text); found != "" {
		return []string{violation(at, "%q: a predicate reports whether", found)}
	}
	return nil
}

// bareFields lists exported fields without a comment, of the explained types.
func (t *tree) bareFields() (out []string) {
	for _, p := range t.packages {
		for _, f := range p.written() {
			for _, spec := range declaredTypes(f.syntax) {
				if slices.Contains(explained, spec.Name.Name) {
					out = append(out, t.bareFieldsOf(spec)...)
				}
			}
		}
	}
	return out
}

func (t *tree) bareFieldsOf(spec *ast.TypeSpec) (out []string) {
	structure, ok := spec.Type.(*ast.StructType)
	if !ok {
		return nil
	}
	for _, field := range structure.Fields.List {
		for _, name := range field.Names {
			if name.IsExported() && field.Doc == nil && field.Comment == nil {
				out = append(out, violation(t.at(name), "%s.%s has no comment: its unit and invariant", spec.Name.Name, name.Name))
			}
		}
	}
	return out
}

// wideLines lists lines that are too wide and could be broken.
func (t *tree) wideLines() (out []string) {
	t.each(func(_ *pkg, f *file) {
		fixed := f.fixed(t.fset)
		number := 0
		for line := range strings.Lines(f.text) {
			number++
			line = strings.TrimRight(line, "\r\n")
			width := utf8.RuneCountInString(line)
			if width > widest && !fixed[number] && !directive.MatchString(line) {
				out = append(out, violation(f.name, "line %d has %d characters (at most %d)", number, width, widest))
			}
		}
	})
	return out
}

// fixed returns the lines that cannot be broken: they hold a long literal, a part of a raw string, or a struct tag.
func (f *file) fixed(fset *token.FileSet) map[int]bool {
	lines := map[int]bool{}
	hold := func(n ast.Node) {
		for line := fset.Position(n.Pos()).Line; line <= fset.Position(n.End()).Line; line++ {
			lines[line] = true
		}
	}
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if n.Kind == token.STRING && (n.Value[0] == '`' || utf8.RuneCountInString(n.Value) >= uncut) {
				hold(n)
			}
		case *ast.Field:
			if n.Tag != nil {
				hold(n.Tag)
			}
		}
		return true
	})
	return lines
}

func TestCommentsBeginWithTheirNoun(t *testing.T)      { report(t, source(t).in(plain).pronounSentences()) }
func TestPredicatesReportWhether(t *testing.T)         { report(t, source(t).in(plain).tellsWhether()) }
func TestFieldsOfSharedTypesAreExplained(t *testing.T) { report(t, source(t).in(shared).bareFields()) }
func TestLinesOfGoFitTheMargin(t *testing.T)           { report(t, source(t).in(narrow).wideLines()) }

func TestRulesOfWordsCatchWhatTheyForbid(t *testing.T) {
	long, longer := strings.Repeat("x", uncut-2), strings.Repeat("x", widest)
	for _, c := range []struct {
		name, text string
		rule       func(*tree) []string
		broken     int
	}{
		{"Who as a noun", "// Who is last goes first.", (*tree).pronounSentences, 1},
		{"what as a noun, behind a line", "var x int // what is left", (*tree).pronounSentences, 1},
		{"nouns of later sentences", "// f adds. What is left\n// stays. Whose it is, nobody knows.", (*tree).pronounSentences, 2},
		{"a noun of a later paragraph", "// f adds:\n//\n// What it can.", (*tree).pronounSentences, 1},
		{"a question", "// Who may go first? Jobs say what they need.", (*tree).pronounSentences, 0},
		{"a longer word", "// Whatever happens, f adds. Whole jobs stay.", (*tree).pronounSentences, 0},
		{"a string is no comment", "var x = \"What is left.\"", (*tree).pronounSentences, 0},
		{"tells whether", "// f tells whether it fits.", (*tree).tellsWhether, 1},
		{"says whether, on two lines", "// f says\n// whether it fits.", (*tree).tellsWhether, 1},
		{"reports whether", "// f reports whether it fits.", (*tree).tellsWhether, 0},
		{"bare fields", "type Job struct {\n\tA, B int\n\tc int\n}", (*tree).bareFields, 2},
		{"explained fields", "type View struct {\n\t// A is.\n\tA int\n\tB int // bytes\n}", (*tree).bareFields, 0},
		{"other types", "type Other struct{ A int }\ntype Load int", (*tree).bareFields, 0},
		{"a wide line", "var " + longer[:widest-7] + " int", (*tree).wideLines, 1},
		{"a line that just fits", "var " + longer[:widest-8] + " int", (*tree).wideLines, 0},
		{"characters, not bytes", "// " + strings.Repeat("ß", widest-3), (*tree).wideLines, 0},
		{"a wide comment", "// " + longer, (*tree).wideLines, 1},
		{"a long literal", "var x, y = \"" + long + "\", " + longer[:60], (*tree).wideLines, 0},
		{"a short literal", "var x, y = \"" + long[1:] + "\", " + longer[:60], (*tree).wideLines, 1},
		{"a raw string", "var x = `\n" + longer + "\n" + longer + "y`", (*tree).wideLines, 0},
		{"a struct tag", "type x struct {\n\tA int `" + longer + "`\n}", (*tree).wideLines, 0},
		{"a directive", "//go:embed " + longer + "\nvar x string", (*tree).wideLines, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := c.rule(parse(t, fstest.MapFS{"x.go": {Data: []byte("package x\n\n" + c.text + "\n")}}))
			if len(got) != c.broken {
				t.Errorf("%d violations, want %d: %q", len(got), c.broken, got)
			}
		})
	}
}

func TestRulesOfWordsLeaveGeneratedCodeAlone(t *testing.T) {
	text := "// Code generated by hand. DO NOT EDIT.\npackage x\n\n// What " + strings.Repeat("x", widest) + " tells whether.\n"
	generated := parse(t, fstest.MapFS{"x.go": {Data: []byte(text)}})
	report(t, slices.Concat(generated.pronounSentences(), generated.tellsWhether(), generated.wideLines()))
}
