package upgrade

import (
	"os/exec"
	"testing"

	"aliquot/client"
	"aliquot/cluster"
)

// left are the jobs of testdata/format2.tar.gz that had ended: some in a snapshot, some in the log after it.
var left = []end{
	{"j1", "succeeded", ""}, {"j1000009", "succeeded", ""},
	{"j2", "failed", "task 0: exit code 3"}, {"j1000010", "failed", "task 0: exit code 3"},
	{"j3", "cancelled", unneeded}, {"j1000011", "cancelled", unneeded},
	{"j4", "failed", "it ran longer than its limit of 1 s"}, {"j1000012", "failed", "it ran longer than its limit of 1 s"},
}

func TestAManagerGoesOnWithTheFolderOfTheEarlierRelease(t *testing.T) {
	b, c := build(t), newTeam(t, 1)
	unpack := exec.Command("tar", "-x", "-z", "-f", testdata(t, "format2.tar.gz"), "-C", c.folder)
	if text, err := unpack.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	c.found(b.reworded.manager)
	c.raised(1)
	c.tells(left, asIs)
	c.await("j1000013", "running")
	for _, id := range []string{"j1000014", "j1000015"} { // waited when the earlier program ended
		if j, err := c.api.Job(t.Context(), id); err != nil || j.Ended != nil {
			t.Errorf("%+v, %v", j, err)
		}
	}
	ending := client.EventFilter{Job: "j2", Kinds: []string{string(cluster.JobEnding)}}
	events, err := c.api.History(t.Context(), ending, 10)
	if err != nil || len(events) != 1 || events[0].Text != "failed: task 0: exit code 3" {
		t.Errorf("what was written down of j2: %+v, %v", events, err)
	}

	recruits := crew{"n1", "n2"}
	c.man(b.new.fleet, recruits)
	c.tells(c.round(recruits), shout)
	c.tells(left, asIs)
}
