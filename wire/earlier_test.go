package wire

import (
	"bytes"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"

	"aliquot/cluster"
	"aliquot/wire/wirepb"
)

// The messages in testdata were packed by a program from before the conversions were generated.

var earlierOrders = cluster.Orders{
	Cluster: [16]byte{1, 2, 3}, Generation: 1, Epoch: 2, Revision: 3, Node: 4,
	Runs: []cluster.Order{{
		Run: cluster.RunID{Job: 5, Index: 6, Number: 7}, Want: cluster.Leave, Move: 8, CPU: 900, Tier: cluster.Background,
		Spec: &cluster.Spec{
			Name: "render", Owner: "alice", Project: "films", Tasks: 10, Need: 1100,
			Requirement: cluster.Requirement{Memory: 12},
			Image:       "busybox@sha256:13", Command: []string{"/bin/sh", "-c"}, Args: []string{"echo 14"},
			Env: []cluster.Pair{{Key: "FRAME", Value: "15"}}, Restarts: 16, Limits: cluster.Limits{Runtime: 17, LogBytes: 18},
			Estimate: 19,
			Labels:   []cluster.Pair{{Key: "team", Value: "blue"}},
			Placement: cluster.Constraint{
				Nodes: []string{"n1", "n2"}, Match: []cluster.Pair{{Key: "disk", Value: "fast"}}, Spread: true,
			},
		},
		Project: "films", Platform: "kvm", Peer: "qemu+tls://n2/system", Aborted: true,
	}},
	Destroy: []cluster.RunID{{Job: 20, Index: 21, Number: 22}},
}

var earlierReport = cluster.Report{
	Foreign: cluster.Foreign{CPU: 1, Memory: 2}, FenceAlive: true, StoreProven: true, StoreFree: 3,
	Observations: []cluster.Observation{
		{
			Run: cluster.RunID{Job: 4, Index: 5, Number: 6}, Move: 7, Seen: cluster.SeenExited,
			Exit: &cluster.Exit{Code: -8, Signal: "KILL", Cause: "oom"},
		},
		{
			Run: cluster.RunID{Job: 9, Number: 10}, Seen: cluster.SeenBooting, Cap: 11, Image: 12, Platform: "tcg",
			Cause: "none",
		},
	},
}

func TestOrdersAreWhatEarlierNodesRead(t *testing.T) {
	sent := earlier(t, "orders", packOrders(&earlierOrders), new(wirepb.Orders))
	got, err := UnpackOrders(sent)
	if diff := cmp.Diff(earlierOrders, got); diff != "" || err != nil {
		t.Errorf("error %v, (-sent +received):\n%s", err, diff)
	}
}

func TestReportsAreWhatEarlierManagersRead(t *testing.T) {
	sent := earlier(t, "report", PackReport(earlierReport), new(wirepb.Report))
	got, err := UnpackReport(0, sent)
	if diff := cmp.Diff(earlierReport, got); diff != "" || err != nil {
		t.Errorf("error %v, (-sent +received):\n%s", err, diff)
	}
}

// earlier compares a message with the earlier program's, byte for byte, and decodes the latter.
func earlier[M proto.Message](t *testing.T, name string, now, into M) M {
	t.Helper()
	sent, err := os.ReadFile("testdata/" + name + ".binpb")
	if err != nil {
		t.Fatal(err)
	}
	packed, err := proto.MarshalOptions{Deterministic: true}.Marshal(now)
	if err != nil || !bytes.Equal(packed, sent) {
		t.Errorf("error %v; packed\n%x\nwas\n%x", err, packed, sent)
	}
	if err := proto.Unmarshal(sent, into); err != nil {
		t.Fatal(err)
	}
	return into
}
