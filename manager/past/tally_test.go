package past

import (
	"testing"

	"aliquot/cluster"
)

func TestHappeningsAreCountedByOutcomeKindAndFirstCause(t *testing.T) {
	tally := NewTally()
	reasons := func(codes ...cluster.ReasonCode) (c cluster.Cause) {
		for _, code := range codes {
			c.Why = append(c.Why, cluster.Reason{Code: code})
		}
		return c
	}
	failed := cluster.Because(cluster.WhyOutcome, int64(cluster.Failed))
	failed.Why = append(failed.Why, reasons(cluster.WhyTask, cluster.WhyExitCode).Why...)
	broken := cluster.Because(cluster.WhyMove, int64(cluster.Migrate))
	broken.Text = "words of a node"
	for _, e := range []cluster.Event{
		{Kind: cluster.JobEnding, Cause: failed},
		{Kind: cluster.JobEnding, Cause: cluster.Cause{Text: "of an older program"}},
		{Kind: cluster.JobEnded, Cause: cluster.Because(cluster.WhyOutcome, int64(cluster.Failed))},
		{Kind: cluster.JobEnded, Cause: cluster.Because(cluster.WhyOutcome, int64(cluster.Succeeded))},
		{Kind: cluster.TaskPaused}, {Kind: cluster.TaskPaused}, {Kind: cluster.TaskPausing},
		{Kind: cluster.MoveFailed, Cause: reasons(cluster.WhyGivenUp)}, {Kind: cluster.MoveFailed, Cause: broken},
		{Kind: cluster.TaskLost, Cause: reasons(cluster.WhyNodeDown, cluster.WhyFenced)},
	} {
		tally.Add(&e)
	}
	want := map[Counted]uint64{
		{cluster.JobEnding, "failed", cluster.WhyExitCode}: 1,
		{cluster.JobEnding, "succeeded", ""}:               1,
		{cluster.TaskPaused, "", ""}:                       2,
		{cluster.MoveFailed, "migrate", ""}:                1,
		{cluster.TaskLost, "", cluster.WhyFenced}:          1,
	}
	for c, n := range tally.Counts() {
		if n != want[c] {
			t.Errorf("%v: %d, want %d", c, n, want[c])
		}
		delete(want, c)
	}
	if len(want) > 0 {
		t.Errorf("not counted: %v", want)
	}
	if n := Completed(tally.Counts(), cluster.Pause); n != 2 {
		t.Errorf("%d pauses, want 2", n)
	}
}
