package store

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/rs/zerolog"

	"aliquot/cluster"
)

func TestABugIsWrittenDownSoThatItCanBeRepeatedAndBugsDoNotFillTheDisk(t *testing.T) {
	state := cluster.Newest([16]byte{1}, cluster.PolicyChoice{Name: "FCFS", Period: cluster.Minute})
	command := cluster.EncodeCommand(cluster.Command{Action: cluster.Cancel{Job: 7}})
	b := bugs{dir: filepath.Join(t.TempDir(), "bugs"), log: zerolog.Nop()}
	for revision := uint64(1); revision <= 2*maxBugs; revision++ {
		b.write(revision, command, state)
	}
	written, err := os.ReadDir(b.dir)
	if err != nil || len(written) != 2*maxBugs {
		t.Fatalf("%d files, %v", len(written), err)
	}
	text, err := os.ReadFile(filepath.Join(b.dir, "1.command"))
	if err != nil {
		t.Fatal(err)
	}
	if c, err := cluster.DecodeCommand(text); err != nil || !reflect.DeepEqual(c.Action, cluster.Cancel{Job: 7}) {
		t.Errorf("the command is %+v, %v", c, err)
	}
	file, err := os.Open(filepath.Join(b.dir, "1.state"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if again, err := cluster.Decode(file); err != nil || again.Hash() != state.Hash() {
		t.Errorf("the state is another one: %v", err)
	}
}
