package cluster

import (
	"bytes"
	"os"
	"testing"
)

// tiered returns the state that the program before wrote of a cluster with jobs in both tiers.
func tiered(t *testing.T) (*State, []byte) {
	t.Helper()
	file := must(os.ReadFile("testdata/format2/tiers.state"))
	s, err := Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return s, file
}

func lead(t *testing.T, s *State, a Action) {
	t.Helper()
	if r := s.Apply(s.Revision+1, Command{At: s.Now + Second, Actor: root, Epoch: s.Epoch,
		Action: a}); r.Rejection != nil {
		t.Fatalf("%T: %v", a, r.Rejection)
	}
	if err := s.Check(); err != nil {
		t.Fatalf("%T: %v", a, err)
	}
}

func TestBelowFormat3ABackgroundGrantIsWrittenAndCountedAsTheProgramBeforeDidIt(t *testing.T) {
	s, file := tiered(t)
	if !bytes.Equal(written(t, s), file) {
		t.Error("other bytes than that program's")
	}
	lead(t, s, Adopt{Basis: s.Revision, Set: []Holding{{3, Placement{Grant: Background.Grant(1), Nodes: []NodeID{1, 2}}}}})
	if p, l := s.Target(3), s.Node(1).Load; p != nil ||
		l != (Load{Need: 2000, Guaranteed: 1000, Memory: 32 * MiB, Tasks: 2}) {
		t.Errorf("job 3 holds %+v, node 1 counts %+v; both tiers should count as guaranteed", p, l)
	}
}

func TestFromFormat3OnABackgroundPlacementIsAdoptedBesideAFullForeground(t *testing.T) {
	s, _ := tiered(t)
	lead(t, s, Raise{3})
	if l := s.Node(1).Load; l != (Load{Need: 2000, Guaranteed: 600, BestEffort: 400, Memory: 32 * MiB, Tasks: 2}) {
		t.Errorf("node 1 counts %+v after the format was raised", l)
	}
	foreground, background := Placement{Grant: Foreground.Grant(1000), Nodes: []NodeID{1, 2}},
		Placement{Grant: Background.Grant(1000), Nodes: []NodeID{1, 2}}
	lead(t, s, Adopt{Basis: s.Revision, Set: []Holding{{1, foreground}, {2, background}, {3, background}}})
	for id, want := range map[JobID]*Placement{1: &foreground, 2: &background, 3: &background} {
		if got := s.Target(id); !got.Equal(want) {
			t.Errorf("%v holds %+v, not %+v", id, got, want)
		}
	}
	if l := s.Node(2).Load; l != (Load{Need: 3000, Guaranteed: 1000, BestEffort: 2000, Memory: 48 * MiB, Tasks: 3}) {
		t.Errorf("node 2 counts %+v", l)
	}
}

func TestAManagerOfTheProgramBeforeIsNeverToldOfAGrantThatItCannotRead(t *testing.T) {
	s, _ := tiered(t)
	part := Grant{Cap: 1000, Guaranteed: 300}
	for _, c := range []struct {
		grant  Grant
		format uint32
	}{{part, grants}, {Foreground.Grant(1000), 1}, {Background.Grant(1000), 1}} {
		a := Adopt{Set: []Holding{{1, Placement{Grant: c.grant, Nodes: []NodeID{1, 2}}}}}
		if got, planned := formatOf(a), formatOf(Enact{Decision: a}); got != c.format || planned != c.format {
			t.Errorf("%+v is a command of format %d, and %d in a plan; want %d", c.grant, got, planned, c.format)
		}
	}
	wanted := &Placement{Grant: part, Nodes: []NodeID{1, 2}}
	if got := s.View(s.Now).Grant(s.Job(1), wanted); got != Foreground.Grant(1000) {
		t.Errorf("below format 3 a decision that wants %+v proposes %+v", part, got)
	}
	lead(t, s, Raise{3})
	if got := s.View(s.Now).Grant(s.Job(1), wanted); got != part {
		t.Errorf("from format 3 on it proposes %+v", got)
	}
}

func TestAGrantThatIsNoneIsNotAdopted(t *testing.T) {
	s, _ := tiered(t)
	lead(t, s, Raise{3})
	for _, g := range []Grant{
		{}, {Cap: 1001, Guaranteed: 1001}, {Cap: 100, Guaranteed: 101}, {Cap: 100, Guaranteed: -1},
		{Cap: 100, Guaranteed: 1, Tier: Background}, {Cap: 1001, Tier: Background},
	} {
		lead(t, s, Adopt{Basis: s.Revision, Set: []Holding{{1, Placement{Grant: g, Nodes: []NodeID{1, 2}}}}})
		if p := s.Target(1); p.Grant != Foreground.Grant(600) {
			t.Errorf("%+v was adopted as %+v", g, p)
		}
	}
}

func TestTheBackgroundLeavesTheSmallestSharesOfItsNodesToOthers(t *testing.T) {
	s, _ := tiered(t)
	if at := s.vacancies.at(1); at.spare != 980 {
		t.Errorf("%v are left beside two smallest shares, below format 3", at.spare)
	}
	lead(t, s, Raise{3})
	if at := s.vacancies.at(1); at.spare != 990 {
		t.Errorf("%v are left beside one smallest share and a background task", at.spare)
	}
	lead(t, s, Adopt{Basis: s.Revision, Set: []Holding{{1, on(Background.Grant(600), []NodeID{1, 2})}}})
	if at := s.vacancies.at(1); at.spare != 1000 {
		t.Errorf("%v are left beside two background tasks", at.spare)
	}
}
