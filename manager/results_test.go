package manager

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"aliquot/cluster"
	"aliquot/guest/folder"
)

func TestResultsAreKeptByAgeAndBytes(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	list := func(sizes ...cluster.Bytes) (all []result) { // one an hour, the youngest last
		for i, size := range sizes {
			all = append(all, result{cluster.JobID(i + 1), size, now.Add(-time.Duration(len(sizes)-i) * time.Hour)})
		}
		return all
	}
	for name, c := range map[string]struct {
		kept   []result
		limits ResultLimits
		want   []cluster.JobID
	}{
		"all fit":       {list(5, 5, 5), ResultLimits{3 * time.Hour, 15}, nil},
		"two are old":   {list(5, 5, 5), ResultLimits{time.Hour, 15}, []cluster.JobID{1, 2}},
		"too much":      {list(5, 5, 5), ResultLimits{9 * time.Hour, 10}, []cluster.JobID{1}},
		"one is large":  {list(5, 20, 5), ResultLimits{9 * time.Hour, 10}, []cluster.JobID{1, 2}},
		"none is there": {nil, ResultLimits{time.Hour, 10}, nil},
		"all are old":   {list(1), ResultLimits{time.Minute, 10}, []cluster.JobID{1}},
	} {
		var got []cluster.JobID
		for _, r := range surplus(c.kept, c.limits, now) {
			got = append(got, r.job)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", name, diff)
		}
	}
}

// Ten thousand later jobs push a job out of the history, and with it went its output.
func TestAResultOutlivesTheHistory(t *testing.T) {
	w := newWorld(t)
	state := w.Latest().State.Clone()
	state.NextJob = 20_000
	old, recent := cluster.JobID(1), cluster.JobID(2)
	now := time.Now()
	for id, at := range map[cluster.JobID]time.Time{old: now.Add(-3 * time.Hour), recent: now} {
		f := folder.Of(w.cfg.StorePath, cluster.RunID{Job: id, Number: 1})
		w.ok(os.MkdirAll(string(f), 0o755))
		w.ok(os.WriteFile(f.Output(), []byte("x"), 0o600))
		for path := f.Output(); path != w.cfg.StorePath; path = filepath.Dir(path) {
			w.ok(os.Chtimes(path, at, at))
		}
	}
	s := sweeper{store: w.cfg.StorePath, limits: ResultLimits{Age: 2 * time.Hour}}
	for range 2 {
		w.ok(s.sweep(state, now))
	}
	for id, want := range map[cluster.JobID]bool{old: false, recent: true} {
		_, err := os.Stat(folder.Of(w.cfg.StorePath, cluster.RunID{Job: id, Number: 1}).Output())
		if (err == nil) != want || err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the output of %v: %v", id, err)
		}
	}
}
