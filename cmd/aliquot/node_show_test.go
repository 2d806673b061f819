package main

import (
	"regexp"
	"testing"

	"aliquot/cluster"
)

func TestANodeIsShownWithTheTasksThatItIsChargedFor(t *testing.T) {
	d := newDesk(t)
	n1 := d.Join(t, "n1", 2000, 1024*cluster.MiB)
	d.ok("job submit --cpu 500m --memory 64Mi -- true")
	d.Place(t, 1, 500, n1)
	d.Move(t, cluster.Move{Kind: cluster.Start, Task: cluster.TaskID{Job: 1}, To: n1, CPU: 500})
	d.Must(t, cluster.SetHealth{Node: n1, Health: cluster.Silent})
	row := regexp.MustCompile(`j1/0 \S* *starting, not here yet +- +foreground +500m +- +-`)
	if out := d.ok("node show n1"); !row.MatchString(out) {
		t.Error(out)
	}
}
