package prepare

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/internal/story"
	"aliquot/workload"
	"aliquot/workload/swf"
)

func TestLogsBecomeJobsByTheRules(t *testing.T) {
	story.Replay(t, "testdata", func(*testing.T) story.Runner { return prepare })
}

func prepare(_ *testing.T, d *datadriven.TestData) string {
	rules := HPC2N()
	if d.HasArg("generic") {
		rules = Generic(Node{Processors: 4})
	}
	r, err := swf.NewReader(strings.NewReader(d.Input))
	if err != nil {
		return err.Error()
	}
	jobs, tally, err := Jobs(r, rules)
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	for _, w := range workload.Split(jobs, Week) {
		fmt.Fprintf(&b, "week %d\n", w.Number)
		if err := workload.Write(&b, w.Jobs); err != nil {
			return err.Error()
		}
	}
	fmt.Fprintf(&b, "%d records, %d jobs\n", tally.Records, tally.Jobs)
	for _, n := range tally.Notes {
		fmt.Fprintf(&b, "%v %v\n", n, n.First)
	}
	return b.String()
}

func TestMemoryBelowAHalfIsMergedAndAHalfIsNot(t *testing.T) {
	for _, c := range []struct {
		processors, requested, used int64
		want                        Tasks
	}{
		{4, 512 << 10, swf.Unknown, Tasks{2, 1, 0.5}},
		{4, 1<<20 - 1, swf.Unknown, Tasks{2, 1, 2 * float64(1<<20-1) / (1 << 21)}},
		{4, 1 << 20, swf.Unknown, Tasks{4, 0.5, 0.5}},
		{4, 512 << 10, 1 << 20, Tasks{4, 0.5, 0.5}},
		{3, 512 << 10, swf.Unknown, Tasks{3, 0.5, 0.25}},
		{4, swf.Unknown, swf.Unknown, Tasks{2, 1, 0.2}},
		{4, 1000, 2000, Tasks{2, 1, 0.2}},
		{1, 1000, 2000, Tasks{1, 0.5, 0.1}},
	} {
		rules := HPC2N()
		r := swf.Record{RequestedProcessors: c.processors, RequestedMemory: c.requested, Memory: c.used}
		memory, known := rules.Memory(&r)
		if got := rules.Tasks(rules.Processors(&r), memory); got != c.want || known != (max(c.requested, c.used) > 0) {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}

func TestWorkIsKeptByTheRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		processors := rapid.Int64Range(1, 1000).Draw(t, "processors")
		memory := rapid.Float64Range(0.1, 1).Draw(t, "memory")
		cores := rapid.Int64Range(1, 8).Draw(t, "cores")
		for name, rule := range map[string]func(int64, float64) Tasks{"threads": Threads(cores), "single": Single(cores)} {
			got := rule(processors, memory)
			cpu := float64(got.Count) * got.Need * float64(cores)
			mem := float64(got.Count) * got.Memory
			if diff := cpu - float64(processors); diff > 1e-9 || diff < -1e-9 || mem < float64(processors)*memory*(1-1e-9) ||
				got.Memory > 1 {
				t.Errorf("%s: %d processors with %v became %+v", name, processors, memory, got)
			}
		}
	})
}

func TestJobsComeInOrderWithTheirOwnNumbers(t *testing.T) {
	line := func(job, submit int64) string {
		return fmt.Sprintf("%d %d 0 5 1 -1 -1 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n", job, submit)
	}
	r, err := swf.NewReader(strings.NewReader(line(7, 3) + line(7, 1) + line(-1, 3) + line(0, 2) + line(9, -1)))
	if err != nil {
		t.Fatal(err)
	}
	jobs, tally, err := Jobs(r, Generic(Node{Processors: 1}))
	var got []int64
	for _, j := range jobs {
		got = append(got, j.ID, int64(j.Submit/cluster.Second))
	}
	if diff := cmp.Diff([]int64{10, 1, 0, 2, 7, 3, 11, 3}, got); err != nil || diff != "" {
		t.Errorf("%v, %v:\n%s", tally, err, diff)
	}
	if !slices.ContainsFunc(tally.Notes, func(n Note) bool { return n.What == twice && n.Count == 2 && !n.Skipped }) {
		t.Errorf("%+v", tally)
	}
}

func TestRecordsReadBackAsTheJobsTheyWereMadeOf(t *testing.T) {
	for _, rules := range []Rules{HPC2N(), Generic(Node{Processors: 4, Memory: 8192 * cluster.MiB})} {
		rapid.Check(t, func(t *rapid.T) {
			tasks := rules.Tasks(rapid.Int64Range(1, 5000).Draw(t, "processors"), rapid.Float64Range(0.1, 1).Draw(t, "memory"))
			j := workload.Job{
				ID: rapid.Int64Range(0, 1e9).Draw(t, "id"), Submit: cluster.Time(rapid.Int64Range(0, 1e15).Draw(t, "submit")),
				Tasks: int(tasks.Count), Need: workload.RoundCPU(tasks.Need), Memory: workload.RoundMemory(tasks.Memory),
				Runtime:  cluster.Time(rapid.Int64Range(1, 1e15).Draw(t, "runtime")),
				Estimate: cluster.Time(rapid.Int64Range(0, 1e15).Draw(t, "estimate")),
				User:     rapid.SampledFrom([]string{"", "0", "77"}).Draw(t, "user"),
			}
			var log strings.Builder
			w, err := swf.NewWriter(&log, nil)
			if err == nil {
				err = w.Write(Record(j, rules.Node))
			}
			if err == nil {
				err = w.Flush()
			}
			if err != nil {
				t.Fatal(err)
			}
			r, err := swf.NewReader(strings.NewReader(log.String()))
			if err != nil {
				t.Fatal(err)
			}
			jobs, tally, err := Jobs(r, rules)
			if diff := cmp.Diff([]workload.Job{j}, jobs); err != nil || diff != "" || len(tally.Notes) > 0 {
				t.Errorf("%v, %v: (-want +got):\n%s\n%s", err, tally, diff, log.String())
			}
		})
	}
}

func TestRecordsLoseTheTimesOfReservations(t *testing.T) {
	rules := Generic(Node{Processors: 1, Memory: 8192 * cluster.MiB})
	notes := Losses([]workload.Job{{ID: 1, Tasks: 1, Need: workload.UnitCPU, Memory: workload.UnitMemory,
		Runtime: cluster.Minute, Ready: cluster.Minute, Deadline: cluster.Hour}}, rules)
	text := fmt.Sprint(notes)
	if len(notes) != 2 || !strings.Contains(text, "ready") || !strings.Contains(text, "deadline") {
		t.Error(text)
	}
}

func FuzzJobsOfAnyLogAreSound(f *testing.F) {
	f.Add([]byte("1 50 -1 -1 -1 -1 -1 4 200 -1 5 1 1 -1 1 1 -1 -1\n1 40 0 0.5 2 -1 524288 2 200 -1 0 1 1 -1 1 1 -1 -1\n"))
	f.Add(
		[]byte(
			"1000000000000000 999999999999 0 999999999999 2 -1 524288 10001 200 -1 0 1 1 -1 1 1 -1 -1\n-1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, rules := range []Rules{HPC2N(), Generic(Node{Processors: 3, Memory: cluster.MiB})} {
			r, err := swf.NewReader(bytes.NewReader(data))
			if err != nil {
				return
			}
			jobs, tally, err := Jobs(r, rules)
			skipped := 0
			for _, n := range tally.Notes {
				if n.Skipped {
					skipped += n.Count
				}
			}
			if len(jobs) != tally.Jobs || tally.Jobs+skipped != tally.Records {
				t.Errorf("%d jobs, %d skipped of %+v (%v)", len(jobs), skipped, tally, err)
			}
			numbers := map[int64]bool{}
			for _, j := range jobs {
				if err := j.Check(); err != nil || numbers[j.ID] {
					t.Errorf("%v, twice %v: %+v", err, numbers[j.ID], j)
				}
				numbers[j.ID] = true
			}
			if !slices.IsSortedFunc(jobs, workload.Job.Compare) {
				t.Errorf("not in order: %+v", jobs)
			}
		}
	})
}
