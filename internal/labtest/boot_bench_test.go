package labtest

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"aliquot/client"
	"aliquot/cluster"
)

// crowd is how many VMs boot at the same time on one node with room for all of them.
const crowd = 40

// BenchmarkBooting reports how long VMs take from the submission of the first until their guests have started, and how
// much of the machine is idle meanwhile: for one alone and many together, of a tiny need and of a whole core.
func BenchmarkBooting(b *testing.B) {
	l, err := design("b", []place{{"n1", 1800, crowd * 200 * cluster.MiB}})
	if err != nil {
		b.Fatal(err)
	}
	g, err := guard(l.bin, l.script("lab"), l.run)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := g.dismiss(); err != nil {
			b.Error("remove the lab:", err)
		}
	})
	if err := l.rise(); err != nil {
		b.Fatal(err)
	}
	for _, jobs := range []int{1, crowd} {
		for _, need := range []string{"20m", "1"} {
			b.Run(fmt.Sprintf("%d of %s", jobs, need), func(b *testing.B) {
				for b.Loop() {
					idle := idleTime(b)
					times, err := l.bootTimes(b.Context(), jobs, need)
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric((idleTime(b)-idle).Seconds()/float64(runtime.NumCPU()), "idle-s")
					b.ReportMetric(times[len(times)/2].Seconds(), "median-s")
					b.ReportMetric(times[len(times)-1].Seconds(), "last-s")
				}
			})
		}
	}
}

// bootTimes submits jobs and returns, sorted, when each had started, counted from the submission of the first. It
// leaves the node empty.
func (l *lab) bootTimes(ctx context.Context, jobs int, need string) (times []time.Duration, err error) {
	for range jobs {
		if _, err := l.api.Submit(ctx, shell("sleep 100000", need), ""); err != nil {
			return nil, err
		}
	}
	active := client.JobFilter{States: []string{"active"}}
	if err := retry(scenePatience, func() error {
		var first time.Time
		times = nil
		for j, err := range l.api.Jobs(ctx, active) {
			if err != nil {
				return err
			}
			if j.Started == nil {
				return fmt.Errorf("%s has not started: %s", j.ID, show(j))
			}
			first = j.Submitted // the newest comes first
			times = append(times, time.Duration(j.Started.UnixNano()))
		}
		for i := range times {
			times[i] -= time.Duration(first.UnixNano())
		}
		return nil
	}); err != nil {
		return nil, err
	}
	slices.Sort(times)
	for j, err := range l.api.Jobs(ctx, active) {
		if err != nil {
			return nil, err
		}
		if _, err := l.api.Cancel(ctx, j.ID, "it has booted"); err != nil {
			return nil, err
		}
	}
	return times, retry(scenePatience, func() error {
		for j := range l.api.Jobs(ctx, active) {
			return fmt.Errorf("%s is %s", j.ID, j.State)
		}
		return nil
	})
}
