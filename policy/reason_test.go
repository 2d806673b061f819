package policy_test

import (
	"slices"
	"testing"

	"aliquot/cluster"
	"aliquot/policy"
	"aliquot/policy/policytest"
)

func TestEachNodeThatMayNotTakeATaskIsCountedByItsState(t *testing.T) {
	w := policytest.NewWorld(t, nil)
	w.Clock = cluster.Second
	for _, name := range []string{"free", "cordoned", "draining", "unreachable", "stalled", "silent", "down",
		"returning", "storeless", "serviced", "longer"} {
		w.Join(name, cluster.Description{CPU: 1000, Memory: 512 * cluster.MiB, Bridged: name != "free",
			Limits: true})
	}
	id := func(name string) cluster.NodeID { return w.NodeNamed(name).ID }
	w.Do(cluster.SetNode{Node: id("cordoned"), Want: cluster.Cordon})
	w.Do(cluster.SetNode{Node: id("draining"), Want: cluster.Drain})
	w.Do(cluster.SetLink{Node: id("unreachable"), Broken: 1})
	w.Do(cluster.Report{Node: id("stalled"), FenceAlive: true, StoreProven: true, StoreFree: 1 << 40,
		HypervisorSilent: true})
	w.Do(cluster.SetHealth{Node: id("silent"), Health: cluster.Silent})
	w.Do(cluster.SetHealth{Node: id("down"), Health: cluster.Silent})
	w.Do(cluster.SetNode{Node: id("down"), Want: cluster.ConfirmDown})
	w.Do(cluster.SetHealth{Node: id("returning"), Health: cluster.Silent})
	w.Do(cluster.SetHealth{Node: id("returning"), Health: cluster.Ready})
	w.Do(cluster.Report{Node: id("storeless"), FenceAlive: true})
	until := w.Clock + cluster.Hour
	w.Do(cluster.Maintain{Node: id("longer"), Until: until + cluster.Hour})
	w.Do(cluster.Maintain{Node: id("serviced"), Until: until})
	w.Do(cluster.SetSubnet{Subnet: cluster.Subnet{Base: 10 << 24, Bits: 16, Rate: 5}})
	w.Do(cluster.Join{Name: "limitless", Boot: "boot", Description: cluster.Description{CPU: 1000, Memory: 1 << 30,
		Bridged: true}})
	w.Do(cluster.Report{Node: id("limitless"), FenceAlive: true, StoreProven: true, StoreFree: 1 << 40})
	spec := &cluster.Spec{Network: cluster.Bridged}
	why := policy.NoNode(w.Look(), &cluster.Job{Spec: spec}, 1)
	if want := []int64{1, 12, 1, 1, 5, 1, 1, 1, 1, 1, 1, 1, 2, int64(until), 1}; !slices.Equal(why.Values, want) {
		t.Errorf("%v, want %v", why.Values, want)
	}
}

func TestWhatANodeNeverHasCountsBeforeItsState(t *testing.T) {
	w := policytest.NewWorld(t, nil)
	w.Clock = cluster.Second
	w.Join("first", cluster.Description{CPU: 1000, Memory: 512 * cluster.MiB})
	w.Join("second", cluster.Description{CPU: 1000, Memory: 512 * cluster.MiB})
	w.Join("small", cluster.Description{CPU: 4000, Memory: 64 * cluster.MiB})
	for i, name := range []string{"excluded", "never"} { // the latter and the small one would not do if they were back
		w.Join(name, cluster.Description{CPU: 4000, Memory: 512 * cluster.MiB})
		w.Do(cluster.SetNode{Node: cluster.NodeID(3 + i), Want: cluster.Cordon})
	}
	until := cluster.Minute + cluster.Hour
	for i, node := range []string{"first", "second"} {
		w.Submit(cluster.Spec{Tasks: 1, Need: 1000, Requirement: cluster.Requirement{Memory: 64 * cluster.MiB},
			Placement: cluster.Constraint{Nodes: []string{node}},
			Reserve:   &cluster.Reservation{Start: cluster.Minute, Lasts: cluster.Hour + cluster.Time(i)*cluster.Minute}})
	}
	w.Clock = 2 * cluster.Minute
	_, others := w.Look().Besides()
	spec := &cluster.Spec{Tasks: 1, Need: 500, Requirement: cluster.Requirement{Memory: 128 * cluster.MiB},
		Placement: cluster.Constraint{Nodes: []string{"first", "second", "small"}}}
	why := policy.NoNode(others, &cluster.Job{Spec: spec}, 1)
	want := []int64{1, 5, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 1, int64(until)}
	if !slices.Equal(why.Values, want) {
		t.Errorf("%v, want %v", why.Values, want)
	}
	spec.Requirement.Memory = 600 * cluster.MiB // too much for them without their promises, too
	why = policy.NoNode(others, &cluster.Job{Spec: spec}, 1)
	if want := []int64{1, 5, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3}; !slices.Equal(why.Values, want) {
		t.Errorf("%v, want %v", why.Values, want)
	}
}
