package policytest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"aliquot/cluster"
	"aliquot/internal/story"
	"aliquot/policy"
	"aliquot/wording"
)

// RunStories replays the stories in dir. A story begins with the command
//
//	cluster period=60s store=64
//
// followed by a line for the policy ("policy GreedyPM */per") and lines for nodes ("n1 cpu=4000 memory=1024"). CPU is
// in millicores, memory and store are in MiB. Without store= the store is ample; store=none removes it. Commands "at
// TIME" follow. Their lines are the events of that time:
//
//	j3 tasks=2 need=500 memory=64 [on=n1,n2] [spread] [estimate=60s]
//	   [reserve=60s+600s] [owner=ann] [class=either]   is submitted
//	j3 ends, j3/1 ends, j3 is held, j3 is released
//	n2 is cordoned, drained, uncordoned, silent, down or ready
//	n3 cpu=4000 memory=1024                            joins, or changes
//	owner=ann weighs 200
//
// Ticks in between happen by themselves. Every occasion is decided, and every decision carried out, at once. The
// output is the changes of each decision with their reasons.
func RunStories(t *testing.T, dir string, parse func(name string, period cluster.Time) (policy.Policy, error)) {
	story.Replay(t, dir, func(*testing.T) story.Runner {
		var s *teller
		return func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "cluster":
				s = newTeller(t, d, parse)
			case "at":
				s.World.t, s.out = t, &strings.Builder{}
				s.passTo(duration(d.CmdArgs[0].Key))
				s.happen(d.Input)
				s.decide()
				return s.out.String()
			default:
				t.Fatalf("%s: there is no command %q", d.Pos, d.Cmd)
			}
			return ""
		}
	})
}

type teller struct {
	*World
	out *strings.Builder
}

func newTeller(t *testing.T, d *datadriven.TestData, parse func(string, cluster.Time) (policy.Policy, error)) *teller {
	args := map[string]string{"period": "60s"}
	for _, a := range d.CmdArgs {
		args[a.Key] = strings.Join(a.Vals, "")
	}
	first, nodes, _ := strings.Cut(d.Input, "\n")
	p, err := parse(strings.TrimPrefix(first, "policy "), duration(args["period"]))
	if err != nil {
		t.Fatal(err)
	}
	s := &teller{World: NewWorld(t, p), out: &strings.Builder{}}
	switch store := args["store"]; store {
	case "":
	case "none":
		s.Store = -1
	default:
		s.Store = cluster.Bytes(story.Number(store)) * cluster.MiB
	}
	s.happen(nodes)
	return s
}

// passTo lets time pass. It makes the decisions that are due on the way.
func (s *teller) passTo(at cluster.Time) {
	for {
		wake := s.Look().WakeAt()
		if wake == 0 || wake >= at || wake < s.Clock {
			break
		}
		s.Clock = wake
		s.decide()
	}
	s.Clock = at
}

func (s *teller) happen(lines string) {
	for _, l := range story.Lines(lines) {
		switch {
		case l.Has("weighs"):
			_, owner, _ := strings.Cut(l.Name, "=")
			s.Do(cluster.SetQuota{Quota: cluster.Quota{Owner: owner, Weight: story.Number(l.Words[1])}})
		case strings.HasPrefix(l.Name, "n"):
			s.nodeEvent(l)
		case l.Has("need"):
			s.submit(l)
		default:
			s.jobEvent(l.Name, strings.Join(l.Words, " "))
		}
	}
}

func (s *teller) nodeEvent(l story.Line) {
	n, what := s.NodeNamed(l.Name), strings.Join(l.Words, " ")
	wish := map[string]cluster.NodeWish{"is cordoned": cluster.Cordon, "is drained": cluster.Drain,
		"is uncordoned": cluster.Uncordon}
	health := map[string]cluster.Health{"is silent": cluster.Silent, "is down": cluster.Down, "is ready": cluster.Ready}
	if w, ok := wish[what]; ok {
		s.Do(cluster.SetNode{Node: n.ID, Want: w})
	} else if h, ok := health[what]; ok {
		s.Do(cluster.SetHealth{Node: n.ID, Health: h})
	} else {
		s.Join(l.Name, cluster.Description{CPU: cluster.CPU(l.Number("cpu", 0)),
			Memory: cluster.Bytes(l.Number("memory", 0)) * cluster.MiB, Cores: l.Number("cores", 0),
			Immobile: l.Has("immobile")})
	}
}

func (s *teller) submit(l story.Line) {
	spec := cluster.Spec{
		Tasks: l.Number("tasks", 1), Need: cluster.CPU(l.Number("need", 0)),
		Requirement: cluster.Requirement{Memory: cluster.Bytes(l.Number("memory", 0)) * cluster.MiB},
		Owner:       l.Args["owner"],
	}
	if nodes := l.Args["on"]; nodes != "" {
		spec.Placement.Nodes = strings.Split(nodes, ",")
	}
	if estimate := l.Args["estimate"]; estimate != "" {
		spec.Estimate = duration(estimate)
	}
	if start, lasts, reserves := strings.Cut(l.Args["reserve"], "+"); reserves {
		spec.Reserve = &cluster.Reservation{Start: duration(start), Lasts: duration(lasts)}
	}
	spec.Placement.Spread = l.Has("spread")
	var err error
	if spec.Class, err = cluster.ParseClass(l.Args["class"]); err != nil {
		s.t.Fatalf("%s: %v", l.Name, err)
	}
	r := s.Submit(spec)
	if r.Rejection != nil {
		s.t.Fatalf("%s: %v", l.Name, r.Rejection)
	}
	if r.Job.String() != l.Name {
		s.t.Fatalf("the story calls %v %s", r.Job, l.Name)
	}
}

func (s *teller) jobEvent(name, what string) {
	jobName, index, single := strings.Cut(name, "/")
	id, err := cluster.ParseJobID(jobName)
	if err != nil {
		s.t.Fatalf("%v", err)
	}
	switch {
	case what == "is held":
		s.Do(cluster.Hold{Job: id})
	case what == "is released":
		s.Do(cluster.Release{Job: id})
	case what == "ends" && single:
		s.End(cluster.TaskID{Job: id, Index: story.Number(index)})
	case what == "ends":
		for i := range s.Job(id).Tasks {
			if s.Job(id).Tasks[i].Phase != cluster.Done {
				s.End(cluster.TaskID{Job: id, Index: i})
			}
		}
	default:
		s.t.Fatalf("%s %s: a job ends, is held or is released", name, what)
	}
}

// decide decides and carries out as long as there is something to decide at this time.
func (s *teller) decide() {
	for round := 0; !s.Look().Pending().Empty(); round++ {
		if round == 10 {
			s.t.Fatalf("%v: decisions do not come to rest", s.Clock)
		}
		before := s.Look()
		s.Decide()
		s.tell(before, s.Look())
		s.Settle()
	}
	if err := s.Check(); err != nil {
		s.t.Fatalf("%v", err)
	}
}

// tell prints the changes from one view to the next.
func (s *teller) tell(before, after *cluster.View) {
	ids := map[cluster.JobID]bool{}
	for j := range before.Jobs() {
		ids[j.ID] = true
	}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		if line := s.change(before, after, id); line != "" {
			fmt.Fprintf(s.out, "%5.0fs %v %s\n", s.Clock.Seconds(), id, line)
		}
	}
}

func (s *teller) change(before, after *cluster.View, id cluster.JobID) string {
	old, now, j := before.Target(id), after.Target(id), after.Job(id)
	switch {
	case j == nil:
		return "is refused: " + wording.Cause(s.Ended(id).Ending.Cause, wording.Names{})
	case now == nil && old != nil:
		return "pauses: " + says(j.Why)
	case now == nil:
		if !j.Schedulable() || says(j.Why) == says(before.Job(id).Why) {
			return ""
		}
		return says(j.Why)
	case old == nil && j.Tasks[0].Phase == cluster.Idle:
		return fmt.Sprintf("starts%s on %s, %v", below(now), s.names(now), now.Cap)
	case old == nil:
		return fmt.Sprintf("resumes%s on %s, %v", below(now), s.names(now), now.Cap)
	case !slices.Equal(old.Nodes, now.Nodes):
		return fmt.Sprintf("moves from %s to %s, %v: %s", s.names(old), s.names(now), now.Cap, says(j.Why))
	case old.Tier != now.Tier:
		return fmt.Sprintf("goes to the %v on %s, %v", now.Tier, s.names(now), now.Cap)
	case !slices.Equal(old.Cores, now.Cores):
		return fmt.Sprintf("is bound to %s instead of %s", s.names(now), s.names(old))
	case old.Cap != now.Cap:
		return fmt.Sprintf("gets %v instead of %v", now.Cap, old.Cap)
	}
	return ""
}

// below says where a job is if that is the background.
func below(p *cluster.Placement) string {
	if p.Tier == cluster.Background {
		return " in the background"
	}
	return ""
}

func says(r cluster.Reason) string { return wording.Reason(r, wording.Names{}) }

func (s *teller) names(p *cluster.Placement) string {
	var names []string
	for i, n := range p.Nodes {
		switch {
		case n == 0:
		case p.Core(i) > 0:
			names = append(names, fmt.Sprintf("%s/%d", s.Node(n).Name, p.Core(i)))
		default:
			names = append(names, s.Node(n).Name)
		}
	}
	return strings.Join(names, " ")
}

func duration(s string) cluster.Time {
	return cluster.Time(story.Number(strings.TrimSuffix(s, "s"))) * cluster.Second
}
