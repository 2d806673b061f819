package experiments

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"aliquot/sim/reproduce"
)

func TestAReportCoversTheExperimentsThatWereRun(t *testing.T) {
	folder := t.TempDir()
	scope := reproduce.Scope{Parts: []reproduce.Part{reproduce.Figure1, reproduce.Table2}}
	if err := WriteReport(folder, reproduce.NewBook(scope, nil), reproduce.About{Command: "c"}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"report.html", "cells.csv", "worst.csv", "points.csv"} {
		if text, err := os.ReadFile(filepath.Join(folder, name)); err != nil || len(text) == 0 {
			t.Errorf("%s is empty: %v", name, err)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "figures")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("figures were drawn though nothing was run: %v", err)
	}
}

func TestEachExperimentHasATrialOfItsOwn(t *testing.T) {
	wanted := reproduce.Scope{Parts: []reproduce.Part{reproduce.Table2}}.Experiments()
	entries, err := Entries(reproduce.HPC2N{}, wanted[:3])
	if err != nil || len(entries) != 3 {
		t.Fatalf("%d trials, %v", len(entries), err)
	}
	for i, e := range entries {
		if e.Source.Name != wanted[i].Name() || i > 0 && e.Trial.Key() == entries[i-1].Trial.Key() {
			t.Errorf("trial %d is of %s", i, e.Source.Name)
		}
	}
}
