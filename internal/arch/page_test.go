package arch

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// row is a row of the table of rooms in docs/architecture.md.
type row struct {
	rooms   []string
	imports string // the text before the colon
	pure    bool
}

// rowsOf reads the table of rooms. A name without a folder is in the folder of the name before it.
func rowsOf(page string) (rows []row) {
	_, table, _ := strings.Cut(page, "\n| room |")
	table, _, _ = strings.Cut(table, "\n\n")
	for line := range strings.Lines(table) {
		cells := strings.Split(line, " | ")
		if !strings.HasPrefix(line, "| ") || len(cells) < 3 {
			continue
		}
		r := row{pure: strings.HasPrefix(cells[2], "yes")}
		r.imports, _, _ = strings.Cut(cells[1], ":")
		folder := ""
		for name := range strings.SplitSeq(strings.TrimPrefix(cells[0], "| "), ", ") {
			if _, known := rooms[name]; !known {
				name = path.Join(folder, name)
			}
			folder = path.Dir(name)
			r.rooms = append(r.rooms, name)
		}
		rows = append(rows, r)
	}
	return rows
}

var (
	named = regexp.MustCompile(`[a-z0-9/]+`)
	trees = regexp.MustCompile(`all of ([a-z0-9/]+)`)
)

// mentions reports whether the row says that its room may import the package: by path or last name, or with a tree.
func (r row) mentions(room, imported string) bool {
	if strings.Contains(r.imports, "everything") ||
		strings.Contains(r.imports, "its own rooms") && within(room, imported) {
		return true
	}
	for _, tree := range trees.FindAllStringSubmatch(r.imports, -1) {
		if within(tree[1], imported) {
			return true
		}
	}
	return slices.ContainsFunc(named.FindAllString(r.imports, -1), func(name string) bool {
		return name == imported || name == path.Base(imported)
	})
}

// ours returns the packages of the module that shipped files of the package import.
func (p *pkg) ours() (out []string) {
	for _, f := range p.shipped() {
		for imported := range f.imports() {
			if within, ours := strings.CutPrefix(imported, module+"/"); ours {
				out = append(out, within)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// untold lists rooms without a row, imports that the row of their room does not mention, and false claims.
func (t *tree) untold(rows []row) (out []string) {
	imports := map[string][]string{}
	for _, p := range t.packages {
		imports[p.path] = p.ours()
	}
	for _, room := range slices.Sorted(maps.Keys(imports)) {
		at := slices.IndexFunc(rows, func(r row) bool { return slices.Contains(r.rooms, room) })
		if at < 0 {
			out = append(out, violation(room, "the table of docs/architecture.md has no row for it"))
			continue
		}
		for _, imported := range imports[room] {
			if !rows[at].mentions(room, imported) {
				out = append(out, violation(room, "its row in docs/architecture.md does not mention %s", imported))
			}
		}
		if rows[at].pure != rooms[room].pure {
			out = append(out, violation(room, "its row in docs/architecture.md is wrong about whether it is pure"))
		}
	}
	for _, r := range rows {
		out = append(out, r.boasts(imports)...)
	}
	return out
}

// boasts lists the names in the row that are not rooms, and the packages that none of its rooms imports.
func (r row) boasts(imports map[string][]string) (out []string) {
	var all []string
	for _, room := range r.rooms {
		if _, exists := imports[room]; !exists {
			out = append(out, violation(room, "docs/architecture.md has a row for it, but it does not exist"))
		}
		all = append(all, imports[room]...)
	}
	for _, name := range named.FindAllString(r.imports, -1) {
		_, known := rooms[name]
		if known && !slices.ContainsFunc(all, func(imported string) bool { return within(name, imported) }) {
			out = append(out, violation(r.rooms[0], "its row in docs/architecture.md mentions %s, which is not imported", name))
		}
	}
	return out
}

func TestThePageOfTheArchitectureTellsWhatRoomsImport(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root(t), "docs/architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	report(t, source(t).untold(rowsOf(string(page))))
}

func TestAPageThatIsNotTrueIsFoundOut(t *testing.T) {
	sweep := "// Package sweep is.\npackage sweep\nimport _ \"aliquot/sim/check\"\n"
	tree := parse(t, fstest.MapFS{
		"sim/sweep/sweep.go": {Data: []byte(sweep)},
		"sim/check/check.go": {Data: []byte("package check\n")},
		"migrate/plan.go":    {Data: []byte("package migrate\nimport _ \"aliquot/cluster\"\n")},
	})
	got := tree.untold(rowsOf("\n| room | may import | pure |\n|---|---|---|\n" +
		"| sim/sweep, attic | cluster: sim/check is behind the colon | |\n| migrate | cluster: moves | yes |\n\n"))
	want := []string{
		"sim/check: the table of docs/architecture.md has no row for it",
		"sim/sweep: its row in docs/architecture.md does not mention sim/check",
		"sim/sweep: its row in docs/architecture.md is wrong about whether it is pure",
		"sim/attic: docs/architecture.md has a row for it, but it does not exist",
		"sim/sweep: its row in docs/architecture.md mentions cluster, which is not imported",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("violations (-want +got):\n%s", diff)
	}
}
