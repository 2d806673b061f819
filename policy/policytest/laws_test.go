package policytest

import (
	"fmt"
	"strings"
	"testing"

	"aliquot/cluster"
	"aliquot/policy"
)

// decider is a policy given by its effect on a copy of the target.
type decider func(v *cluster.View, target cluster.Allocation)

func (d decider) Decide(v *cluster.View) policy.Decision {
	target := v.TargetAll().Clone()
	d(v, target)
	return policy.Decision{Target: target}
}

// verdict is a T that records the first failure and stops the code that failed.
type verdict struct{ text string }

func (*verdict) Helper() {}

func (v *verdict) Fatalf(format string, args ...any) {
	v.text = fmt.Sprintf(format, args...)
	panic(v)
}

func put(id cluster.JobID, cpu cluster.CPU, nodes ...cluster.NodeID) decider {
	return grant(id, cluster.Foreground.Grant(cpu), nodes...)
}

func grant(id cluster.JobID, g cluster.Grant, nodes ...cluster.NodeID) decider {
	return func(_ *cluster.View, a cluster.Allocation) {
		p := &cluster.Placement{Grant: g, Nodes: nodes}
		if old := a.Get(id); old == nil || old.Grant != g || places(old) != places(p) {
			a.Set(id, p)
		}
	}
}

// verdictOn lets a policy decide on a cluster where j1 runs on both nodes, j2 runs on the second, and j3 waits. It
// returns the failure.
func verdictOn(store cluster.Bytes, bad decider) (text string) {
	v := &verdict{}
	defer func() {
		if r := recover(); r != nil && r != any(v) {
			panic(r)
		}
		text = v.text
	}()
	w := NewWorld(v, nil)
	w.Store = store
	for n := range 2 {
		w.Join(nodeName(n), cluster.Description{CPU: 1000, Memory: 100 * cluster.MiB})
	}
	for i, p := range []policy.Policy{put(1, 500, 1, 2), put(2, 500, 2), bad} {
		w.Policy = p
		w.Submit(cluster.Spec{Tasks: 1 + (2-i)/2, Need: 500, Requirement: cluster.Requirement{Memory: 40 * cluster.MiB}})
		w.decideLawfully()
		w.Settle()
	}
	return ""
}

func TestLawsCatchViolations(t *testing.T) {
	calls := 0
	for want, bad := range map[string]decider{
		"": put(3, 500, 1),
		"the same view gave": func(_ *cluster.View, a cluster.Allocation) {
			calls++
			put(3, cluster.CPU(10+calls), 1)(nil, a)
		},
		"the view was changed":               func(v *cluster.View, _ cluster.Allocation) { v.Job(3).Submitted++ },
		"is no candidate":                    put(9, 500, 1),
		"2 of its 1 tasks are placed":        put(3, 500, 1, 1),
		"its share must be from 10m to 500m": put(3, 501, 1),
		"its share must be from":             put(3, 9, 1),
		"the guaranteed part must be": grant(3, cluster.Grant{Cap: 500, Guaranteed: 1, Tier: cluster.Background},
			1),
		"may not be placed on node 7":            put(3, 500, 7),
		"node 2 offers {CPU:1000m Memory:100Mi}": put(3, 500, 2),
		"j1 stops but cannot be paused":          func(_ *cluster.View, a cluster.Allocation) { a.Delete(1) },
		"by the next decision, without an occasion": func(v *cluster.View, a cluster.Allocation) {
			put(3, 500-cluster.CPU(len(v.Pending().Submitted)), 1)(nil, a)
		},
	} {
		if got := verdictOn(-1, bad); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("the verdict is %q, want %q", got, want)
		}
	}
	if got := verdictOn(-1, grant(3, cluster.Background.Grant(500), 1)); got != "" {
		t.Errorf("a background task beside a full foreground: %s", got)
	}
	stops := func(_ *cluster.View, a cluster.Allocation) { a.Delete(1); a.Delete(2) }
	if got := verdictOn(100*cluster.MiB, stops); !strings.Contains(got,
		"jobs stop that need 120Mi of store, there are 100Mi to spare") {
		t.Errorf("the verdict is %q", got)
	}
}

func TestLawsCatchASecondTaskOnACordonedNode(t *testing.T) {
	v := &verdict{}
	w := NewWorld(v, put(1, 500, 1, 2))
	for n := range 2 {
		w.Join(nodeName(n), cluster.Description{CPU: 1000, Memory: 100 * cluster.MiB})
	}
	w.Submit(cluster.Spec{Tasks: 2, Need: 500, Requirement: cluster.Requirement{Memory: 40 * cluster.MiB}})
	w.decideLawfully()
	w.Settle()
	w.Do(cluster.SetNode{Node: 2, Want: cluster.Cordon})
	w.Policy = put(1, 500, 2, 2)
	defer func() {
		want := "may not have 2 tasks on node 2, which takes no new VMs"
		if r := recover(); r != any(v) || !strings.Contains(v.text, want) {
			t.Errorf("%v, the verdict is %q, want %q", r, v.text, want)
		}
	}()
	w.decideLawfully()
}

func TestTheStateOfAWorldFollowsItsClock(t *testing.T) {
	w := NewWorld(t, nil)
	for _, at := range []cluster.Time{cluster.Minute, 10 * cluster.Hour} {
		w.Clock = at
		if w.Do(cluster.Checkpoint{}); w.Now != at {
			t.Errorf("the state's clock is at %v, want %v", w.Now, at)
		}
	}
	w.Do(cluster.SetTime{To: cluster.Hour})
	w.Clock = cluster.Hour + cluster.Minute
	if w.Do(cluster.Checkpoint{}); w.Now != w.Clock {
		t.Errorf("after it was set, the state's clock is at %v, want %v", w.Now, w.Clock)
	}
}
