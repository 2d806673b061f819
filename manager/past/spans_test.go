package past_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/manager/past"
)

// happen folds events of one job and task that are a second apart.
func happen(events ...cluster.Event) *past.Spans {
	s := past.NewSpans(1000)
	for i := range events {
		e := events[i]
		e.At, e.Job = cluster.Time(i+1)*cluster.Second, 1
		s.Add(&e)
	}
	return s
}

// told formats the spans of a query for people, in order.
func told(t *testing.T, s *past.Spans, q past.Query) string {
	t.Helper()
	if q.Limit == 0 {
		q.Limit = 1000
	}
	page, err := s.Find(q)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, x := range slices.Backward(page.Spans) {
		end := "…"
		if x.To != 0 {
			end = fmt.Sprint(x.To / cluster.Second)
		}
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%d–%s %v %s n%d %dm %s", x.From/cluster.Second, end, x.Task,
			x.State, x.Node, x.Share, x.Cause.Text)))
	}
	return strings.Join(lines, "\n")
}

func expect(t *testing.T, s *past.Spans, q past.Query, want string) {
	t.Helper()
	if got := told(t, s, q); got != strings.TrimSpace(want) {
		t.Errorf("spans:\n%s\nwant:\n%s", got, strings.TrimSpace(want))
	}
}

func TestTheLifeOfATaskIsToldInSpans(t *testing.T) {
	s := happen(
		cluster.Event{Kind: cluster.JobSubmitted, Task: -1, Cause: cluster.Cause{Text: "its name"}},
		cluster.Event{Kind: cluster.JobPlaced, Task: -1, CPU: 500},
		cluster.Event{Kind: cluster.TaskStarting, Node: 1, Run: 1, CPU: 500},
		cluster.Event{Kind: cluster.TaskStarted, Node: 1, Run: 1, CPU: 500},
		cluster.Event{Kind: cluster.TaskResized, Node: 1, Run: 1, CPU: 300},
		cluster.Event{Kind: cluster.TaskMigrating, Node: 2, From: 1, Run: 1, CPU: 400},
		cluster.Event{Kind: cluster.TaskMigrated, Node: 2, From: 1, Run: 1, CPU: 400},
		cluster.Event{Kind: cluster.JobUnplaced, Task: -1, Cause: cluster.Cause{Text: "paused to free memory for j7"}},
		cluster.Event{Kind: cluster.TaskPausing, Node: 2, Run: 1},
		cluster.Event{Kind: cluster.TaskPaused, Node: 2, Run: 1},
		cluster.Event{Kind: cluster.JobPlaced, Task: -1, CPU: 500},
		cluster.Event{Kind: cluster.TaskResuming, Node: 1, Run: 1, CPU: 500},
		cluster.Event{Kind: cluster.TaskResumed, Node: 1, Run: 1, CPU: 500},
		cluster.Event{Kind: cluster.TaskFrozen, Node: 1, Run: 1},
		cluster.Event{Kind: cluster.TaskThawed, Node: 1, Run: 1},
		cluster.Event{Kind: cluster.TaskExited, Node: 1, Run: 1, Cause: cluster.Cause{Text: "exit code 0"}},
		cluster.Event{Kind: cluster.JobEnded, Task: -1},
	)
	expect(t, s, past.Query{}, `
1–2 j1/-1 waiting n0 0m
3–4 j1/0 starting n1 500m
4–5 j1/0 running n1 500m
5–6 j1/0 running n1 300m
6–7 j1/0 moving n1 300m
7–9 j1/0 running n2 400m
9–10 j1/0 pausing n2 400m
8–11 j1/-1 waiting n0 0m paused to free memory for j7
10–12 j1/0 paused n0 0m
12–13 j1/0 resuming n1 500m
13–14 j1/0 running n1 500m
14–15 j1/0 frozen n1 500m
15–16 j1/0 running n1 500m`)
	expect(t, s, past.Query{Node: 2}, "7–9 j1/0 running n2 400m\n9–10 j1/0 pausing n2 400m")
	expect(t, s, past.Query{From: 5 * cluster.Second, To: 6 * cluster.Second, Placed: true}, "5–6 j1/0 running n1 300m")
	expect(t, s, past.Query{Job: 2}, "")
}

func TestATaskThatChangesItsTierBeginsASpan(t *testing.T) {
	s := happen(
		cluster.Event{Kind: cluster.TaskStarting, Node: 1, Run: 1, CPU: 500, Tier: cluster.Background},
		cluster.Event{Kind: cluster.TaskStarted, Node: 1, Run: 1, CPU: 500, Tier: cluster.Background},
		cluster.Event{Kind: cluster.TaskFrozen, Node: 1, Run: 1},
		cluster.Event{Kind: cluster.TaskThawed, Node: 1, Run: 1},
		cluster.Event{Kind: cluster.TaskResized, Node: 1, Run: 1, CPU: 500},
		cluster.Event{Kind: cluster.TaskPausing, Node: 1, Run: 1},
		cluster.Event{Kind: cluster.TaskPaused, Node: 1, Run: 1},
	)
	page, err := s.Find(past.Query{Limit: 100})
	var tiers []string
	for _, x := range slices.Backward(page.Spans) {
		tiers = append(tiers, x.State+" "+x.Tier.String())
	}
	want := []string{"starting background", "running background", "frozen background", "running background",
		"running foreground", "pausing foreground", "paused foreground"}
	if err != nil || !slices.Equal(tiers, want) {
		t.Errorf("%v: %q, want %q", err, tiers, want)
	}
}

func TestATaskThatIsFoundHasItsShareAndTierAgain(t *testing.T) {
	s := happen(
		cluster.Event{Kind: cluster.TaskStarted, Node: 1, Run: 1, CPU: 500, Tier: cluster.Background},
		cluster.Event{Kind: cluster.TaskLost, Node: 1, Run: 1},
		cluster.Event{Kind: cluster.TaskFound, Node: 1, Run: 1, CPU: 500, Tier: cluster.Background},
	)
	expect(t, s, past.Query{}, "1–2 j1/0 running n1 500m\n3–… j1/0 running n1 500m")
	if page, err := s.Find(past.Query{Limit: 1}); err != nil || page.Spans[0].Tier != cluster.Background {
		t.Errorf("%v: %v", err, page.Spans)
	}
}

func TestATaskWhoseShareChangesWhileItBootsStillStarts(t *testing.T) {
	s := happen(
		cluster.Event{Kind: cluster.TaskStarting, Node: 1, Run: 1, CPU: 500},
		cluster.Event{Kind: cluster.TaskResized, Node: 1, Run: 1, CPU: 300},
		cluster.Event{Kind: cluster.TaskStarted, Node: 1, Run: 1, CPU: 300},
	)
	expect(t, s, past.Query{}, `
1–2 j1/0 starting n1 500m
2–3 j1/0 starting n1 300m
3–… j1/0 running n1 300m`)
}

func TestAFailedMoveIsWhatItWasBefore(t *testing.T) {
	s := happen(
		cluster.Event{Kind: cluster.TaskStarting, Node: 1, Run: 1, CPU: 500},
		cluster.Event{Kind: cluster.MoveFailed, Node: 1, Run: 1, Cause: cluster.Cause{Text: "start: no image"}},
		cluster.Event{Kind: cluster.TaskStarting, Node: 2, Run: 2, CPU: 500},
		cluster.Event{Kind: cluster.TaskStarted, Node: 2, Run: 2, CPU: 500},
		cluster.Event{Kind: cluster.TaskPausing, Node: 2, Run: 2},
		cluster.Event{Kind: cluster.MoveFailed, Node: 2, Run: 2, Cause: cluster.Cause{Text: "pause: disk full"}},
		cluster.Event{Kind: cluster.MoveFailed, Node: 2, Run: 2, Cause: cluster.Cause{Text: "resize: too late"}},
	)
	expect(t, s, past.Query{}, `
1–2 j1/0 starting n1 500m
3–4 j1/0 starting n2 500m
4–5 j1/0 running n2 500m
5–6 j1/0 pausing n2 500m
6–… j1/0 running n2 500m pause: disk full`)
}

func TestWhatLastsComesFirstAndThenTheLatestThatEnded(t *testing.T) {
	s := past.NewSpans(1000)
	for second := range 6 {
		s.Add(&cluster.Event{Kind: cluster.TaskStarted, Job: 1, Task: second % 3, Node: 1, Run: second,
			At: cluster.Time(second+1) * cluster.Second})
	}
	pages, q := "", past.Query{Limit: 2}
	for next := "first"; next != ""; next = q.After {
		page, err := s.Find(q)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range page.Spans {
			pages += fmt.Sprintf(" %d–%d", x.From/cluster.Second, x.To/cluster.Second)
		}
		pages += ";"
		q.After = page.Next
	}
	if pages != " 4–0 5–0; 6–0 3–6; 2–5 1–4;" {
		t.Errorf("the pages hold%s", pages)
	}
}

func TestWhatIsKnownBeginsWithTheFirstEvent(t *testing.T) {
	if page, err := past.NewSpans(10).Find(past.Query{Limit: 1}); err != nil || page.Since != 0 {
		t.Errorf("nothing was told, and all is known since %v, %v", page.Since, err)
	}
	page, err := happen(cluster.Event{Kind: cluster.NodeJoined, Node: 1}, cluster.Event{Kind: cluster.TaskStarted,
		Node: 1}).Find(past.Query{Limit: 1})
	if err != nil || page.Since != cluster.Second {
		t.Errorf("known since %v, %v", page.Since, err)
	}
}

func TestWhatIsNotKeptIsSaid(t *testing.T) {
	s := past.NewSpans(80)
	for i := range 1000 {
		s.Add(&cluster.Event{Kind: cluster.TaskResized, Job: 1, Node: 1, CPU: cluster.CPU(i + 1),
			At: cluster.Time(i) * cluster.Second})
	}
	page, err := s.Find(past.Query{Limit: 10_000})
	if err != nil || len(page.Spans) > 91 || page.Since != page.Spans[len(page.Spans)-1].From {
		t.Errorf("%d spans since %v, the first from %v, %v", len(page.Spans), page.Since, page.Spans[0].From, err)
	}
}

func TestCursorsThatNoPageGaveAreRefused(t *testing.T) {
	for _, text := range []string{"x", "-1", "j1", "j1/", "j1/-2", "1/2", "j0x/1"} {
		if _, err := happen().Find(past.Query{After: text, Limit: 1}); err == nil {
			t.Errorf("%q is taken for a cursor", text)
		}
	}
}

var kinds = cluster.EventKinds()

// Whatever happens, the spans of a task follow each other, and pages hold each span once.
func TestSpansOfATaskNeverOverlap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := past.NewSpans(rapid.IntRange(8, 40).Draw(t, "kept"))
		at := cluster.Time(1)
		for range rapid.IntRange(0, 120).Draw(t, "events") {
			at += cluster.Time(rapid.IntRange(0, 3).Draw(t, "later"))
			s.Add(&cluster.Event{
				At: at, Kind: rapid.SampledFrom(kinds).Draw(t, "kind"), Job: cluster.JobID(rapid.IntRange(0, 2).Draw(t, "job")),
				Task: rapid.IntRange(-1, 1).Draw(t, "task"), Run: rapid.IntRange(0, 2).Draw(t, "run"),
				Node: cluster.NodeID(rapid.IntRange(1, 2).Draw(t, "node")), From: 1,
				CPU: cluster.CPU(rapid.IntRange(0, 3).Draw(t, "share")),
			})
		}
		all, err := s.Find(past.Query{Limit: 10_000})
		if err != nil {
			t.Fatal(err)
		}
		ends := map[cluster.TaskID]cluster.Time{}
		for _, x := range slices.Backward(all.Spans) {
			if x.From < ends[x.Task] || x.To != 0 && x.To <= x.From {
				t.Fatalf("%v: %v–%v after one until %v", x.Task, x.From, x.To, ends[x.Task])
			}
			if ends[x.Task] = x.To; x.To == 0 {
				ends[x.Task] = 1 << 60
			}
		}
		var paged []past.Span
		for q := (past.Query{Limit: 3}); ; {
			page, err := s.Find(q)
			if err != nil {
				t.Fatal(err)
			}
			paged = append(paged, page.Spans...)
			if q.After = page.Next; q.After == "" {
				break
			}
		}
		if fmt.Sprint(paged) != fmt.Sprint(all.Spans) {
			t.Fatalf("pages hold\n%v\nnot\n%v", paged, all.Spans)
		}
	})
}

func TestAJobWaitsFromTheTimeWhenItLosesItsPlacementUntilItHasOne(t *testing.T) {
	s := happen(
		cluster.Event{Kind: cluster.JobSubmitted, Task: -1},
		cluster.Event{Kind: cluster.JobPlaced, Task: -1, CPU: 500},
		cluster.Event{Kind: cluster.TaskStarted, Node: 1, Run: 1, CPU: 500},
		cluster.Event{Kind: cluster.JobUnplaced, Task: -1},
		cluster.Event{Kind: cluster.TaskPausing, Node: 1, Run: 1},
		cluster.Event{Kind: cluster.TaskPaused, Node: 1, Run: 1},
	)
	if since := s.Waits(); len(since) != 1 || since[1] != 4*cluster.Second {
		t.Errorf("paused: %v", since)
	}
	s.Add(&cluster.Event{Kind: cluster.JobPlaced, Job: 1, Task: -1, At: 9 * cluster.Second})
	if since := s.Waits(); len(since) != 0 {
		t.Errorf("placed: %v", since)
	}
}

func TestOnlyTheLatestLossesAreKept(t *testing.T) {
	s := past.NewSpans(10)
	for i := range 2000 {
		s.Add(&cluster.Event{Kind: cluster.TaskLost, Job: 1, At: cluster.Time(i) * cluster.Second})
	}
	if all, some := s.Losses(0), s.Losses(1990*cluster.Second); len(all) != 1000 || len(some) != 10 ||
		some[0].At != 1990*cluster.Second {
		t.Errorf("%d losses are kept, %d are of the last ten seconds: %v", len(all), len(some), some)
	}
}
