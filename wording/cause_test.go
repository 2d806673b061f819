package wording

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"aliquot/cluster"
)

func why(parts ...cluster.Reason) cluster.Cause { return cluster.Cause{Why: parts} }

func one(code cluster.ReasonCode, values ...int64) cluster.Reason {
	return cluster.Reason{Code: code, Values: values}
}

func words(c cluster.Cause, text string) cluster.Cause { c.Text = text; return c }

func TestACauseIsToldFromTheOutsideIn(t *testing.T) {
	names := Names{Node: func(cluster.NodeID) string { return "rack7" }}
	for _, c := range []struct {
		cause cluster.Cause
		want  string
	}{
		{cluster.Cause{}, ""},
		{cluster.Cause{Text: "not needed"}, "not needed"},
		{why(one(cluster.WhyTask, 3), one(cluster.WhyExitCode, 1)), "task 3: exit code 1"},
		{words(why(one(cluster.WhyTask, 0), one(cluster.WhySignal)), "SIGKILL"), "task 0: killed by SIGKILL"},
		{words(why(one(cluster.WhyTask, 0)), "it crashed"), "task 0: it crashed"},
		{why(one(cluster.WhyTimeSet, 0, int64(cluster.Hour))), "from 1970-01-01 00:00:00 UTC to 1970-01-01 01:00:00 UTC"},
		{why(one(cluster.WhyLostOnce, 1), one(cluster.WhyGone)), "task 1 was lost and must not run twice: the VM is gone"},
		{why(one(cluster.WhyLostOften, 2, 11)), "task 2 was lost 11 times, at last"},
		{words(why(one(cluster.WhyLostOften, 2, 11), one(cluster.WhyNodeDown, 4), one(cluster.WhyConfirmed)), "ann"),
			"task 2 was lost 11 times, at last: node rack7 is down: confirmed down by ann"},
		{why(one(cluster.WhyNodeDown, 4), one(cluster.WhyFenced)),
			"node rack7 is down: its lease and the margin have passed, and its fence, alive at the last report, lets nothing run there"},
		{why(one(cluster.WhyTooFewNodes, 0, 1)), "its task needs a node, but none of the cluster could take it"},
		{why(one(cluster.WhyOutcome, int64(cluster.Succeeded))), "succeeded"},
		{why(one(cluster.WhyOutcome, int64(cluster.Failed)), one(cluster.WhyOverran, 60)),
			"failed: it ran longer than its limit of 1 min"},
		{why(one(cluster.WhyOutcome, int64(cluster.Cancelled)), one(cluster.WhyUnmet, 3, int64(cluster.Failed))),
			"cancelled: it was to run only after the success of j3, which failed"},
		{why(one(cluster.WhyUnmet, 3, int64(cluster.Cancelled))),
			"it was to run only after the success of j3, which was cancelled"},
		{why(one(cluster.WhyUnmet, 3, int64(cluster.Succeeded))), "it was to run only if j3 failed, which succeeded"},
		{why(one(cluster.WhyMet)), "the jobs that it waited for have ended"},
		{words(why(one(cluster.WhyMove, int64(cluster.Migrate))), "no route"), "migrate: no route"},
		{why(one(cluster.WhyGivenUp), one(cluster.WhyNoProgress, 300)), "given up: no progress within 5 min"},
		{why(one(cluster.WhyGivenUp), one(cluster.WhyTooSlow, 7200)), "given up: not done within 2 h"},
		{why(one(cluster.WhyLeftAlone, 3, 600)), "3 moves failed in a row; left alone for 10 min"},
		{words(why(one(cluster.WhyPeriod, int64(90*cluster.Second))), "EASY"), "every 1 min 30 s: EASY"},
		{words(why(one(cluster.WhyMaintenance, 0, int64(cluster.Hour))), "a new disk"),
			"maintenance from 1970-01-01 00:00:00 UTC to 1970-01-01 01:00:00 UTC: a new disk"},
		{words(why(one(cluster.WhyOffer, 3, 2, 0, int64(cluster.Hour), 0)), "render"),
			"offer o3: 2 tasks from 1970-01-01 00:00:00 UTC to 1970-01-01 01:00:00 UTC: render"},
		{words(why(one(cluster.WhyStanding, 3)), "render"), "standing reservation s3: render"},
		{words(why(one(cluster.WhyOccurrence, 3, 0, int64(cluster.Hour))), "no room"),
			"standing reservation s3, from 1970-01-01 00:00:00 UTC to 1970-01-01 01:00:00 UTC: no room"},
		{why(one(cluster.WhyOffer, 3, 1, 0, 0, int64(cluster.Hour))), "offer o3: 1 task by 1970-01-01 01:00:00 UTC"},
		{why(one(cluster.WhyRescheduled, 0, int64(cluster.Hour))),
			"its promise ends at 1970-01-01 01:00:00 UTC instead of 1970-01-01 00:00:00 UTC"},
		{words(why(one("newer", 1)), "x"), `"newer", which a newer version explains: x`},
	} {
		if got := Cause(c.cause, names); got != c.want {
			t.Errorf("%+v\n got %s\nwant %s", c.cause, got, c.want)
		}
	}
}

func TestEveryCodeHasASentence(t *testing.T) {
	count := 0
	for _, file := range []string{"reason.go", "cause.go"} {
		text, err := os.ReadFile("../cluster/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range declared.FindAllSubmatch(text, -1) {
			code := cluster.ReasonCode(found[1])
			if reasons[code] == nil && causes[code] == nil {
				t.Errorf("there is none for %q", code)
			}
			if reasons[code] != nil && causes[code] != nil {
				t.Errorf("there are two for %q", code)
			}
			count++
		}
	}
	if count != len(reasons)+len(causes)-1 { // no code at all has one, too
		t.Errorf("%d codes, %d reasons and %d causes", count, len(reasons), len(causes))
	}
}

func TestNoTwoCodesHaveTheSameSentence(t *testing.T) {
	told := map[string]cluster.ReasonCode{}
	for _, table := range []map[cluster.ReasonCode]func(said) string{reasons, causes} {
		for code := range table {
			if code == "" {
				continue // it is said as not_decided is
			}
			sentence := Cause(why(one(code, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)), Names{})
			if other, twice := told[sentence]; twice || sentence == "" {
				t.Errorf("%s and %s: %q", code, other, sentence)
			}
			told[sentence] = code
		}
	}
}

var declared = regexp.MustCompile(`ReasonCode += "(\w+)"`)

// A state that runs while every sentence is another one is the same, and only what people read differs.
func TestRewordedSentencesLeaveTheStateAsItIs(t *testing.T) {
	plain, before := life(t)
	for _, table := range []map[cluster.ReasonCode]func(said) string{reasons, causes} {
		for code := range table {
			reword(t, table, code)
		}
	}
	reworded, after := life(t)
	if plain != reworded {
		t.Error("another hash")
	}
	if len(before) < 8 || len(before) != len(after) {
		t.Fatalf("%d sentences, then %d", len(before), len(after))
	}
	for i := range before {
		if before[i] == after[i] {
			t.Errorf("%q is said as before", before[i])
		}
	}
}

// life runs a state through failures, losses and a refusal. It returns the hash at the end, and what was said of it.
func life(t *testing.T) (hash [32]byte, sentences []string) {
	s := cluster.Newest([16]byte{1}, cluster.PolicyChoice{Name: "FCFS", Period: cluster.Minute})
	tell := func(c cluster.Cause) {
		if len(c.Why) > 0 {
			sentences = append(sentences, Cause(c, Of(s)))
		}
	}
	for _, a := range lifetime() {
		actor := cluster.Actor{Name: "ann", Owner: "ann", Project: "p", Role: cluster.System}
		r := s.Apply(s.Revision+1, cluster.Command{At: s.Now + cluster.Second, Actor: actor, Epoch: s.Epoch, Action: a})
		if r.Rejection != nil {
			t.Fatalf("%T: %v", a, r.Rejection)
		}
		for _, e := range r.Events {
			tell(e.Cause)
		}
	}
	for j := range s.History() {
		tell(j.Ending.Cause)
		for i := range j.Tasks {
			if j.Tasks[i].Exit != nil {
				tell(j.Tasks[i].Exit.Explain())
			}
		}
	}
	for j := range s.Jobs() {
		sentences = append(sentences, Reason(j.Why, Of(s)))
	}
	return s.Hash(), sentences
}

// lifetime lists the commands in which four jobs end differently: the first fails by itself, the second by its limit,
// the third could never run, and the node of the fourth is confirmed down.
func lifetime() []cluster.Action {
	digest := strings.Repeat("a", 64)
	spec := &cluster.Spec{
		Owner: "ann", Project: "p", Image: "busybox@sha256:" + digest, Tasks: 1, Need: 1000,
		Requirement: cluster.Requirement{Memory: 16 * cluster.MiB},
	}
	first := cluster.RunID{Job: 1, Number: 1}
	on := func(job cluster.JobID, nodes ...cluster.NodeID) cluster.Holding {
		return cluster.Holding{Job: job, Placement: cluster.Placement{Grant: cluster.Foreground.Grant(200), Nodes: nodes}}
	}
	start := func(job cluster.JobID) cluster.Move {
		return cluster.Move{Kind: cluster.Start, Task: cluster.TaskID{Job: job}, To: 1, CPU: 200}
	}
	report := func(o ...cluster.Observation) cluster.Report {
		return cluster.Report{Node: 1, FenceAlive: true, StoreProven: true, StoreFree: cluster.MiB, Observations: o}
	}
	return []cluster.Action{
		cluster.PutImage{Image: cluster.Image{Name: "busybox", Digest: digest, Kind: "kernel", Size: 1}},
		cluster.Claim{Replica: 1, Term: 1},
		cluster.Join{Name: "rack7", Boot: "b", Description: cluster.Description{CPU: 1000, Memory: 200 * cluster.MiB}},
		cluster.Submit{Spec: spec}, cluster.Submit{Spec: spec}, cluster.Submit{Spec: spec}, cluster.Submit{Spec: spec},
		report(),
		cluster.Adopt{
			Basis: 8, Set: []cluster.Holding{on(1, 1), on(2, 1), on(4, 1)},
			Refuse: []cluster.Refusal{{Job: 3, Reason: cluster.Reason{Job: 3, Code: cluster.WhyTooFewNodes,
				Values: []int64{0, 1}}}},
			Why: []cluster.Reason{{Job: 1, Code: cluster.WhyPlaced, Values: []int64{200}}},
		},
		cluster.StartMoves{Moves: []cluster.Move{start(1), start(4)}},
		report(cluster.Observation{Run: first, Seen: cluster.SeenExited, Exit: &cluster.Exit{Code: 1}}),
		cluster.Cancel{Job: 2, Cause: cluster.Because(cluster.WhyOverran, 60)},
		cluster.SetHealth{Node: 1, Health: cluster.Silent},
		cluster.SetNode{Node: 1, Want: cluster.ConfirmDown},
	}
}

func reword(t *testing.T, table map[cluster.ReasonCode]func(said) string, code cluster.ReasonCode) {
	before := table[code]
	t.Cleanup(func() { table[code] = before })
	table[code] = func(said) string { return "other words for " + string(code) + ": " }
}
