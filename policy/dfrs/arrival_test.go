package dfrs

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aliquot/cluster"
	"aliquot/policy"
	"aliquot/policy/policytest"
)

// shortCuts counts how decisions on submissions came about.
type shortCuts struct{ taken, explained, all int }

// sameAsAll holds if the short way decides, and explains, what the board of all does.
func (s *shortCuts) sameAsAll(p *Policy) policytest.Promise {
	return func(v *cluster.View, _ policy.Decision) error {
		s.all++
		if b := p.arrive(v, false); b != nil {
			s.taken++
			all := p.decideAll(v)
			defer b.release()
			defer all.release()
			if diff := cmp.Diff(holdings(all.target()), holdings(b.target())); diff != "" {
				return fmt.Errorf("by the short way it differs: %s", diff)
			}
		}
		if b := p.arrive(v, true); b != nil {
			s.explained++
			all := p.decideAll(v)
			defer b.release()
			defer all.release()
			if diff := cmp.Diff(told(p, all), told(p, b)); diff != "" {
				return fmt.Errorf("by the short way reasons differ: %s", diff)
			}
		}
		return nil
	}
}

func holdings(a cluster.Allocation) map[cluster.JobID]string {
	list := map[cluster.JobID]string{}
	for id, p := range a.All() {
		list[id] = fmt.Sprint(p.CPU, p.Tier, p.Nodes)
	}
	return list
}

// told lists the reasons by job: nobody depends on their order.
func told(p *Policy, b *board) (list []string) {
	b.reasons(p.wake(b.view.At), func(r cluster.Reason) bool {
		list = append(list, fmt.Sprint(r.Job, r.Code, r.Values))
		return true
	})
	slices.Sort(list)
	return list
}

func TestWhoArrivesIsDecidedOnByTheShortWayAsByTheLong(t *testing.T) {
	for _, row := range table {
		t.Run(strings.ReplaceAll(row.name, "/", ":"), func(t *testing.T) {
			p, err := New(row.name, nil, 30*cluster.Second)
			if err != nil {
				t.Fatal(err)
			}
			s := &shortCuts{}
			policytest.CheckBriefly(t, p, 60, s.sameAsAll(p))
			if local := p.local; local != (s.taken > 0) {
				t.Errorf("of %d decisions %d took the short way", s.all, s.taken)
			}
			t.Logf("of %d decisions %d took the short way, and %d were explained so", s.all, s.taken, s.explained)
		})
	}
}
