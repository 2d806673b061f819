package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFamiliesAreTimedAndDrawn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "growth.svg")
	out := (&desk{TB: t}).ok("bench packing --speed --plot " + path)
	if lines := strings.Split(strings.TrimSpace(out), "\n"); len(lines) != 12 || !strings.HasPrefix(lines[0], "FAMILY") ||
		strings.Join(strings.Fields(lines[2])[:4], " ") != "128x500/uniform/by5/memory=70%/need=200% 500 70.0% 200.0%" {
		t.Error(out)
	}
	if text, err := os.ReadFile(path); err != nil || !strings.HasPrefix(string(text), "<svg") {
		t.Errorf("%v: %.20s", err, text)
	}
}

func TestAFigureThatCannotBeDrawnIsRefusedBeforeTheRun(t *testing.T) {
	for _, wrong := range []string{"--nodes 128 --plot growth.svg", "--plot /nowhere/growth.svg", "--workers 0",
		"--seeds 0", "--nodes 10"} {
		if o := (&desk{TB: t}).run("bench packing --speed " + wrong); o.code != exitUsage || o.out != "" {
			t.Errorf("%s: exit code %d, %s", wrong, o.code, o.out)
		}
	}
}

func TestAMeasurementThatIsStoppedShowsTheRowsThatAreWhole(t *testing.T) {
	for _, c := range []struct {
		what         string
		asked, lines int
	}{
		{"packing --speed --nodes 128", 0, 1},
		{"packing --speed --nodes 128", 2100, 2},
		{"packing --nodes 128 --seeds 1", 2700, 5},
		{"moves --steps 2", 0, 1},
		{"moves --steps 2", 4, 2},
	} {
		var out, wrong strings.Builder
		a := &app{out: &out, err: &wrong}
		code := a.run(impatient{t.Context(), &c.asked}, append([]string{"bench"}, strings.Fields(c.what)...))
		if code != exitStopped || strings.Count(out.String(), "\n") != c.lines ||
			!strings.HasSuffix(wrong.String(), "aliquot: stopped before the end\n") {
			t.Errorf("%s: exit code %d, want %d lines: %s%s", c.what, code, c.lines, out.String(), wrong.String())
		}
	}
}

func TestStablePackingIsComparedWithPackingAnew(t *testing.T) {
	var rows []movesRow
	if err := json.Unmarshal([]byte((&desk{TB: t}).ok("bench moves --steps 1 --json")), &rows); err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if r.Steps != 1 || r.Anew <= 0 || r.Stable > 0.15*r.Anew || r.Bound > r.Assigned {
			t.Errorf("%+v", r)
		}
	}
	if len(rows) != 18 || rows[0].Family == "" {
		t.Errorf("%d families: %+v", len(rows), rows)
	}
	if o := (&desk{TB: t}).run("bench moves --steps 0"); o.code != exitUsage {
		t.Errorf("exit code %d", o.code)
	}
}
