package wire

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"

	"aliquot/cluster"
	"aliquot/wire/wirepb"
)

// wordy is a job whose specification is as long as one may be.
func wordy() *cluster.Spec {
	text := strings.Repeat("x", cluster.MaxSpec/4)
	return &cluster.Spec{Name: "j", Tasks: 1000, Need: 500, Requirement: cluster.Requirement{Memory: 1024 * cluster.MiB},
		Image: "worker@sha256:" + strings.Repeat("0", 64), Command: []string{"run"}, Args: []string{text},
		Env: []cluster.Pair{{Key: "K", Value: text}}, Labels: []cluster.Pair{{Key: "l", Value: text}},
		Placement: cluster.Constraint{Nodes: []string{text}}, Limits: cluster.Limits{LogBytes: cluster.MiB, ResultBytes: 1},
		Outputs: []string{"*"}, Disk: cluster.MaxDisk, CloudInit: "#cloud-config",
		Files: []cluster.Pair{{Key: "script", Value: "true"}}}
}

func TestOnlyARunThatBeginsIsSentWithItsTask(t *testing.T) {
	whole := wordy()
	for want := cluster.Stay; want <= cluster.Vanish; want++ {
		o := cluster.Orders{Runs: []cluster.Order{{Run: cluster.RunID{Job: 1, Number: 1}, Want: want, Spec: whole}}}
		got, err := UnpackOrders(travel(t, PackOrders(o), &wirepb.Orders{}))
		if err != nil {
			t.Fatal(err)
		}
		expected := &cluster.Spec{Tasks: whole.Tasks, Need: whole.Need, Requirement: whole.Requirement, Image: whole.Image,
			Limits: whole.Limits}
		if want == cluster.Begin {
			expected.Command, expected.Args, expected.Env = whole.Command, whole.Args, whole.Env
			expected.Outputs, expected.Disk, expected.CloudInit, expected.Files = whole.Outputs, whole.Disk, whole.CloudInit,
				whole.Files
		}
		if diff := cmp.Diff(expected, got.Runs[0].Spec); diff != "" {
			t.Errorf("%v (-want +got):\n%s", want, diff)
		}
	}
	if whole.Labels == nil {
		t.Error("the state's own specification was changed")
	}
}

// A guest whose kernel is broken writes to the port of results although its job names no outputs.
func TestAGuestWithoutOutputsIsHeldToLeaveNothing(t *testing.T) {
	for _, c := range []struct {
		want    cluster.Want
		outputs []string
		limit   cluster.Bytes
	}{
		{cluster.Begin, nil, 0},
		{cluster.Begin, []string{"*"}, 0},
		{cluster.Stay, nil, cluster.NoResults},
		{cluster.Restore, nil, cluster.NoResults},
		{cluster.Stay, []string{"*"}, cluster.DefaultResults},
	} {
		o := cluster.Order{Want: c.want, Spec: &cluster.Spec{Outputs: c.outputs}}
		if got := needed(o).Limits.ResultBytes; got != c.limit {
			t.Errorf("%v with outputs %q: limit %d, want %d", c.want, c.outputs, got, c.limit)
		}
	}
}

func TestTheOrdersOfAFullNodeFitIntoAMessage(t *testing.T) {
	const runs, begin = 100_000, 4 // a node of 1.6 TiB with the smallest runs
	o := cluster.Orders{Runs: make([]cluster.Order, runs)}
	for i := range o.Runs {
		o.Runs[i] = cluster.Order{Run: cluster.RunID{Job: cluster.JobID(i + 1), Number: 1}, Want: cluster.Stay, Spec: wordy(),
			Project: strings.Repeat("p", cluster.MaxName), Platform: strings.Repeat("f", maxWord)}
		if i < begin {
			o.Runs[i].Want = cluster.Begin
		}
	}
	if size := proto.Size(PackOrders(o)); size > maxFromLeader {
		t.Errorf("the message has %d bytes, and a node takes at most %d", size, maxFromLeader)
	}
}
