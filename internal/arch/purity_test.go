package arch

import (
	"go/ast"
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// The reasons why a pure room must not mention something.
const (
	clock   = "time comes with the view or the command, or replicas and replays disagree"
	outside = "what a replica finds outside differs from what the next one finds"
	dice    = "the same input must give the same answer: take a seeded *rand.Rand"
	talk    = "a pure room returns reasons; the shell logs them"
	lasting = "nothing may outlive the call"
)

// impureImports are paths that a pure room may not import, with everything below them.
var impureImports = map[string]string{
	"os":                    outside,
	"net":                   outside,
	"syscall":               outside,
	"golang.org/x/sys":      outside,
	"crypto/rand":           dice,
	"log":                   talk,
	"github.com/rs/zerolog": talk,
}

// impureNames are functions of otherwise harmless packages.
var impureNames = map[string]map[string]string{
	"time": {
		"Now": clock, "Since": clock, "Until": clock, "Sleep": clock, "After": clock, "AfterFunc": clock,
		"Tick": clock, "NewTimer": clock, "NewTicker": clock, "Timer": clock, "Ticker": clock, "Local": outside,
	},
	"context": {"WithTimeout": clock, "WithTimeoutCause": clock, "WithDeadline": clock, "WithDeadlineCause": clock},
	"fmt":     {"Print": talk, "Printf": talk, "Println": talk},
	"github.com/google/uuid": {
		"New": dice, "NewString": dice, "NewRandom": dice, "NewUUID": dice, "NewV6": dice, "NewV7": dice,
		"NewDCEGroup": dice, "NewDCEPerson": dice, "NewDCESecurity": dice,
	},
}

// seeded are the names of math/rand that do not touch its global source.
var seeded = []string{
	"New", "NewSource", "NewZipf", "NewPCG", "NewChaCha8",
	"Rand", "Source", "Source64", "Zipf", "PCG", "ChaCha8",
}

// concurrent are the pure rooms that may start goroutines inside one call, as long as no result depends on their order.
var concurrent = []string{"packing"}

// impurities lists forbidden names in pure rooms. It ignores tests, which may read files and wait.
func (t *tree) impurities() (out []string) {
	for _, p := range t.packages {
		if !rooms[p.path].pure {
			continue
		}
		for _, f := range p.written() {
			out = append(out, t.impureFile(p.path, f)...)
		}
	}
	return out
}

func (t *tree) impureFile(room string, f *file) (out []string) {
	names := map[string]string{}
	for imported, spec := range f.imports() {
		if why := impureImport(imported); why != "" {
			out = append(out, violation(t.at(spec), "%s is pure and may not import %s: %s", room, imported, why))
		}
		if spec.Name != nil && spec.Name.Name == "." {
			out = append(out, violation(t.at(spec),
				"%s is pure and may not import %s into its own names: nobody would see what is used", room, imported))
		}
		names[localName(imported, spec)] = imported
	}
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			if !slices.Contains(concurrent, room) {
				out = append(out, violation(t.at(n), "%s is pure and may not start goroutines: %s", room, lasting))
			}
		case *ast.SelectorExpr:
			if imported, name := qualified(names, n); impureName(imported, name) != "" {
				out = append(out, violation(t.at(n), "%s is pure and may not use %s.%s: %s", room, imported, name,
					impureName(imported, name)))
			}
		}
		return true
	})
	return out
}

// qualified returns the import path and the name of a selector, or nothing if it selects from a variable.
func qualified(names map[string]string, n *ast.SelectorExpr) (imported, name string) {
	x, ok := n.X.(*ast.Ident)
	if !ok || x.Obj != nil {
		return "", ""
	}
	return names[x.Name], n.Sel.Name
}

func impureImport(imported string) string {
	for _, forbidden := range slices.Sorted(maps.Keys(impureImports)) {
		if within(forbidden, imported) {
			return impureImports[forbidden]
		}
	}
	return ""
}

func impureName(imported, name string) string {
	if within("math/rand", imported) && token.IsExported(name) && !slices.Contains(seeded, name) {
		return dice
	}
	return impureNames[imported][name]
}

// localName returns the name of an import in its file. A version at the end of the path is not part of it.
func localName(imported string, spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	base := path.Base(imported)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" {
		base = path.Base(path.Dir(imported))
	}
	return base
}

func TestPureRoomsAreFunctionsOfTheirArguments(t *testing.T) { report(t, source(t).impurities()) }

func TestPurityCatchesWhatItForbids(t *testing.T) {
	for _, c := range []struct {
		name, body string
		pure       bool
	}{
		{"the clock", `import "time"; var x = time.Now()`, false},
		{"a timer", `import "time"; func f() { <-time.After(1) }`, false},
		{"a renamed clock", `import c "time"; var x = c.Now()`, false},
		{"a duration", `import "time"; const x = 3 * time.Second`, true},
		{"a variable called time",
			`import "time"; func f() { var time struct{ Now int }; _ = time.Now }; var _ time.Duration`, true},
		{"files", `import "os"; var x = os.Args`, false},
		{"signals", `import "os/signal"; var x = signal.Ignored`, false},
		{"sockets", `import "net/http"; var x http.Client`, false},
		{"global dice", `import "math/rand/v2"; var x = rand.IntN(6)`, false},
		{"seeded dice", `import "math/rand/v2"; var x = rand.New(rand.NewPCG(1, 2)).IntN(6)`, true},
		{"a random identity", `import "github.com/google/uuid"; var x = uuid.New()`, false},
		{"a derived identity", `import "github.com/google/uuid"; var x = uuid.NewSHA1(uuid.NameSpaceOID, nil)`, true},
		{"printing", `import "fmt"; func f() { fmt.Println() }`, false},
		{"formatting", `import "fmt"; var x = fmt.Sprint(1)`, true},
		{"a logger", `import "github.com/rs/zerolog/log"; var x = log.Logger`, false},
		{"a goroutine", `func f() { go f() }`, false},
		{"names without a package", `import . "math"`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			bad := parse(t, fstest.MapFS{"cluster/x.go": {Data: []byte("package cluster\n" + c.body + "\n")}})
			if got := bad.impurities(); (len(got) == 0) != c.pure {
				t.Errorf("pure = %v, want %v: %q", len(got) == 0, c.pure, got)
			}
		})
	}
}

func TestPackingMayUseGoroutinesAndShellsMayUseAnything(t *testing.T) {
	good := parse(t, fstest.MapFS{
		"packing/x.go":      {Data: []byte("package packing\nfunc f() { go f() }\n")},
		"manager/x.go":      {Data: []byte("package manager\nimport \"time\"\nvar x = time.Now()\n")},
		"cluster/x_test.go": {Data: []byte("package cluster\nimport \"os\"\nvar x = os.Args\n")},
	})
	report(t, good.impurities())
}
