package upgrade

import (
	"os/exec"
	"testing"

	"aliquot/client"
	"aliquot/cluster"
)

// left are the jobs that had ended in the folder of testdata/format2.tar.gz: some in a snapshot, some in the log after it.
var left = ends{
	"j1": "", "j2": "task 0: exit code 3", "j3": "not needed", "j4": "it ran longer than its limit of 1 s",
	"j1000009": "", "j1000010": "task 0: exit code 3", "j1000011": "not needed", "j1000012": "it ran longer than its limit of 1 s",
}

func TestAManagerGoesOnWithTheFolderOfTheEarlierRelease(t *testing.T) {
	b, c := build(t), newTeam(t, 1)
	if text, err := exec.Command("tar", "-x", "-z", "-f", testdata(t, "format2.tar.gz"), "-C", c.folder).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	c.found(b.reworded.manager)
	c.raised(1)
	c.tells(left, asIs)
	for id, state := range map[string]string{"j1": "succeeded", "j2": "failed", "j3": "cancelled", "j1000013": "running"} {
		c.await(id, state)
	}
	for _, id := range []string{"j1000014", "j1000015"} { // waited when the earlier program ended
		if j, err := c.api.Job(t.Context(), id); err != nil || j.Ended != nil {
			t.Errorf("%+v, %v", j, err)
		}
	}
	events, err := c.api.History(t.Context(), client.EventFilter{Job: "j2", Kinds: []string{string(cluster.JobEnding)}}, 10)
	if err != nil || len(events) != 1 || events[0].Text != "failed: task 0: exit code 3" {
		t.Errorf("what was written down of j2: %+v, %v", events, err)
	}

	recruits := crew{"n1", "n2"}
	c.man(b.new.fleet, recruits)
	c.tells(c.round(recruits), shout)
	c.tells(left, asIs)
}
