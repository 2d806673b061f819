package monitor

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aliquot/cluster"
)

func TestALeaseThatCannotBeFlushedReplacesNone(t *testing.T) {
	data := t.TempDir()
	old := Lease{Cluster: [16]byte{1}, Until: 5, Boot: "b", Runs: []cluster.RunID{someRun}}
	if err := WriteLease(data, old); err != nil {
		t.Fatal(err)
	}
	full := errors.New("no space left")
	flushed := ""
	err := replace(filepath.Join(data, LeaseFile), Lease{Until: 9}, func(f *os.File) error {
		content, _ := os.ReadFile(f.Name())
		flushed = string(content)
		return full
	})
	if !errors.Is(err, full) || flushed == "" {
		t.Errorf("flushed %q, %v", flushed, err)
	}
	if got, err := ReadLease(data); err != nil || cmp.Diff(old, got) != "" {
		t.Errorf("%v %s", err, cmp.Diff(old, got))
	}
	if err := WriteLease(filepath.Join(data, "missing"), old); err == nil {
		t.Error("a lease was written to nowhere")
	}
}
