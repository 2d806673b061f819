package cluster

import (
	"strings"
	"testing"
)

// broken are ways to break one invariant each, with a part of the error that must follow.
var broken = map[string]struct {
	harm func(*State)
	want string
}{
	"a job without a live task":    {inTask(1, func(t *Task) { t.Phase = Done }), "has 0 live tasks of 1"},
	"a task on a missing node":     {inTask(1, func(t *Task) { t.Node = 99 }), "j1/0 is running on node 99"},
	"a running task with an image": {inTask(1, func(t *Task) { t.Image = 5 }), "with an image of 5"},
	"more is stolen than there is": {inTask(1, func(t *Task) {
		t.Progress = &Progress{Steal: Whole + 1, Observed: true}
	}), "with the progress"},
	"stolen, but never observed":    {inTask(1, func(t *Task) { t.Progress = &Progress{Steal: 1} }), "with the progress"},
	"a held job with a placement":   {inJob(1, func(j *Job) { j.Held = true }), "j1 holds"},
	"a placement on a missing node": {placed(1, on(Foreground.Grant(10), []NodeID{99})), "placed on node 99"},
	"a placement of too many tasks": {placed(1, on(Foreground.Grant(10), []NodeID{1, 2})), "of another shape"},
	"a placement that binds fewer tasks than it has": {placed(1, Placement{Foreground.Grant(10), []NodeID{1},
		[]CoreID{1, 1}}), "and processors"},
	"a placement beyond the need": {placed(1, on(Foreground.Grant(1001), []NodeID{1})), "of another shape"},
	"a start of a running task": {inTask(9, func(t *Task) {
		t.Phase, t.Node = Running, 1
	}), "start is under way for j9/0"},
	"a move of a missing job": {func(s *State) {
		s.moves.ReplaceOrInsert(&Move{ID: 7, Task: TaskID{Job: 99}})
	}, "does not exist"},
	"a load that is no sum":         {inNode(1, func(n *Node) { n.Load.Memory++ }), "node 1 counts"},
	"memory that nothing occupies":  {inNode(2, func(n *Node) { n.Occupied++ }), "node 2 counts"},
	"space that no pause reserves":  {func(s *State) { s.reserved++ }, "store space reserved"},
	"an occasion out of order":      {func(s *State) { s.Occasion.Submitted = []JobID{20, 19} }, "occasion names j19"},
	"an occasion with an ended job": {func(s *State) { s.Occasion.Submitted = []JobID{99} }, "occasion names j99"},
	"an agenda out of order": {func(s *State) {
		s.Agenda = Agenda{{At: 2, Kind: AlarmTick}, {At: 1, Kind: AlarmTick}}
	}, "the agenda"},
	"a forgotten node of a job":     {func(s *State) { s.located.DeleteMin() }, "jobs by node"},
	"an end that never was":         {func(s *State) { s.pasts.ReplaceOrInsert(past{1, 99}) }, "ended jobs by time"},
	"a forgotten holding":           {func(s *State) { s.held.DeleteMin() }, "holdings by node"},
	"a forgotten waiting job":       {func(s *State) { s.waiting.DeleteMin() }, "hold nothing"},
	"a forgotten unsettled job":     {func(s *State) { s.unsettled.DeleteMin() }, "not as they should be"},
	"a retry of nothing":            {func(s *State) { s.retries.ReplaceOrInsert(Alarm{At: 1}) }, "retries"},
	"a deadline of nothing":         {func(s *State) { s.deadlines.ReplaceOrInsert(deadline{1, 1}) }, "deadlines"},
	"a node without its strays":     {func(s *State) { s.astray.ReplaceOrInsert(1) }, "nodes with strays"},
	"a ready node among the silent": {func(s *State) { s.silent.ReplaceOrInsert(1) }, "silent nodes"},
	"a run that nobody condemned": {func(s *State) {
		s.contests.ReplaceOrInsert(contest{RunID{1, 0, 1}, 1})
	}, "condemned"},
	"room that does not exist": {inNode(1, func(n *Node) { n.Description.CPU++ }), "what is left of nodes"},
}

func inJob(id JobID, harm func(*Job)) func(*State) {
	return func(s *State) {
		j := s.Job(id).clone()
		harm(j)
		s.jobs.put(j)
	}
}

func inTask(id JobID, harm func(*Task)) func(*State) {
	return inJob(id, func(j *Job) { harm(&j.Tasks[0]) })
}

func inNode(id NodeID, harm func(*Node)) func(*State) {
	return func(s *State) {
		n := s.Node(id).clone()
		harm(n)
		s.nodes.put(n)
	}
}

func on(g Grant, nodes []NodeID) Placement { return Placement{Grant: g, Nodes: nodes} }

func placed(id JobID, p Placement) func(*State) { return func(s *State) { s.target.Set(id, &p) } }

func TestCheckFindsEachBrokenInvariant(t *testing.T) {
	sound := built(t, 2, 20).s
	if err := sound.Check(); err != nil {
		t.Fatal(err)
	}
	for name, c := range broken {
		s := sound.Clone()
		c.harm(s)
		if err := s.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: no %q in: %v", name, c.want, err)
		}
	}
	if err := sound.Check(); err != nil {
		t.Errorf("a clone shares what was harmed: %v", err)
	}
}
