package cluster

import "testing"

func TestWhatIsLookedAtForAPromiseIsTheSameEveryTime(t *testing.T) {
	b := built(t, 8, 0)
	b.s.Format = LatestFormat
	spec := *specimen()
	spec.Need, spec.Tasks, spec.Reserve = 10, 8, &Reservation{b.s.Now + Hour, Hour}
	spec.Placement.Spread = true
	id := b.apply(Submit{Spec: &spec}).Job
	p := b.s.PromiseTo(id)
	looks := map[int]bool{}
	for range 200 {
		all := newBookings(b.s)
		for i, n := range p.Nodes {
			for range i {
				all.by[n] = append(all.by[n], booking{p.From, p.Until, b.s.Node(n).Capacity().CPU, 0})
			}
		}
		if all.holds(p) {
			t.Fatal("it holds on full nodes")
		}
		looks[*all.looks] = true
	}
	if len(looks) != 1 {
		t.Errorf("it looked at %v bookings", looks)
	}
}
