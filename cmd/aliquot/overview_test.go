package main

import (
	"strings"
	"testing"

	"aliquot/cluster"
)

func TestVMsThatBootAreCountedBesideTheMoves(t *testing.T) {
	d := newDesk(t)
	n1 := d.Join(t, "n1", 1200, 512*cluster.MiB)
	d.ok("job submit --cpu 1 --memory 64Mi -- true")
	d.Place(t, 1, 500, n1)
	m := d.Move(t, cluster.Move{Kind: cluster.Start, Task: cluster.TaskID{Job: 1}, To: n1, CPU: 500})
	d.Report(t, n1, cluster.Observation{Run: cluster.RunID{Job: 1, Number: 1}, Move: m.ID, Seen: cluster.SeenBooting,
		Cap: 500})
	if out, want := d.ok("overview"), "0 in progress, 1 VM booting\n"; !strings.Contains(out, want) {
		t.Errorf("%q is missing in\n%s", want, out)
	}
}

func TestSentencesTellNoCPUAsANumber(t *testing.T) {
	d := newDesk(t)
	d.Join(t, "n1", 1200, 512*cluster.MiB)
	for line, want := range map[string]string{
		"overview":     "1200m, of which 0m are granted; 0m needed, 0m more wanted, use not known now\n",
		"node show n1": "1200m, of which 0m are granted; 0m needed, use not known now\n",
	} {
		if out := d.ok(line); !strings.Contains(out, want) {
			t.Errorf("%s: %q is missing in\n%s", line, want, out)
		}
	}
}

func TestTheBackgroundMayUseMoreThanIsNotGranted(t *testing.T) {
	d := newDesk(t)
	n1 := d.Join(t, "n1", 1000, 512*cluster.MiB)
	d.ok("job submit --cpu 1 --memory 64Mi -- true")
	d.ok("job submit --class background --cpu 1 --memory 64Mi -- true")
	d.Run(t, 1, 800, n1)
	d.RunIn(t, cluster.Background, 2, 1000, n1)
	d.SetUsage(cluster.RunID{Job: 1, Number: 1}, 100, 0)
	d.SetUsage(cluster.RunID{Job: 2, Number: 1}, 643, 0)
	for line, want := range map[string]string{
		"overview":     "743m used, 643m of it in the background\n",
		"node show n1": "743m used, 643m of it in the background\n",
	} {
		const granted = "800m are granted, and in the background up to 200m more, and what these leave; "
		if out := d.ok(line); !strings.Contains(out, granted) || !strings.Contains(out, want) {
			t.Errorf("%s: %q or %q is missing in\n%s", line, granted, want, out)
		}
	}
}

func TestTheProgressOfABackgroundJobIsToldFromItsMeasurementOn(t *testing.T) {
	d := newDesk(t)
	n1 := d.Join(t, "n1", 1000, 512*cluster.MiB)
	d.ok("job submit --class background --cpu 1 --memory 64Mi -- true")
	d.RunIn(t, cluster.Background, 1, 1000, n1)
	if out := d.ok("job show j1"); !strings.Contains(out, "not measured yet") || strings.Contains(out, "full speed") {
		t.Error(out)
	}
	for range 2 {
		d.Advance(cluster.Minute)
		d.Report(t, n1, cluster.Observation{Run: cluster.RunID{Job: 1, Number: 1}, Seen: cluster.SeenRunning, Cap: 1000,
			Tier: cluster.Background, Tiered: true, Work: &cluster.Work{Ran: d.Latest().At / 2, Waited: d.Latest().At / 2}})
	}
	if out, want := d.ok("job show j1"), "0.50 of full speed, from the CPU time"; !strings.Contains(out, want) {
		t.Errorf("%q is missing in\n%s", want, out)
	}
}

func TestStatesThatThisProgramDoesNotKnowAreCountedAfterThoseThatItKnows(t *testing.T) {
	counts := map[string]int{"zombie": 2, "running": 3, "asleep": 1, "held": 4, "failed": 0, "lost": 0}
	if got, want := counted(counts, jobStates), "3 running, 4 held, 1 asleep, 2 zombie"; got != want {
		t.Errorf("counted: %q, want %q", got, want)
	}
	if got := counted(map[string]int{"ready": 0}, nodeStates); got != "" {
		t.Errorf("none are counted: %q", got)
	}
}
