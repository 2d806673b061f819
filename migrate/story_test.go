package migrate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"aliquot/cluster"
	"aliquot/internal/story"
)

// TestStoriesGoAsTold runs testdata/*.txt. A story sets up a cluster, line by line:
//
//	n1 memory=256 [cpu=4000] [foreign=64] [silent] [immobile]
//	store free=1000                      (MiB, as all memory; -1: there is none)
//	j1 memory=128 [need=1000] [tasks=2] is=running@n1,saved [cap=500] [to=n2,n2] [share=500]
//	   [moving=migrate>n2] [failed=migrate>n2 [lingers|clings]] [cancelled] [killed]
//
// A failed move that lingers leaves a copy at the destination, whose node has not reported it gone; if it clings,
// that node cannot destroy the copy. A job without is= has idle tasks; a job without to= has no target. The command
// plan shows the way to the target. The command run carries it out and replans after every round.
func TestStoriesGoAsTold(t *testing.T) {
	story.Replay(t, "testdata", func(*testing.T) story.Runner { return new(teller).run })
}

type teller struct{ *world }

func (s *teller) run(t *testing.T, d *datadriven.TestData) string {
	limits := Limits{PerNode: 100, Total: 100, Store: 100}
	if d.HasArg("per-node") {
		d.ScanArgs(t, "per-node", &limits.PerNode)
	}
	if d.HasArg("total") {
		d.ScanArgs(t, "total", &limits.Total)
	}
	if d.HasArg("store") {
		d.ScanArgs(t, "store", &limits.Store)
	}
	switch d.Cmd {
	case "cluster":
		s.world = newWorld(t.Fatalf)
		s.setUp(story.Lines(d.Input))
		return ""
	case "plan":
		return s.plan(t, limits)
	case "run":
		return s.carryOut(t, limits)
	}
	d.Fatalf(t, "unknown command %q", d.Cmd)
	return ""
}

func (s *teller) setUp(lines []story.Line) {
	var nodes, jobs []story.Line
	store := s.store
	for _, l := range lines {
		switch l.Name[0] {
		case 'n':
			nodes = append(nodes, l)
		case 's':
			store = cluster.Bytes(l.Number("free", 0)) * cluster.MiB
		case 'j':
			jobs = append(jobs, l)
		}
	}
	for _, l := range nodes {
		s.join(l.Name, cluster.Description{CPU: cluster.CPU(l.Number("cpu", 4000)),
			Memory: cluster.Bytes(l.Number("memory", 0)) * cluster.MiB, Immobile: l.Has("immobile")})
	}
	for _, l := range jobs {
		s.job(l)
	}
	for _, saved := range []bool{true, false} { // the tasks pass through memory that others occupy
		for _, l := range jobs {
			if strings.Contains(l.Args["is"], "saved") == saved {
				s.bringTasks(l)
			}
		}
	}
	s.target(jobs)
	for _, l := range jobs {
		s.trouble(l)
	}
	s.store = max(store, -1)
	for _, l := range nodes {
		n := s.node(l.Name)
		s.must(cluster.Report{Node: n, Foreign: cluster.Foreign{Memory: cluster.Bytes(l.Number("foreign", 0)) * cluster.MiB},
			FenceAlive: true, StoreProven: store >= 0, StoreFree: store})
		if l.Has("silent") {
			s.must(cluster.SetHealth{Node: n, Health: cluster.Silent})
		}
	}
}

func (s *teller) node(name string) cluster.NodeID {
	n := s.s.NodeNamed(name)
	if n == nil {
		s.fatalf("no node %q", name)
	}
	return n.ID
}

func (s *teller) job(l story.Line) {
	j := s.submit(l.Number("tasks", 1), cluster.CPU(l.Number("need", 1000)),
		cluster.Bytes(l.Number("memory", 0))*cluster.MiB)
	if j == nil || j.ID.String() != l.Name {
		s.fatalf("%s is submitted as %+v", l.Name, j)
	}
}

// bringTasks brings the job's tasks into the phases that the line names.
func (s *teller) bringTasks(l story.Line) {
	if !l.Has("is") {
		return
	}
	id, _ := cluster.ParseJobID(l.Name)
	for i, is := range strings.Split(l.Args["is"], ",") {
		phase, node, _ := strings.Cut(is, "@")
		at := cluster.NodeID(1)
		if node != "" {
			at = s.node(node)
		}
		phases := []string{"idle", "booting", "running", "saved"}
		if !s.bring(cluster.TaskID{Job: id, Index: i}, cluster.Phase(slices.Index(phases, phase)), at,
			cluster.CPU(l.Number("cap", 1000))) {
			s.fatalf("%s cannot be %s", l.Name, is)
		}
	}
}

// target adopts the placements that the jobs' lines name.
func (s *teller) target(jobs []story.Line) {
	a := cluster.Adopt{Basis: s.s.Revision, Seen: s.view().Pending()}
	for _, l := range jobs {
		if !l.Has("to") {
			continue
		}
		id, _ := cluster.ParseJobID(l.Name)
		h := cluster.Holding{Job: id,
			Placement: cluster.Placement{Grant: tierOf(l).Grant(cluster.CPU(l.Number("share", 1000)))}}
		for name := range strings.SplitSeq(l.Args["to"], ",") {
			h.Placement.Nodes = append(h.Placement.Nodes, s.node(name))
		}
		a.Set = append(a.Set, h)
		if l.Has("killed") {
			a.Kill = append(a.Kill, id)
		}
	}
	s.must(a)
	for _, h := range a.Set {
		if s.s.Target(h.Job) == nil {
			s.fatalf("the target of %v does not fit", h.Job)
		}
	}
}

func tierOf(l story.Line) cluster.Tier {
	if l.Args["tier"] == "background" {
		return cluster.Background
	}
	return cluster.Foreground
}

// trouble lets moves begin or fail, and cancels jobs.
func (s *teller) trouble(l story.Line) {
	id, _ := cluster.ParseJobID(l.Name)
	for i := range s.s.Job(id).Tasks {
		task := cluster.TaskID{Job: id, Index: i}
		for _, what := range []string{"failed", "moving"} {
			if !l.Has(what) {
				continue
			}
			kind, node, _ := strings.Cut(l.Args[what], ">")
			to, cpu := cluster.NodeID(0), cluster.CPU(l.Number("share", 1000))
			if node != "" {
				to = s.node(node)
			}
			kinds := []string{"", "start", "stop", "pause", "resume", "migrate", "resize"}
			if !s.start(cluster.MoveKind(slices.Index(kinds, kind)), task, to, cpu) {
				s.fatalf("%v cannot %s", task, l.Args[what])
			}
			if what == "failed" {
				s.lazy = l.Has("lingers") || l.Has("clings")
				s.end(task, false)
				s.lazy = false
				if to != 0 {
					s.report(to) // the node tells the memory of a copy that may be there
				}
			}
			if run := (cluster.RunID{Job: id, Index: i, Number: 1}); l.Has("clings") {
				s.report(to, cluster.Observation{Run: run, Seen: cluster.SeenStray})
			}
		}
	}
	if l.Has("cancelled") {
		s.must(cluster.Cancel{Job: id})
	}
}

func (s *teller) plan(t *testing.T, limits Limits) string {
	v := s.view()
	p := Build(v)
	if err := p.Check(v); err != nil {
		t.Fatalf("plan is not feasible: %v", err)
	}
	var b strings.Builder
	for i, step := range p.Steps {
		fmt.Fprintf(&b, "%d. %s%s\n", i, s.tell(step.Move), s.waits(step))
	}
	for _, blocked := range p.Blocked {
		fmt.Fprintf(&b, "%v blocked: %s\n", blocked.Task, blocked.Why)
	}
	if b.Len() == 0 {
		return "nothing to do"
	}
	var now []string
	for _, m := range p.Ready(v, limits) {
		now = append(now, m.Task.String())
	}
	fmt.Fprintf(&b, "now: %s\n", strings.Join(now, " "))
	return b.String()
}

func (s *teller) tell(m cluster.Move) string {
	name := func(id cluster.NodeID) string { return s.s.Node(id).Name }
	switch m.Kind {
	case cluster.Start, cluster.Resume:
		return fmt.Sprintf("%v %v on %s, %v", m.Kind, m.Task, name(m.To), m.CPU)
	case cluster.Migrate:
		return fmt.Sprintf("%v %v from %s to %s, %v", m.Kind, m.Task, name(m.From), name(m.To), m.CPU)
	case cluster.Resize:
		text := fmt.Sprintf("%v %v on %s to %v", m.Kind, m.Task, name(m.From), m.CPU)
		if m.Tier == cluster.Background {
			text += " in the background"
		}
		return text
	}
	return fmt.Sprintf("%v %v on %s", m.Kind, m.Task, name(m.From))
}

func (s *teller) waits(step Step) string {
	var after []string
	for _, k := range step.After {
		after = append(after, strconv.Itoa(k))
	}
	for m := range s.s.Moves() {
		if slices.Contains(step.Await, m.ID) {
			after = append(after, fmt.Sprintf("the %v of %v", m.Kind, m.Task))
		}
	}
	if after == nil {
		return ""
	}
	return "; after " + strings.Join(after, ", ")
}

// carryOut carries the plan out in rounds: everything that may start starts, then everything under way ends.
func (s *teller) carryOut(t *testing.T, limits Limits) string {
	var b strings.Builder
	for round := 1; ; round++ {
		v := s.view()
		p := Build(v)
		if err := p.Check(v); err != nil {
			t.Fatalf("round %d: plan is not feasible: %v", round, err)
		}
		ready := p.Ready(v, limits)
		if _, _, moving := s.s.Counts(); len(ready)+moving == 0 {
			for _, blocked := range p.Blocked {
				fmt.Fprintf(&b, "%v blocked: %s\n", blocked.Task, blocked.Why)
			}
			return b.String() + s.where()
		}
		if len(ready) > 0 {
			s.must(cluster.StartMoves{Moves: ready})
		}
		var told []string
		for _, m := range slices.Collect(s.s.Moves()) {
			told = append(told, s.tell(*m))
			s.end(m.Task, true)
		}
		fmt.Fprintf(&b, "round %d: %s\n", round, strings.Join(told, "; "))
	}
}

func (s *teller) where() string {
	var at []string
	for j := range s.s.Jobs() {
		for i := range j.Tasks {
			word := j.Tasks[i].Phase.String()
			if n := s.s.Node(j.Tasks[i].Node); n != nil {
				word = n.Name
			}
			at = append(at, fmt.Sprintf("%v/%d %s", j.ID, i, word))
		}
	}
	return "then: " + strings.Join(at, ", ") + "\n"
}
