package web_test

import (
	"strings"
	"testing"

	"aliquot/cluster"
)

func TestRunsThatWereLostNeedAttentionForAnHour(t *testing.T) {
	s := newSite(t)
	n := s.Join(t, "n1", 2000, 1024*cluster.MiB)
	job := s.submit(small)
	s.Run(t, job, 500, n)
	s.Report(t, n, cluster.Observation{Run: cluster.RunID{Job: job, Number: 1}, Seen: cluster.SeenLost,
		Cause: "QEMU ended"})
	s.Advance(2 * cluster.Minute)
	want := "1 run was lost in the last hour; the latest is task 0 of j1, 2 min ago: QEMU ended"
	if text := s.said(t, "runs_lost"); text != want {
		t.Errorf("%q, want %q", text, want)
	}
	s.Advance(cluster.Hour)
	if text := s.said(t, "runs_lost"); text != "" {
		t.Errorf("an hour later: %q", text)
	}
}

func TestRunsThatWereLostBeforeTheirGuestsBeganLostNoWork(t *testing.T) {
	s := newSite(t)
	n := s.Join(t, "n1", 2000, 1024*cluster.MiB)
	lose := func(start func(job cluster.JobID)) {
		job := s.submit(small)
		start(job)
		s.Report(t, n, cluster.Observation{Run: cluster.RunID{Job: job, Number: 1}, Seen: cluster.SeenLost})
	}
	boot := func(job cluster.JobID) {
		s.Place(t, job, 100, n)
		m := s.Move(t, cluster.Move{Kind: cluster.Start, Task: cluster.TaskID{Job: job}, To: n, CPU: 100})
		s.Report(t, n, cluster.Observation{Run: cluster.RunID{Job: job, Number: 1}, Move: m.ID,
			Seen: cluster.SeenBooting, Cap: m.CPU, Platform: "q35-7.2"})
	}
	for _, step := range []struct {
		start func(cluster.JobID)
		text  string
	}{
		{boot, "1 run was lost in the last hour, before its guest had begun, without loss of work; "},
		{boot, "2 runs were lost in the last hour, before their guests had begun, without loss of work; "},
		{func(job cluster.JobID) { s.Run(t, job, 500, n) },
			"3 runs were lost in the last hour, 2 of them before the guest had begun, without loss of work; "},
	} {
		if lose(step.start); !strings.HasPrefix(s.said(t, "runs_lost"), step.text) {
			t.Errorf("%q, want %q", s.said(t, "runs_lost"), step.text)
		}
	}
}
