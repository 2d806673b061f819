package cluster

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestOnlySubnetsForVMsAreTaken(t *testing.T) {
	for text, size := range map[string]int{"10.77.0.0/16": 65533, "192.168.7.0/24": 253, "10.0.0.0/29": 5} {
		if s, err := ParseSubnet(text); err != nil || s.Size() != size || s.String() != text {
			t.Errorf("%s: %v of %d, %v", text, s, s.Size(), err)
		}
	}
	for _, text := range []string{"", "10.77.0.1/16", "10.0.0.0/8", "10.0.0.0/30", "224.0.0.0/16", "fd00::/64", "x",
		"127.0.0.0/16"} {
		if s, err := ParseSubnet(text); err == nil {
			t.Errorf("%s is taken as %v", text, s)
		}
	}
}

// connected is a state with a subnet for five VMs.
func connected(t rapid.TB) *State {
	s := Newest([16]byte{1}, PolicyChoice{})
	image := Image{Name: "k", Digest: strings.Repeat("a", 64), Kind: KernelImage, Size: 1}
	subnet, _ := ParseSubnet("10.0.0.0/29")
	for _, a := range []Action{PutImage{image}, SetSubnet{subnet}} {
		if r := s.Apply(s.Revision+1, Command{Actor: Actor{Role: System}, Action: a}); r.Rejection != nil {
			t.Fatal(r.Rejection)
		}
	}
	return s
}

func TestEachTaskHasAnAddressOfItsOwnUntilItsJobEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := connected(t)
		do := func(a Action) Result {
			return s.Apply(s.Revision+1, Command{Actor: Actor{Role: Operator}, Action: a})
		}
		var live []JobID
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			if len(live) > 0 && rapid.Bool().Draw(t, "ends") {
				i := rapid.IntRange(0, len(live)-1).Draw(t, "which")
				do(Cancel{Job: live[i]})
				live = append(live[:i], live[i+1:]...)
				continue
			}
			spec := &Spec{Tasks: rapid.IntRange(1, 3).Draw(t, "tasks"), Need: 100, Network: Bridged,
				Image: "k@sha256:" + strings.Repeat("a", 64), Requirement: Requirement{Memory: 64 * MiB}}
			r := do(Submit{Spec: spec})
			if full := s.freeBlock(spec.Tasks) == 0; r.Rejection != nil && (r.Rejection.Code != CodeLimit || !full) {
				t.Fatal(r.Rejection)
			}
			if r.Rejection == nil {
				live = append(live, r.Job)
			}
		}
		taken := map[Address]bool{}
		for _, id := range live {
			for i := range s.Job(id).Tasks {
				a := s.Job(id).AddressOf(i)
				if taken[a] || a < s.Subnet.Base+2 || a > s.Subnet.Base+6 {
					t.Fatalf("%v/%d has %v of %v", id, i, a, taken)
				}
				taken[a] = true
			}
		}
		if err := s.Check(); err != nil || s.Addresses() != len(taken) {
			t.Fatalf("%d addresses, %v", s.Addresses(), err)
		}
		other, _ := ParseSubnet("10.1.0.0/29")
		r := s.Apply(s.Revision+1, Command{Actor: Actor{Role: Admin}, Action: SetSubnet{other}})
		if (r.Rejection == nil) != (len(taken) == 0) {
			t.Fatalf("another subnet while %d addresses are in use: %+v", len(taken), r.Rejection)
		}
	})
}

func TestAJobWithANetworkNeedsASubnetAndItsFormat(t *testing.T) {
	s := New([16]byte{1}, PolicyChoice{})
	for _, a := range []Action{SetSubnet{}, Submit{Spec: &Spec{Network: Bridged}},
		Join{Description: Description{Bridged: true}}} {
		if r := s.Unready(a); r == nil || !strings.Contains(r.Detail, "format 6") {
			t.Errorf("%+v: %+v", a, r)
		}
	}
	if r := s.Unconnectable(&Spec{Tasks: 1, Network: Bridged}); r == nil || r.Code != CodeConflict {
		t.Errorf("without a subnet: %+v", r)
	}
	s = connected(t)
	s.Apply(s.Revision+1, Command{Action: Join{Name: "n", Boot: "b",
		Description: Description{CPU: 1000, Memory: 1 << 30}}})
	r := s.Impossible(&Spec{Tasks: 1, Need: 1, Network: Bridged})
	if r == nil || r.Field != "network" {
		t.Errorf("without a bridge: %+v", r)
	}
	n := Node{Name: "n"}
	if s.Allows(&n, &Spec{Network: Bridged}, "") || !s.Allows(&n, &Spec{}, "") {
		t.Error("a node without a bridge takes the job, or none")
	}
}

// submits returns a function that submits a job of one task with a network, in the project.
func submits(t *testing.T, s *State) func(project string) *Job {
	return func(project string) *Job {
		spec := &Spec{Tasks: 1, Need: 100, Network: Bridged, Project: project, Image: "k@sha256:" + strings.Repeat("a", 64),
			Requirement: Requirement{Memory: 64 * MiB}}
		r := s.Apply(s.Revision+1, Command{Actor: root, Action: Submit{Spec: spec}})
		if r.Rejection != nil {
			t.Fatal(r.Rejection)
		}
		return s.Job(r.Job)
	}
}

func TestJobsShareASegmentIfTheyAreOfOneProject(t *testing.T) {
	s := connected(t)
	submit := submits(t, s)
	a, b, c := submit("a"), submit("b"), submit("a")
	if a.Segment == 0 || a.Segment != c.Segment || a.Segment == b.Segment || a.Spec.Network != Isolated {
		t.Errorf("segments %d and %d of a, %d of b", a.Segment, c.Segment, b.Segment)
	}
	for _, j := range []*Job{a, c} {
		s.Apply(s.Revision+1, Command{Actor: root, Action: Cancel{Job: j.ID}})
	}
	if d := submit("d"); d.Segment == a.Segment || d.Segment == b.Segment {
		t.Errorf("a new project is soon in the segment of one that has ended: %d", d.Segment)
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
}

func TestSegmentsAreTakenInTurnAndNeverTwice(t *testing.T) {
	s := connected(t)
	for id, want := range map[JobID]Segment{
		1: 2, JobID(MaxSegment) - 1: MaxSegment, JobID(MaxSegment): 1, 7: 10, 3*JobID(MaxSegment) + 7: 10,
	} {
		s.blocks.Clear(false)
		for i, taken := range []Segment{0, 8, 9} {
			s.blocks.ReplaceOrInsert(block{Address(i), 1, "other", taken})
		}
		if got := s.segmentFor(&Job{ID: id, Spec: &Spec{Project: "p"}}); got != want {
			t.Errorf("%v is in segment %d, want %d", id, got, want)
		}
	}
	s.blocks.ReplaceOrInsert(block{9, 1, "other", MaxSegment})
	if got := s.segmentFor(&Job{ID: JobID(MaxSegment) - 1, Spec: &Spec{Project: "p"}}); got != 1 {
		t.Errorf("after the last segment comes %d", got)
	}
}

func TestJobsOfAnOpenSubnetOrOfBeforeAreInNoSegment(t *testing.T) {
	s := connected(t)
	set := func(subnet Subnet) *Rejection {
		return s.Apply(s.Revision+1, Command{Actor: root, Action: SetSubnet{subnet}}).Rejection
	}
	submit := submits(t, s)
	apart, open := s.Subnet, s.Subnet
	open.Open, open.Rate = true, 50
	if r := set(open); r != nil {
		t.Fatal(r)
	}
	first := submit("a")
	if r := set(apart); r != nil {
		t.Fatalf("the rules cannot change while jobs have addresses: %+v", r)
	}
	if next := submit("a"); first.Segment != 0 || first.Spec.Network != Bridged || next.Segment == 0 {
		t.Errorf("an open subnet gives the segment %d, another %d", first.Segment, next.Segment)
	}
	s.Format = isolates - 1
	if before := submit("a"); before.Segment != 0 || before.Spec.Network != Bridged {
		t.Errorf("a job of an earlier format is in segment %d", before.Segment)
	}
	for _, a := range []Action{SetSubnet{open}, SetSubnet{apart.with(Subnet{Rate: 1})},
		Join{Description: Description{Bridged: true, Isolates: true}}, Join{Description: Description{Limits: true}},
		Join{Description: Description{Diskless: true}}} {
		if r := s.Unready(a); r == nil || !strings.Contains(r.Detail, "format 10") {
			t.Errorf("%+v: %+v", a, r)
		}
	}
	a := Within(Join{Description: Description{Bridged: true, Isolates: true, Limits: true}}, isolates-1).(Join)
	if s.Unready(a) != nil || !a.Description.Bridged {
		t.Errorf("a monitor joins as %+v", a.Description)
	}
	s.Format = LatestFormat
	for _, rate := range []int{-1, MaxRate + 1} {
		if r := set(s.Subnet.with(Subnet{Rate: rate})); r == nil || r.Field != "bandwidth" {
			t.Errorf("a limit of %d Mbit/s: %+v", rate, r)
		}
	}
}

func TestTheEventOfASubnetTellsItsRules(t *testing.T) {
	s := connected(t)
	for _, c := range []struct {
		rules Subnet
		want  string
	}{{Subnet{}, "10.0.0.0/29"}, {Subnet{Open: true, Rate: 500}, "10.0.0.0/29, open, 500 Mbit/s"}} {
		r := s.Apply(s.Revision+1, Command{Actor: root, Action: SetSubnet{s.Subnet.with(c.rules)}})
		if len(r.Events) != 1 || r.Events[0].Kind != SubnetSet || r.Events[0].Cause.Text != c.want {
			t.Errorf("the event of %q: %+v", c.want, r)
		}
	}
}

// A monitor of an earlier version would start the VM without the filter, and with another hardware address.
func TestOnlyNodesThatIsolateTakeIsolatedJobs(t *testing.T) {
	for _, c := range []struct {
		d    Description
		want [Isolated + 1]bool
	}{
		{Description{}, [...]bool{true, false, false}},
		{Description{Bridged: true}, [...]bool{true, true, false}},
		{Description{Bridged: true, Isolates: true}, [...]bool{true, true, true}},
	} {
		for network, want := range c.want {
			n := Node{Description: c.d}
			if got := new(State).Allows(&n, &Spec{Network: Network(network)}, ""); got != want {
				t.Errorf("%+v takes network %d: %v", c.d, network, got)
			}
		}
	}
}

// A job may ask for nothing but a network, or a least yield: it is not to be taken for one that may go anywhere.
func TestPoliciesMayPlaceAJobOnlyWhereItsNetworkAndItsLeastYieldAre(t *testing.T) {
	s := connected(t)
	for name, d := range map[string]Description{
		"plain":   {CPU: 1000, Memory: 1024 * MiB},
		"bridged": {CPU: 1000, Memory: 1024 * MiB, Bridged: true, Isolates: true},
		"slow":    {CPU: 500, Memory: 1024 * MiB, Speed: 500},
	} {
		s.Apply(s.Revision+1, Command{Actor: root, Action: Join{name, "boot", d, 0}})
	}
	spec := Spec{Tasks: 1, Need: 1000, Image: "k@sha256:" + strings.Repeat("a", 64)}
	spec.Requirement.Memory = 64 * MiB
	connects, demands := spec, spec
	connects.Network, demands.MinYield = Bridged, Whole*3/4
	for want, spec := range map[string]*Spec{
		"bridged plain slow": &spec, "bridged": &connects, "bridged plain": &demands,
	} {
		r := s.Apply(s.Revision+1, Command{Actor: root, Action: Submit{Spec: spec}})
		var allowed []string
		for n := range s.Nodes() {
			if s.View(s.Now).Allowing(s.Job(r.Job))(n) {
				allowed = append(allowed, n.Name)
			}
		}
		slices.Sort(allowed)
		if got := strings.Join(allowed, " "); got != want || spec.Choosy() != (want != "bridged plain slow") {
			t.Errorf("%+v: may go to %s, want %s", spec.Demands(), got, want)
		}
	}
}

// bridged returns a cluster whose projects are kept apart, with one node that does so and one with an older monitor.
func bridged(t *testing.T) *promised {
	w := newPromised(t)
	w.do(SetSubnet{Subnet{Base: 10 << 24, Bits: 16}})
	w.do(Join{"old", "boot", Description{CPU: 4000, Memory: 1 << 34, Bridged: true}, 0})
	w.do(Join{"new", "boot", Description{CPU: 1000, Memory: 1 << 34, Bridged: true, Isolates: true}, 0})
	return w
}

func TestAJobIsAdmittedToTheNodesThatKeepItsProjectApart(t *testing.T) {
	w := bridged(t)
	spec := w.spec(1, 400, &Reservation{Hour, Hour})
	spec.Network = Bridged
	p := w.s.PromiseTo(w.submit(spec))
	if n := w.s.Node(p.Nodes[0]); n.Name != "new" {
		t.Errorf("it is promised %s", n.Name)
	}
	w.do(Reschedule{p.Job, Minute})
	if got := w.s.PromiseTo(p.Job); got.Until != p.Until+Minute {
		t.Errorf("extended by a minute from %v to %v", p.Until, got.Until)
	}
	large := w.spec(1, 2000, nil)
	large.Network = Bridged
	if r := (Submit{Spec: large}).Refuse(w.s); r == nil || r.Code != CodeNeedsMoreCPU {
		t.Errorf("larger than any of them: %+v", r)
	}
}

func TestAnOfferHoldsNodesThatKeepItsProjectApart(t *testing.T) {
	w := bridged(t)
	first := w.spec(1, 800, &Reservation{Hour, Hour})
	first.Placement.Nodes = []string{"new"}
	w.submit(first)
	spec := w.spec(1, 400, &Reservation{Hour, Hour})
	spec.Network = Bridged
	w.do(Submit{Spec: spec, Hold: Minute})
	for o := range w.s.Offers() {
		j := w.s.Job(w.do(AcceptOffer{o.ID}).Job)
		if p := w.s.PromiseTo(j.ID); o.Spec.Network != Isolated || w.s.Node(p.Nodes[0]).Name != "new" || j.Segment == 0 {
			t.Errorf("%+v, promised %+v", o.Spec, p)
		}
		return
	}
	t.Error("nothing was offered")
}

func TestWithoutANodeThatKeepsProjectsApartTheRefusalSaysSo(t *testing.T) {
	w := newPromised(t)
	w.do(SetSubnet{Subnet{Base: 10 << 24, Bits: 16}})
	w.do(Join{"old", "boot", Description{CPU: 4000, Memory: 1 << 34, Bridged: true}, 0})
	spec := w.spec(1, 400, nil)
	spec.Network = Bridged
	r := (Submit{Spec: spec}).Refuse(w.s)
	if r == nil || r.Field != "network" || !strings.Contains(r.Detail, "`aliquot network set 10.0.0.0/16 --open`") {
		t.Errorf("%+v", r)
	}
}

func TestAnUpgradeLeavesTheNetworkOpen(t *testing.T) {
	for _, subnet := range []Subnet{{}, {Base: 10 << 24, Bits: 16}} {
		s := connected(t)
		s.Format, s.Subnet = isolates-1, subnet
		s.Apply(s.Revision+1, Command{Actor: Actor{Role: System}, Action: Raise{LatestFormat}})
		if s.Format != LatestFormat || s.Subnet.Open != (subnet.Bits > 0) {
			t.Errorf("of %v it makes %+v", subnet, s.Subnet)
		}
	}
}

// limited is a state whose cards have a limit, which the node "able" can give and "unable" cannot.
func limited(t *testing.T) (s *State, do func(Action) Result) {
	s = connected(t)
	do = func(a Action) Result {
		r := s.Apply(s.Revision+1, Command{Actor: root, Action: a, Epoch: s.Epoch})
		if err := s.Check(); err != nil {
			t.Fatalf("after %T: %v", a, err)
		}
		return r
	}
	do(Claim{Replica: 1, Term: 1})
	for _, name := range []string{"unable", "able"} {
		do(Join{Name: name, Boot: "b", Description: Description{CPU: 1000, Memory: 1 << 30, Bridged: true, Isolates: true,
			Limits: name == "able"}})
		do(Report{Node: s.NodeNamed(name).ID, FenceAlive: true, StoreProven: true, StoreFree: 1 << 40})
	}
	do(SetSubnet{s.Subnet.with(Subnet{Rate: 5})})
	return s, do
}

func TestOnlyNodesThatLimitCardsTakeJobsWhoseCardsHaveALimit(t *testing.T) {
	s, do := limited(t)
	for _, c := range []struct {
		rate    int
		network Network
		want    bool
	}{{5, Isolated, false}, {5, Bridged, false}, {5, NoNetwork, true}, {0, Isolated, true}, {0, Bridged, true}} {
		do(SetSubnet{s.Subnet.with(Subnet{Rate: c.rate})})
		spec := &Spec{Network: c.network}
		unable, able := s.NodeNamed("unable"), s.NodeNamed("able")
		if s.Allows(unable, spec, "") != c.want || s.LacksLimit(unable, spec) == c.want {
			t.Errorf("with the limit %d a node that limits no card takes network %d: %v", c.rate, c.network, !c.want)
		}
		if !s.Allows(able, spec, "") || s.LacksLimit(able, spec) {
			t.Errorf("with the limit %d a node that limits cards does not take network %d", c.rate, c.network)
		}
		if got, want := s.Connects(unable), c.rate == 0; got != want {
			t.Errorf("with the limit %d a node that limits no card takes jobs that are submitted: %v", c.rate, got)
		}
	}
	do(SetSubnet{s.Subnet.with(Subnet{Rate: 5})})
	spec := &Spec{Tasks: 1, Need: 1, Network: Bridged, Placement: Constraint{Nodes: []string{"unable"}}}
	if r := s.Impossible(spec); r == nil || r.Field != "network" ||
		!strings.Contains(r.Detail, "1 node that may take the job cannot limit network cards") {
		t.Errorf("a job for nodes that limit no card: %+v", r)
	}
}

func TestALimitTakesAwayThePlacementOfVMsThatAreToStartWhereCardsCannotBeLimited(t *testing.T) {
	s, do := limited(t)
	unlimited, limit := s.Subnet.with(Subnet{}), s.Subnet
	do(SetSubnet{unlimited})
	unable := s.NodeNamed("unable").ID
	place := func() *Job {
		spec := &Spec{Tasks: 1, Need: 100, Network: Bridged, Restarts: 1, Image: "k@sha256:" + strings.Repeat("a", 64),
			Requirement: Requirement{Memory: 64 * MiB}}
		id := do(Submit{Spec: spec}).Job
		do(Adopt{Basis: s.Revision, Set: []Holding{{id, Placement{Grant: Foreground.Grant(100), Nodes: []NodeID{unable}}}}})
		return s.Job(id)
	}
	runs, waits := place(), place()
	do(StartMoves{[]Move{{Kind: Start, Task: TaskID{runs.ID, 0}, To: unable, CPU: 100}}})
	run := RunID{runs.ID, 0, 1}
	do(Report{Node: unable, FenceAlive: true, StoreProven: true, StoreFree: 1 << 40, Observations: []Observation{
		{Run: run, Move: 1, Seen: SeenRunning, Cap: 100}}})
	do(SetSubnet{limit})
	if s.Target(waits.ID) != nil || !s.Occasion.NodesChanged {
		t.Errorf("a VM is still to start there: %+v", s.Target(waits.ID))
	}
	if s.Target(runs.ID) == nil {
		t.Error("a VM that runs has to leave")
	}
	for id, stays := range map[JobID]bool{runs.ID: true, waits.ID: false} {
		j, n := s.Job(id), s.Node(unable)
		if s.View(s.Now).Allowing(j)(n) != stays || s.takes(n, j.Spec, j) != stays {
			t.Errorf("whether %v may be on the node, and be promised it: not %v", id, stays)
		}
	}
	do(Report{Node: unable, FenceAlive: true, StoreProven: true, StoreFree: 1 << 40, Observations: []Observation{
		{Run: run, Seen: SeenExited, Exit: &Exit{Code: 1}}}})
	if s.Job(runs.ID).Ended != 0 || s.Target(runs.ID) != nil {
		t.Errorf("a VM is to start again there: %+v", s.Target(runs.ID))
	}
}
