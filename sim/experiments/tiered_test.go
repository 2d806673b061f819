package experiments

import (
	"os"
	"path/filepath"
	"testing"

	"aliquot/sim/reproduce"
	"aliquot/sim/reproduce/tiered"
)

func TestExperimentsOnTwoTiersDifferInTheirTrials(t *testing.T) {
	scope := tiered.Scope{Parts: []tiered.Part{"fig6", "fig11", "fig13", tiered.Readings}}
	wanted := scope.Experiments()
	entries, err := TieredEntries(wanted)
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]tiered.Experiment{}
	for i, e := range entries {
		if before, twice := keys[e.Trial.Key()]; twice {
			t.Errorf("%v and %v are one trial", before, wanted[i])
		}
		keys[e.Trial.Key()] = wanted[i]
		if e.Estimates != "trace" || e.Penalty != wanted[i].Cost || (e.Uses == "process") != wanted[i].PerProcess {
			t.Errorf("%v has the trial %+v", wanted[i], e.Trial)
		}
	}
}

func TestAReportOnTwoTiersWithoutResultsHasNoFigures(t *testing.T) {
	folder := t.TempDir()
	book := tiered.NewBook(tiered.Scope{Parts: tiered.Parts()}, nil)
	if err := WriteStudy(folder, book.Report(), reproduce.About{Command: "c"}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"report.html", "claims.csv", "points.csv"} {
		if text, err := os.ReadFile(filepath.Join(folder, name)); err != nil || len(text) == 0 {
			t.Errorf("%s is empty: %v", name, err)
		}
	}
	if names, _ := os.ReadDir(filepath.Join(folder, "figures")); len(names) > 0 {
		t.Errorf("figures were drawn though nothing was run: %v", names)
	}
}
