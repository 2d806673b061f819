package cluster

import (
	"testing"

	"pgregory.net/rapid"
)

func TestForegroundIsGuaranteedAndBackgroundGetsWhatIsLeft(t *testing.T) {
	const node, memory = 1000, 100 * MiB
	spec := &Spec{Need: 1000}
	for _, c := range []struct {
		name   string
		grants []Grant
		charge Bytes
		fits   bool
	}{
		{"foreground and background", []Grant{Foreground.Grant(1000), Background.Grant(1000)}, MiB, true},
		{"background beyond the node", []Grant{Background.Grant(1000), Background.Grant(1000)}, MiB, true},
		{"foreground beyond the node", []Grant{Foreground.Grant(1000), Foreground.Grant(1)}, MiB, false},
		{"foreground that is guaranteed in part", []Grant{Foreground.Grant(500), {Cap: 1000, Guaranteed: 500}}, MiB, true},
		{"more than that part", []Grant{Foreground.Grant(501), {Cap: 1000, Guaranteed: 500}}, MiB, false},
		{"memory beyond the node in the background", []Grant{Background.Grant(1), Background.Grant(1)}, 51 * MiB, false},
		{"memory beyond the node in the foreground", []Grant{Foreground.Grant(1), Foreground.Grant(1)}, 51 * MiB, false},
	} {
		var l Load
		for _, g := range c.grants {
			l = l.Plus(g, spec, c.charge, 1)
		}
		if got := l.Fits(Offer{CPU: node, Memory: memory}, Load{}); got != c.fits {
			t.Errorf("%s: fits is %v", c.name, got)
		}
		for _, g := range c.grants {
			l = l.Plus(g, spec, c.charge, -1)
		}
		if l != (Load{}) {
			t.Errorf("%s: %+v is left when all have gone", c.name, l)
		}
	}
}

func TestTheBackgroundSharesWhatIsGuaranteedLeaves(t *testing.T) {
	for _, c := range []struct{ guaranteed, caps, want CPU }{{0, 3000, 1000}, {400, 3000, 600}, {1000, 500, 0},
		{1500, 500, 0}, {400, 500, 500}} {
		n := Node{Description: Description{CPU: 1000}, Load: Load{Guaranteed: c.guaranteed, BestEffort: c.caps}}
		if got := n.Shared(); got.BestEffort != c.want || got.Guaranteed != c.guaranteed {
			t.Errorf("%d guaranteed and caps of %d: %+v", c.guaranteed, c.caps, got)
		}
	}
}

func TestANodeThatShrankKeepsItsLoadButIsNotGivenMore(t *testing.T) {
	before := Load{Guaranteed: 1500, Memory: 150, BestEffort: 7}
	for _, c := range []struct {
		name string
		now  Load
		fits bool
	}{
		{"as much as before", before, true},
		{"less than before", Load{Guaranteed: 1200, Memory: 120}, true},
		{"more best effort", Load{Guaranteed: 1500, Memory: 150, BestEffort: 9000}, true},
		{"more that is guaranteed", Load{Guaranteed: 1501, Memory: 50}, false},
		{"more memory", Load{Guaranteed: 500, Memory: 151}, false},
	} {
		if got := c.now.Fits(Offer{CPU: 1000, Memory: 100}, before); got != c.fits {
			t.Errorf("%s: fits is %v", c.name, got)
		}
	}
}

// After arbitrary proposals, the loads of the state are compared with sums over the placements, computed without Load.
func TestLoadsAreDumbSumsAndNoNodeIsGivenMoreThanItHas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		actions := w.actions()
		for name, act := range actions {
			actions[name] = func(t *rapid.T) {
				before := w.s.Clone()
				act(t)
				if name == "adopt" || name == "submit" || name == "cancel" {
					w.checkLoads(before)
				}
			}
		}
		t.Repeat(actions)
	})
}

// checkLoads compares the nodes' loads with sums over placements, and with what the nodes offer or were given before.
func (w *world) checkLoads(before *State) {
	for n := range w.s.Nodes() {
		needs, granted, guaranteed, memory, tasks := dumbSum(w.s, n.ID)
		l := n.Load
		if l.Need != needs || l.Granted() != granted || l.Guaranteed != guaranteed || l.Memory != memory || l.Tasks != tasks {
			w.Fatalf("node %d counts %+v, but %v are needed, %v granted, %v of that guaranteed, %v charged for %d tasks",
				n.ID, l, needs, granted, guaranteed, memory, tasks)
		}
		_, _, had, charged, _ := dumbSum(before, n.ID)
		if c := n.Capacity(); guaranteed > max(c.CPU, had) || memory > max(c.Memory, charged) {
			w.Fatalf("node %d is to guarantee %v and %v, has %+v, and guaranteed %v and %v before", n.ID, guaranteed, memory, c,
				had, charged)
		}
	}
}

// dumbSum adds up what placements say of the node.
func dumbSum(s *State, on NodeID) (needs, granted, guaranteed CPU, memory Bytes, tasks int) {
	for id, p := range s.TargetAll().All() {
		for _, n := range p.Nodes {
			if n != on {
				continue
			}
			tasks++
			needs += s.Job(id).Spec.Need
			granted += p.Cap
			memory += s.Job(id).Spec.Requirement.Memory + s.overhead
			if p.Tier == Foreground {
				guaranteed += p.Guaranteed
			}
		}
	}
	return needs, granted, guaranteed, memory, tasks
}
