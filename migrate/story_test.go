package migrate

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"aliquot/cluster"
)

// TestStoriesGoAsTold runs testdata/*.txt. A story sets a cluster up, line by line:
//
//	n1 memory=256 [cpu=4000] [foreign=64] [silent]
//	store free=1000                      (MiB, as all memory; -1: there is none)
//	j1 memory=128 [need=1000] [tasks=2] is=running@n1,saved [cap=500] [to=n2,n2] [share=500]
//	   [moving=migrate>n2] [failed=migrate>n2 [lingers|clings]] [cancelled]
//
// What lingers has left a copy at the destination, which has not told that it is gone; what clings cannot be destroyed there. A job without is= has idle tasks, one without to= holds nothing. Then plan shows the
// way to the target, and run goes it, replanning after every round.
func TestStoriesGoAsTold(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			s := &story{}
			datadriven.RunTest(t, file, s.run)
		})
	}
}

type story struct{ *world }

// line is one thing of a story with its properties.
type line struct {
	name string
	args map[string]string
}

func (l line) number(key string, otherwise int) int {
	if l.args[key] == "" {
		return otherwise
	}
	n, err := strconv.Atoi(l.args[key])
	if err != nil {
		panic(err)
	}
	return n
}

func (l line) has(key string) bool { _, ok := l.args[key]; return ok }

func parse(input string) (lines []line) {
	for text := range strings.Lines(input) {
		words := strings.Fields(text)
		l := line{words[0], map[string]string{}}
		for _, word := range words[1:] {
			key, value, _ := strings.Cut(word, "=")
			l.args[key] = value
		}
		lines = append(lines, l)
	}
	return lines
}

func (s *story) run(t *testing.T, d *datadriven.TestData) string {
	limits := Limits{PerNode: 100, Total: 100}
	if d.HasArg("per-node") {
		d.ScanArgs(t, "per-node", &limits.PerNode)
	}
	if d.HasArg("total") {
		d.ScanArgs(t, "total", &limits.Total)
	}
	switch d.Cmd {
	case "cluster":
		s.world = newWorld(t.Fatalf)
		s.setUp(parse(d.Input))
		return ""
	case "plan":
		return s.plan(t, limits)
	case "run":
		return s.carryOut(t, limits)
	}
	d.Fatalf(t, "unknown command %q", d.Cmd)
	return ""
}

func (s *story) setUp(lines []line) {
	var nodes, jobs []line
	store := s.store
	for _, l := range lines {
		switch l.name[0] {
		case 'n':
			nodes = append(nodes, l)
		case 's':
			store = cluster.Bytes(l.number("free", 0)) * cluster.MiB
		case 'j':
			jobs = append(jobs, l)
		}
	}
	for _, l := range nodes {
		s.join(l.name, cluster.CPU(l.number("cpu", 4000)), cluster.Bytes(l.number("memory", 0))*cluster.MiB)
	}
	for _, l := range jobs {
		s.job(l)
	}
	for _, saved := range []bool{true, false} { // they pass through memory that others are in
		for _, l := range jobs {
			if strings.Contains(l.args["is"], "saved") == saved {
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
		n := s.node(l.name)
		s.must(cluster.Report{Node: n, Foreign: cluster.Foreign{Memory: cluster.Bytes(l.number("foreign", 0)) * cluster.MiB}, FenceAlive: true, StoreProven: store >= 0, StoreFree: store})
		if l.has("silent") {
			s.must(cluster.SetHealth{Node: n, Health: cluster.Silent})
		}
	}
}

func (s *story) node(name string) cluster.NodeID {
	n := s.s.NodeNamed(name)
	if n == nil {
		s.fatalf("no node %q", name)
	}
	return n.ID
}

func (s *story) job(l line) {
	j := s.submit(l.number("tasks", 1), cluster.CPU(l.number("need", 1000)), cluster.Bytes(l.number("memory", 0))*cluster.MiB)
	if j == nil || j.ID.String() != l.name {
		s.fatalf("%s is submitted as %+v", l.name, j)
	}
}

// bringTasks takes the job's tasks where it says that they are.
func (s *story) bringTasks(l line) {
	if !l.has("is") {
		return
	}
	id, _ := cluster.ParseJobID(l.name)
	for i, is := range strings.Split(l.args["is"], ",") {
		phase, node, _ := strings.Cut(is, "@")
		at := cluster.NodeID(1)
		if node != "" {
			at = s.node(node)
		}
		phases := []string{"idle", "booting", "running", "saved"}
		if !s.bring(cluster.TaskID{Job: id, Index: i}, cluster.Phase(slices.Index(phases, phase)), at, cluster.CPU(l.number("cap", 1000))) {
			s.fatalf("%s cannot be %s", l.name, is)
		}
	}
}

// target adopts what the jobs say that they shall hold.
func (s *story) target(jobs []line) {
	a := cluster.Adopt{Basis: s.s.Revision, Seen: s.view().Pending()}
	for _, l := range jobs {
		if !l.has("to") {
			continue
		}
		id, _ := cluster.ParseJobID(l.name)
		h := cluster.Holding{Job: id, Placement: cluster.Placement{CPU: cluster.CPU(l.number("share", 1000))}}
		for name := range strings.SplitSeq(l.args["to"], ",") {
			h.Placement.Nodes = append(h.Placement.Nodes, s.node(name))
		}
		a.Set = append(a.Set, h)
	}
	s.must(a)
	for _, h := range a.Set {
		if s.s.Target(h.Job) == nil {
			s.fatalf("the target of %v does not fit", h.Job)
		}
	}
}

// trouble lets moves begin or fail, and cancels.
func (s *story) trouble(l line) {
	id, _ := cluster.ParseJobID(l.name)
	for i := range s.s.Job(id).Tasks {
		task := cluster.TaskID{Job: id, Index: i}
		for _, what := range []string{"failed", "moving"} {
			if !l.has(what) {
				continue
			}
			kind, node, _ := strings.Cut(l.args[what], ">")
			to, cpu := cluster.NodeID(0), cluster.CPU(l.number("share", 1000))
			if node != "" {
				to = s.node(node)
			}
			kinds := []string{"", "start", "stop", "pause", "resume", "migrate", "resize"}
			if !s.start(cluster.MoveKind(slices.Index(kinds, kind)), task, to, cpu) {
				s.fatalf("%v cannot %s", task, l.args[what])
			}
			if what == "failed" {
				s.lazy = l.has("lingers") || l.has("clings")
				s.end(task, false)
				s.lazy = false
			}
			if run := (cluster.RunID{Job: id, Index: i, Number: 1}); l.has("clings") {
				s.report(to, cluster.Observation{Run: run, Seen: cluster.SeenStray})
			}
		}
	}
	if l.has("cancelled") {
		s.must(cluster.Cancel{Job: id})
	}
}

func (s *story) plan(t *testing.T, limits Limits) string {
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

func (s *story) tell(m cluster.Move) string {
	name := func(id cluster.NodeID) string { return s.s.Node(id).Name }
	switch m.Kind {
	case cluster.Start, cluster.Resume:
		return fmt.Sprintf("%v %v on %s, %v", m.Kind, m.Task, name(m.To), m.CPU)
	case cluster.Migrate:
		return fmt.Sprintf("%v %v from %s to %s, %v", m.Kind, m.Task, name(m.From), name(m.To), m.CPU)
	case cluster.Resize:
		return fmt.Sprintf("%v %v on %s to %v", m.Kind, m.Task, name(m.From), m.CPU)
	}
	return fmt.Sprintf("%v %v on %s", m.Kind, m.Task, name(m.From))
}

func (s *story) waits(step Step) string {
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

// carryOut goes the plan round by round: what may start starts, then all that is under way ends.
func (s *story) carryOut(t *testing.T, limits Limits) string {
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

func (s *story) where() string {
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
