// Package upgrade tests that this program works together with the release before it: managers and monitors of both in
// one cluster, and folders that the earlier one left.
//
// Programs run as processes, as they are shipped, but for nodes, whose hypervisor is modelled. The earlier program is
// built from its commit in this repository; the tests fail if that is not there. Sentences differ between managers: one
// is built to say all of them in other words.
//
// Invariants: the commit never changes, and nothing depends on how many have come since; all that is built lies below
// build/upgrade. The tests take less than a minute, and up to two more where nothing has been built yet.
package upgrade

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"aliquot/cluster"
	"aliquot/web/api"
)

func TestManagersOfTwoReleasesKeepOneStateWhileACompleteUpgradeGoesOn(t *testing.T) {
	b, c := build(t), newTeam(t, 3)
	c.found(b.old.manager)
	veterans, recruits := crew{"o1", "o2"}, crew{"n1", "n2"}
	c.man(b.old.fleet, veterans)
	c.man(b.new.fleet, recruits)
	lasting := c.begin(veterans, recruits)
	all := []int{1, 2, 3}
	ended := c.round(veterans, recruits)
	well := func(format uint32) {
		t.Helper()
		c.serving(all...)
		c.endure(lasting...)
		if s := c.agree(all...); s.Format != format {
			t.Errorf("format %d, want %d", s.Format, format)
		}
	}
	well(cluster.FirstFormat)

	// The followers are upgraded while jobs come and go, and the old leader goes on.
	old := c.leader()
	plain, reworded := old%3+1, (old+1)%3+1
	amid := c.dispatch(veterans, recruits)
	c.replace(plain, b.new.manager)
	c.replace(reworded, b.reworded.manager)
	c.lead(func(i int) bool { return i == old })
	c.settle(amid)
	ended = slices.Concat(ended, amid, c.round(veterans, recruits))
	well(cluster.FirstFormat)

	// A new one leads, with an old follower; then the old one again.
	c.lead(func(i int) bool { return i != old })
	ended = append(ended, c.round(veterans, recruits)...)
	well(cluster.FirstFormat)
	c.lead(func(i int) bool { return i == old })
	ended = append(ended, c.round(veterans)...)
	well(cluster.FirstFormat)
	c.lead(func(i int) bool { return i == reworded })
	c.tells(ended, asIs) // the sentences are in the state

	// The last one is upgraded, and the format is raised.
	amid = c.dispatch(veterans, recruits)
	c.replace(old, b.new.manager)
	c.raised(all...)
	c.settle(amid)
	coded := c.round(veterans, recruits)
	well(cluster.LatestFormat)
	c.lead(func(i int) bool { return i == reworded })
	c.tells(ended, asIs)
	c.tells(coded, shout)
	c.lead(func(i int) bool { return i == plain })
	c.tells(coded, asIs)

	// An old program has no place there any more, and disturbs nobody.
	c.refuses(plain, b.old.manager)
	others := []int{reworded, old}
	c.round(veterans, recruits)
	c.serving(others...)
	c.agree(others...)
	c.start(plain, b.new.manager)
	well(cluster.LatestFormat)
}

// raised returns once these managers have the latest format in force.
func (c *team) raised(replicas ...int) {
	c.Helper()
	eventually(c.T, "the format is raised", func() error {
		for _, i := range replicas {
			if h, err := ask[api.Health](c, i, "/v1/health"); err != nil || h.Format != cluster.LatestFormat {
				return fmt.Errorf("manager %d: %+v, %v", i, h, err)
			}
		}
		return nil
	})
}

// refuses lets the old program go on where one of the managers stopped: it must end by itself and say why.
func (c *team) refuses(i int, program string) {
	c.Helper()
	c.runs[i].stop()
	before := len(c.runs[i].said())
	c.start(i, program)
	c.runs[i].awaitEnd()
	const why = "written by a newer version of this program; upgrade this one first"
	if said := c.runs[i].said()[before:]; c.runs[i].err == nil || !strings.Contains(said, why) {
		c.Errorf("an old manager after the upgrade: %v\n%s", c.runs[i].err, said)
	}
}
