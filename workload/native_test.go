package workload

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"aliquot/cluster"
)

const head = "id,submit,tasks,cpu,mem,runtime\n"

func TestWindowsThatCannotBeKeptAreRefusedWithTheirLine(t *testing.T) {
	for row, want := range map[string]string{
		"9,,":        "line 2: ready: 9 is before submit, 10",
		",109.5,":    "line 2: deadline: 109.5 is before 110, the ready time and the reserved duration of 100",
		"20,119,":    "line 2: deadline: 119 is before 120, the ready time and the reserved duration of 100",
		"20,124,105": "line 2: deadline: 124 is before 125, the ready time and the reserved duration of 105",
		",0,":        `line 2: deadline: "0" is not empty or a number from 0.000001`,
		"-1,,":       `line 2: ready: "-1" is not empty or a number from 0`,
		"x,200,":     `line 2: ready: "x" is not empty or a number from 0`,
	} {
		header := "id,submit,tasks,cpu,mem,runtime,ready,deadline,estimate\n"
		_, err := Read(strings.NewReader(header + "1,10,1,1,1,100," + row + "\n"))
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %q", row, err, want)
		}
	}
}

func TestAWindowMovesWithItsSubmission(t *testing.T) {
	jobs := []Job{{ID: 1, Submit: 10, Runtime: 5, Ready: 12, Deadline: 30}, {ID: 2, Submit: 25, Runtime: 5, Deadline: 40},
		{ID: 3, Submit: 26, Runtime: 5}}
	got := Split(jobs, 20)
	want := []Job{{ID: 1, Submit: 10, Runtime: 5, Ready: 12, Deadline: 30}, {ID: 2, Submit: 5, Runtime: 5, Ready: 5,
		Deadline: 20}, {ID: 3, Submit: 6, Runtime: 5}}
	if all := slices.Concat(got[0].Jobs, got[1].Jobs); !slices.Equal(all, want) {
		t.Errorf("%+v, want %+v", all, want)
	}
}

func TestJobsAreReadExactlyAndInOrderOfSubmission(t *testing.T) {
	got, err := Read(strings.NewReader(head +
		"7,10.000001,2,0.25,0.1,3600\n3,10,1,1,0.00001,0.5\n9,0,1,0.00001,1,1\n2,10,1,1.0,1,1\n"))
	want := []Job{
		{ID: 9, Tasks: 1, Need: 1, Memory: UnitMemory, Runtime: cluster.Second},
		{ID: 2, Submit: 10 * cluster.Second, Tasks: 1, Need: UnitCPU, Memory: UnitMemory, Runtime: cluster.Second},
		{ID: 3, Submit: 10 * cluster.Second, Tasks: 1, Need: UnitCPU, Memory: 16 * cluster.MiB, Runtime: cluster.Second / 2},
		{ID: 7, Submit: 10*cluster.Second + 1, Tasks: 2, Need: 25_000, Memory: 160_000 * cluster.MiB, Runtime: cluster.Hour},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestWrongStreamsAreRefusedWithTheirLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "line 1: the header must be id,submit,tasks,cpu,mem,runtime",
		"id,submit\n":                          "line 1: the header must name the columns id,submit,tasks,cpu,mem,runtime; tasks is missing",
		"1,0,2,3,4,5\n":                        "line 1: the header",
		head + "1,0,1,1,1\n":                   "record on line 2: wrong number of fields",
		head + "1,0,1,1,1,1,1\n":               "wrong number of fields",
		head + "\n1,0,1,1,\"1,1\n":             "line 3",
		head + "-1,0,1,1,1,1\n":                `line 2: id: "-1" is not a whole number from 0`,
		head + "x,0,1,1,1,1\n":                 `line 2: id: "x"`,
		head + "1,-1,1,1,1,1\n":                `line 2: submit: "-1" is not a number from 0`,
		head + "1,0,1,1,1,0.0000004\n":         "is not a number from 0.000001 to 10000000000",
		"submit,id,cpu,mem,runtime\n":          "tasks is missing",
		"id,id,submit,tasks,cpu,mem,runtime\n": "column id is there twice",
		"id,submit,tasks,cpu,mem,runtime,estimate\n1,0,1,1,1,1,-1\n":                 `estimate: "-1" is not empty or a number from 0`,
		"id,submit,tasks,cpu,mem,runtime,priority\n1,0,1,1,1,1,1.5\n":                `priority: "1.5" is not empty or a whole number`,
		"id,submit,tasks,cpu,mem,runtime,class\n1,0,1,1,1,1,foo\n":                   `class: "foo" is not empty, standard, background or either`,
		"id,submit,tasks,cpu,mem,runtime,class,deadline\n1,0,1,1,1,1,background,9\n": "class is background and a deadline is given",
		"id,submit,tasks,cpu,mem,runtime,on_loss\n1,0,1,1,1,1,yes\n":                 `on_loss: "yes" is not empty, restart or fail`,
		"id,submit,tasks,cpu,mem,runtime,user\n1,0,1,1,1,1,\xff\n":                   "user: \"\\xff\" is not a name",
		head + "1,0,0,1,1,1\n":               "tasks",
		head + "1,0,1.0,1,1,1\n":             "tasks",
		head + "1,0,10001,1,1,1\n":           "from 1 to 10000",
		head + "1,0,1,0,1,1\n":               "cpu",
		head + "1,0,1,10.00001,1,1\n":        "cpu: \"10.00001\" is not a number from 0.00001 to 10",
		head + "1,0,1,.5,1,1\n":              "cpu",
		head + "1,0,1,1.,1,1\n":              "cpu",
		head + "1,0,1,1e-3,1,1\n":            "cpu",
		head + "1,0,1,1,NaN,1\n":             "mem",
		head + "1,0,1,1,0.000001,1\n":        "mem",
		head + "1,0,1,1,1,0\n":               "runtime",
		head + "1,0,1,1,1,99999999999999\n":  "runtime",
		head + "1,0,1,1,1, 1\n":              "runtime",
		head + "1,0,1,1,1,1\n1,0,1,1,1,1\n":  "line 3: id 1 is also on line 2",
		head + "1,0,1,1,1,1\n\n2,0,1,1,1,\n": `line 4: runtime: ""`,
	} {
		if jobs, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v; want %q", text, jobs, err, want)
		}
	}
}

func TestTasksMayBeLargerThanANodeAndStaySo(t *testing.T) {
	text := head + "1,0,1,1.5,1,60\n2,0,1,0.95,10,60\n"
	jobs, err := Read(strings.NewReader(text))
	if err != nil || jobs[0].Need != UnitCPU*3/2 || jobs[1].Memory != 10*UnitMemory {
		t.Fatalf("%v, %+v", err, jobs)
	}
	coarse := Round(jobs, 0.6) // 0.95 is nearer to 1.2 than to 0.6, but must still fit a node
	if coarse[0].Need != RoundCPU(1.8) && coarse[0].Need != RoundCPU(1.2) || coarse[1].Need != UnitCPU ||
		coarse[1].Memory != 10*UnitMemory {
		t.Errorf("%+v", coarse)
	}
}

func TestFurtherColumnsAreReadByNameInAnyOrder(t *testing.T) {
	text := "user,runtime,colour,id,mem,cpu,tasks,submit,estimate,priority,shape,on_loss,class\n" +
		"\"Åsa, of B\",60,red,1,0.5,1,2,0,90.5,-7,round,fail,either\n,60,blue,2,0.5,1,2,0,,,,restart,standard\n"
	r, err := NewReader(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"colour", "shape"}, r.Ignored); diff != "" {
		t.Error(diff)
	}
	plain := Job{ID: 1, Tasks: 2, Need: UnitCPU, Memory: UnitMemory / 2, Runtime: cluster.Minute}
	rich := plain
	rich.User, rich.Estimate, rich.Priority = "Åsa, of B", 90*cluster.Second+cluster.Second/2, -7
	rich.FailOnLoss, rich.Class = true, cluster.EitherClass
	plain.ID = 2
	got, err := Read(strings.NewReader(text))
	if diff := cmp.Diff([]Job{rich, plain}, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestMoreDecimalsThanTheGridHasAreRounded(t *testing.T) {
	got, err := Read(strings.NewReader(head + "1,0.3333333333333333,1,0.333333333,0.666666666,2.9999999\n"))
	want := []Job{{ID: 1, Submit: 333_333, Tasks: 1, Need: 33_333, Memory: 66_667 * 16 * cluster.MiB,
		Runtime: 3 * cluster.Second}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestZippedStreamsAreKnownByContent(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	fmt.Fprint(z, head+"1,0,1,1,1,1\n")
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if jobs, err := Read(&b); err != nil || len(jobs) != 1 {
		t.Errorf("%v, %v", jobs, err)
	}
	if _, err := Read(strings.NewReader("\x1f\x8bgarbage")); err == nil || !strings.Contains(err.Error(), "gzip") {
		t.Errorf("a broken zip: %v", err)
	}
}

func TestUnsayableJobsAreNotWritten(t *testing.T) {
	good := Job{ID: 1, Tasks: 1, Need: 1, Memory: memoryStep, Runtime: 1}
	for want, change := range map[string]func(*Job){
		"id: ":                     func(j *Job) { j.ID = -1 },
		"submit: ":                 func(j *Job) { j.Submit = -1 },
		"tasks: \"0\"":             func(j *Job) { j.Tasks = 0 },
		"cpu: \"10.00001\"":        func(j *Job) { j.Need = 10*UnitCPU + 1 },
		"cannot represent":         func(j *Job) { j.Memory++ },
		"runtime: \"0\"":           func(j *Job) { j.Runtime = 0 },
		"estimate: ":               func(j *Job) { j.Estimate = -1 },
		"user: ":                   func(j *Job) { j.User = "a\nb" },
		"priority: \"2000000000\"": func(j *Job) { j.Priority = 2e9 },
	} {
		bad := good
		change(&bad)
		var b strings.Builder
		if err := Write(&b, []Job{good, bad}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v; want %q", bad, err, want)
		}
	}
}

func drawJob(t *rapid.T) Job {
	return Job{
		ID:     rapid.Int64Range(0, 1<<53).Draw(t, "id"),
		Submit: cluster.Time(rapid.Int64Range(0, maxSeconds*1e6).Draw(t, "submit")),
		Tasks:  rapid.IntRange(1, maxTasks).Draw(t, "tasks"), Need: cluster.CPU(rapid.Int64Range(1, 1e6).Draw(t, "cpu")),
		Memory:   memoryStep * cluster.Bytes(rapid.Int64Range(1, 1e6).Draw(t, "mem")),
		Runtime:  cluster.Time(rapid.Int64Range(1, maxSeconds*1e6).Draw(t, "runtime")),
		Estimate: cluster.Time(rapid.Int64Range(0, maxSeconds*1e6).Draw(t, "estimate")),
		User:     rapid.StringMatching(`[ -~é]{0,20}`).Draw(t, "user"), Priority: rapid.Int64Range(-maxPriority,
			maxPriority).Draw(t, "priority"), FailOnLoss: rapid.Bool().Draw(t, "on_loss"),
		Class: cluster.Class(rapid.IntRange(0, 2).Draw(t, "class")),
	}
}

func TestReadReturnsTheWrittenJobs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs := rapid.SliceOfNDistinct(rapid.Custom(drawJob), 0, 5, func(j Job) int64 { return j.ID }).Draw(t, "jobs")
		slices.SortFunc(jobs, Job.Compare)
		var b strings.Builder
		if err := Write(&b, jobs); err != nil {
			t.Fatal(err)
		}
		again, err := Read(strings.NewReader(b.String()))
		if diff := cmp.Diff(jobs, again, cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s\n%s", err, diff, b.String())
		}
	})
}

func FuzzReadAcceptsOnlyWhatItCanSayAgain(f *testing.F) {
	f.Add([]byte(head + "1,0.5,2,0.25,0.1,3600\n"))
	f.Add([]byte(head + "2,1,1,1,1,1\n1,1,1,1,1,1.00000049\n"))
	f.Add([]byte("user,runtime,x,id,mem,cpu,tasks,submit,estimate,priority\n\"a, \"\"b\",60,red,1,0.5,1,2,0,90.5,-7\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		jobs, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := Write(&b, jobs); err != nil {
			t.Fatal(err)
		}
		again, err := Read(&b)
		if diff := cmp.Diff(jobs, again); err != nil || diff != "" {
			t.Errorf("%v (-first +again):\n%s", err, diff)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	var text bytes.Buffer
	text.WriteString(head)
	for i := range 100_000 {
		fmt.Fprintf(&text, "%d,%d.25,%d,0.25,0.1,%d\n", i+1, i*17, 1+i%64, 1+i%7200)
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		if _, err := Read(bytes.NewReader(text.Bytes())); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(100_000*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
}
