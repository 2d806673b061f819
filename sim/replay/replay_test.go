package replay

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aliquot/cluster"
)

// saved returns a view of a cluster without nodes and jobs.
func saved() *cluster.Snapshot {
	return cluster.Newest([16]byte{1}, cluster.PolicyChoice{Name: "FCFS", Period: cluster.Minute}).Snapshot(0)
}

func TestAPolicyThatIsNoneIsUnknown(t *testing.T) {
	unknown := Unknown{}
	if _, err := Decide(saved(), "no such policy"); !errors.As(err, &unknown) {
		t.Error(err)
	}
}

func TestNothingPendingIsDecidedAsIfTheTickWereDue(t *testing.T) {
	d, err := Decide(saved(), "FCFS")
	if err != nil {
		t.Fatal(err)
	}
	want := &Decision{Revision: d.Revision, Policy: "FCFS",
		Occasion: []string{"nothing is pending: as if the tick were due"}, Jobs: []Job{}, Moves: []Move{}}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Error(diff)
	}
}
