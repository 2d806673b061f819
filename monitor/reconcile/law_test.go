package reconcile_test

import (
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/monitor/reconcile"
)

var run = cluster.RunID{Job: 1, Number: 1}

func anyWorld(t *rapid.T) reconcile.World {
	w := newWorld()
	w.CPU = cluster.CPU(rapid.IntRange(0, 1500).Draw(t, "offered"))
	w.Lease, w.Store = rapid.Bool().Draw(t, "lease"), rapid.Bool().Draw(t, "store")
	for i := range rapid.IntRange(1, 3).Draw(t, "runs") {
		r := cluster.RunID{Job: cluster.JobID(i + 1), Number: 1}
		maybe := func(what string) bool { return rapid.Bool().Draw(t, what) }
		if maybe("ordered") {
			w.Orders.Runs = append(w.Orders.Runs, cluster.Order{
				Run: r, Want: rapid.SampledFrom([]cluster.Want{cluster.Stay, cluster.Begin, cluster.Restore, cluster.Save,
					cluster.Leave, cluster.Arrive, cluster.Vanish}).Draw(t, "want"),
				Move: cluster.MoveID(rapid.IntRange(0, 1).Draw(t, "move")),
				CPU:  cluster.CPU(rapid.SampledFrom([]int{100, 200}).Draw(t, "cpu")),
				Peer: "peer", Aborted: maybe("aborted"),
			})
		} else if maybe("given") {
			w.Orders.Destroy = append(w.Orders.Destroy, r)
		}
		if maybe("here") {
			w.Domains[r] = reconcile.Domain{
				State: rapid.SampledFrom([]reconcile.State{reconcile.Running, reconcile.Frozen, reconcile.Doubtful,
					reconcile.Dying}).Draw(t, "state"),
				Cap: cluster.CPU(rapid.SampledFrom([]int{0, 100, 200}).Draw(t, "cap")), Moving: maybe("moving"),
				Stopped: maybe("stopped"),
			}
			if d := w.Domains[r]; d.Cap == 0 {
				d.Uncapped = maybe("uncapped")
				w.Domains[r] = d
			}
		}
		if maybe("begun") {
			g := reconcile.Guest{Begun: true, Started: maybe("started")}
			if maybe("exit") {
				g.Exit = &cluster.Exit{}
			}
			w.Guests[r] = g
		}
		if maybe("image") {
			w.Images[r] = reconcile.Image{Size: cluster.Bytes(rapid.IntRange(0, 1).Draw(t, "size")), Partial: maybe("partial"),
				Used: maybe("used")}
		}
		if maybe("ended") {
			w.Ended[r] = reconcile.End{ByGuest: maybe("by guest"), Cause: "cause"}
		}
		if maybe("busy") {
			w.Busy[r] = reconcile.Action{Run: r,
				Verb: rapid.SampledFrom([]reconcile.Verb{reconcile.Save, reconcile.Migrate, reconcile.Start,
					reconcile.Lower}).Draw(t, "verb")}
		}
		if maybe("failed") {
			w.Failed[r] = reconcile.Failure{Move: 1, Cause: "cause", Lost: maybe("lost")}
		}
		if w.Unread[r] = maybe("unread"); w.Unread[r] {
			delete(w.Guests, r)
			delete(w.Images, r)
		}
		if maybe("asked") {
			w.Peers[r] = rapid.SampledFrom([]reconcile.Presence{reconcile.Unknown, reconcile.There, reconcile.Coming,
				reconcile.Nowhere}).Draw(t, "presence")
		}
	}
	return w
}

// capsWanted returns what the node has for caps, or what is ordered if that is more, and the sum of the caps that are
// ordered or wanted by actions.
func capsWanted(w reconcile.World, actions []reconcile.Action) (offered, asked cluster.CPU) {
	caps := map[cluster.RunID]cluster.CPU{}
	for _, o := range w.Orders.Runs {
		caps[o.Run] = o.CPU
		offered += o.CPU
	}
	for _, a := range actions {
		if a.Verb == reconcile.Raise || a.Verb == reconcile.Lower {
			caps[a.Run] = a.Order.CPU
		}
	}
	for _, cap := range caps {
		asked += cap
	}
	return max(offered, w.CPU), asked
}

func TestAStepFollowsFromTheWorldAloneAndKeepsItsPromises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := anyWorld(t)
		actions, seen := reconcile.Step(w)
		again, same := reconcile.Step(w)
		if !reflect.DeepEqual(actions, again) || !reflect.DeepEqual(seen, same) {
			t.Fatalf("two answers: %v %v and %v %v", actions, seen, again, same)
		}
		if len(actions) > 0 && !w.Lease {
			t.Fatalf("%v without a lease", actions)
		}
		acted, falling := map[cluster.RunID]bool{}, false
		for _, b := range w.Busy {
			falling = falling || b.Verb == reconcile.Lower
		}
		for _, a := range actions {
			_, busy := w.Busy[a.Run]
			d, here := w.Domains[a.Run]
			switch {
			case acted[a.Run]:
				t.Fatalf("two actions on %v: %v", a.Run, actions)
			case busy && !a.Beside():
				t.Fatalf("%v while busy", a)
			case a.Verb == reconcile.Wake && (!d.Stopped || !busy && !d.Moving):
				t.Fatalf("nothing waits for its process: %v", a)
			case a.Verb == reconcile.Start && (here || w.Guests[a.Run].Begun):
				t.Fatalf("started twice: %v", a)
			case a.Verb == reconcile.Restore && (w.Images[a.Run].Used && w.Images[a.Run].Size == 0 && !here ||
				d.State == reconcile.Running):
				t.Fatalf("restored twice: %v", a)
			case a.Verb == reconcile.Thaw && d.Uncapped:
				t.Fatalf("it runs without a cap: %v", a)
			case a.Verb == reconcile.Raise && falling && d.State == reconcile.Running:
				t.Fatalf("a cap rises while others fall: %v", actions)
			case a.Order.Want == cluster.Leave && d.State == reconcile.Doubtful && a.Verb == reconcile.Thaw &&
				w.Peers[a.Run] != reconcile.Nowhere:
				t.Fatalf("goes on here without asking: %v", a)
			}
			acted[a.Run] = true
			falling = falling || a.Verb == reconcile.Lower
		}
		if offered, asked := capsWanted(w, actions); asked > offered {
			t.Fatalf("caps of %d of %d: %v", asked, offered, actions)
		}
		for _, a := range actions {
			if w.Unread[a.Run] && a.Order.Want != 0 && !a.Beside() && a.Verb != reconcile.Destroy &&
				a.Verb != reconcile.Lower && a.Verb != reconcile.Raise {
				t.Fatalf("%v without knowing what the store has", a)
			}
		}
		for _, o := range seen {
			_, here := w.Domains[o.Run]
			ordered := slices.ContainsFunc(w.Orders.Runs, func(r cluster.Order) bool { return r.Run == o.Run })
			if certain := o.Seen == cluster.SeenFailed && w.Untried[o.Run] && !here; w.Unread[o.Run] && ordered && !certain {
				t.Fatalf("%+v is said without knowing what the store has", o)
			}
			over := o.Seen == cluster.SeenExited || o.Seen == cluster.SeenLost || o.Seen == cluster.SeenSaved ||
				o.Seen == cluster.SeenAbsent
			if over && here {
				t.Fatalf("%v is said to be %v, and its VM is here", o.Run, o.Seen)
			}
			if o.Seen == cluster.SeenExited && o.Exit.OK() && w.Guests[o.Run].Exit == nil {
				t.Fatalf("success without the guest's word: %+v", o)
			}
		}
	})
}

// migration is a migration between two nodes, with every fault that may happen to it.
type migration struct {
	source, target reconcile.State // 0: no VM; a target that is Frozen has arrived
	failed         map[cluster.RunID]reconcile.Failure
	sourcePeers    map[cluster.RunID]reconcile.Presence // reports of the target that the source received
	targetPeers    map[cluster.RunID]reconcile.Presence
	ready, capped  bool // the target expects it; a cap is in force there
}

// outcomes are the states of source and target after a migration. All but the first are reported as failed.
var outcomes = []struct{ source, target reconcile.State }{
	{0, reconcile.Frozen}, {0, reconcile.Frozen}, {reconcile.Running, 0},
	{reconcile.Doubtful, reconcile.Frozen}, {reconcile.Doubtful, reconcile.Doubtful},
	{reconcile.Running, reconcile.Frozen},
}

// presence returns a node's answer about a VM in the state.
var presence = map[reconcile.State]reconcile.Presence{
	0: reconcile.Nowhere, reconcile.Doubtful: reconcile.Coming, reconcile.Frozen: reconcile.Landed,
	reconcile.Running: reconcile.There,
}

// perform performs the action at one end, given the state of the other.
func (m *migration) perform(t *rapid.T, a reconcile.Action, here *reconcile.State, there reconcile.State,
	peers map[cluster.RunID]reconcile.Presence) {
	delete(peers, a.Run)
	switch a.Verb {
	case reconcile.Expect:
		m.ready = true
	case reconcile.Raise:
		m.capped = true
	case reconcile.Migrate:
		if m.target != 0 || !m.ready { // a VM of that name already exists
			m.failed[a.Run] = reconcile.Failure{Move: 1, Cause: "refused"}
			return
		}
		how := rapid.IntRange(0, len(outcomes)-1).Draw(t, "outcome")
		m.source, m.target = outcomes[how].source, outcomes[how].target
		if how != 0 {
			m.failed[a.Run] = reconcile.Failure{Move: 1, Cause: "disturbed"}
		}
	case reconcile.Ask:
		if rapid.Bool().Draw(t, "peer answers") {
			peers[a.Run] = presence[there]
		}
	case reconcile.Thaw:
		if here == &m.target && !m.capped {
			t.Fatal("it runs without a cap")
		}
		*here = reconcile.Running
	case reconcile.Destroy:
		*here = 0
	default:
		t.Fatalf("unexpected action %v", a)
	}
}

// step lets one end perform its next action.
func (m *migration) step(t *rapid.T, want cluster.Want, here *reconcile.State, there reconcile.State,
	peers map[cluster.RunID]reconcile.Presence) []cluster.Observation {
	w := newWorld()
	w.Peers = peers
	if want == cluster.Leave {
		w.Failed = m.failed
	}
	w.Orders.Runs = []cluster.Order{{Run: run, Want: want, Move: 1, CPU: 100, Peer: "peer"}}
	w.Unready[run] = want == cluster.Arrive && !m.ready
	if *here != 0 {
		w.Domains[run] = reconcile.Domain{State: *here, Cap: 100}
		if here == &m.target && !m.capped {
			w.Domains[run] = reconcile.Domain{State: *here, Uncapped: true}
		}
	}
	actions, seen := reconcile.Step(w)
	for _, a := range actions {
		m.perform(t, a, here, there, peers)
	}
	return seen
}

func TestAMigrationNeverLeavesTwoVMsRunningNorNone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &migration{
			source: reconcile.Running, failed: map[cluster.RunID]reconcile.Failure{},
			sourcePeers: map[cluster.RunID]reconcile.Presence{}, targetPeers: map[cluster.RunID]reconcile.Presence{},
		}
		for range 400 {
			if m.target == reconcile.Doubtful && rapid.Bool().Draw(t, "target gives up") {
				m.target = 0 // it noticed that the source is silent
			}
			if rapid.IntRange(0, 9).Draw(t, "restart") == 0 {
				clear(m.failed) // the source's monitor was restarted
				clear(m.sourcePeers)
			}
			var seen []cluster.Observation
			if rapid.Bool().Draw(t, "source steps") {
				seen = m.step(t, cluster.Leave, &m.source, m.target, m.sourcePeers)
			} else {
				seen = m.step(t, cluster.Arrive, &m.target, m.source, m.targetPeers)
			}
			if m.source == reconcile.Running && m.target == reconcile.Running {
				t.Fatal("it runs twice")
			}
			if m.source == 0 && m.target == 0 {
				t.Fatal("it is nowhere")
			}
			for _, o := range seen {
				if o.Seen == cluster.SeenArrived && m.source == 0 {
					return
				}
				if o.Seen == cluster.SeenFailed && m.source == reconcile.Running {
					m.goOn(t)
					return
				}
			}
		}
		t.Fatal("no end after 400 steps")
	})
}

// goOn continues after the source has reported that the migration failed. A VM that stands still at the target is
// condemned, but the target may act on its old order until it receives the new one. No other VM of the task is created
// before the target has reported that it has none. At the source the VM may end at any time.
func (m *migration) goOn(t *rapid.T) {
	told, gone, elsewhere := false, false, reconcile.State(0)
	for range 400 {
		told = told || rapid.IntRange(0, 9).Draw(t, "target is told") == 9
		switch {
		case m.source == reconcile.Running && rapid.IntRange(0, 3).Draw(t, "ends") == 3:
			m.source = 0
		case gone && m.source == reconcile.Running && rapid.Bool().Draw(t, "moves on"):
			m.source, elsewhere = 0, reconcile.Running
		case gone && m.source == 0 && elsewhere == 0:
			elsewhere = reconcile.Running // its next run
		}
		switch {
		case m.target == reconcile.Doubtful && rapid.Bool().Draw(t, "target gives up"):
			m.target = 0
		case !told:
			m.step(t, cluster.Arrive, &m.target, m.source, m.targetPeers)
		default:
			gone = m.clean(t) || gone
		}
		running := 0
		for _, state := range []reconcile.State{m.source, m.target, elsewhere} {
			if state == reconcile.Running {
				running++
			}
		}
		if running > 1 {
			t.Fatalf("it runs twice: %v at the source, %v at the target, %v elsewhere", m.source, m.target, elsewhere)
		}
		if gone && elsewhere == reconcile.Running {
			return
		}
	}
	t.Fatal("the task is kept waiting forever")
}

// clean lets the target follow its orders once its copy is condemned. It reports whether the target has reported that
// the copy is gone.
func (m *migration) clean(t *rapid.T) bool {
	w := newWorld()
	w.Orders.Destroy = []cluster.RunID{run}
	if m.target != 0 {
		w.Domains[run] = reconcile.Domain{State: m.target, Cap: 100}
	}
	actions, seen := reconcile.Step(w)
	for _, a := range actions {
		m.perform(t, a, &m.target, m.source, m.targetPeers)
	}
	for _, o := range seen {
		if o.Run == run && o.Seen == cluster.SeenAbsent {
			return true
		}
	}
	return false
}
