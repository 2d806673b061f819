package timeline

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/policy/catalog"
	"aliquot/sim"
	"aliquot/wording"
	"aliquot/workload"
)

func run(t interface{ Fatal(...any) }, w Window, name string, nodes int, text string) (*Recorder, sim.Result) {
	jobs, err := workload.Read(strings.NewReader("id,submit,tasks,cpu,mem,runtime\n" + text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := catalog.Parse(name, 600*cluster.Second)
	if err != nil {
		t.Fatal(err)
	}
	r := NewRecorder(w, jobs)
	done, err := sim.Run(sim.Setup{Nodes: sim.Units(nodes), Policy: p, Penalty: 300 * cluster.Second, Tell: r.Tell,
		Record: r.Record}, jobs)
	if err != nil {
		t.Fatal(err)
	}
	return r, done
}

const always = 1<<63 - 1

func TestMovesHaveTheReasonOfThePolicy(t *testing.T) {
	r, _ := run(t, Window{Until: always}, "GreedyPM *", 2, "71,0,1,1,0.3,1000\n72,0,1,1,0.6,1000\n73,500,1,1,0.8,10\n")
	i := slices.IndexFunc(r.Lines, func(l Line) bool { return l.Kind == sim.Moves })
	if i < 0 || r.Lines[i].What != "moves from n2 to n1, 50%; pays until 00:13:20.0; moved to free memory for job 73" {
		t.Errorf("%+v", r.Lines)
	}
}

func TestJobsHaveTheNamesOfTheStreamAndSharesAreOfANode(t *testing.T) {
	r, _ := run(t, Window{Until: always}, "GreedyP *", 1, "70,0,1,1,0.9,1000\n12,500,1,1,0.9,10\n")
	var lines []string
	var kinds []sim.EventKind
	for _, l := range r.Lines {
		kinds = append(kinds, l.Kind)
		lines = append(lines, strings.Join([]string{wording.Clock(l.At), strings.Repeat("*", int(l.Job/60)), l.What}, " "))
	}
	want := []string{
		"00:00:00.0 * starts on n1, 100%",
		"00:08:20.0 * pauses: paused to free memory for job 12, which has a higher priority",
		"00:08:20.0  starts on n1, 100%",
		"00:08:30.0  ends after 10s, stretch 1.00",
		"00:08:30.0 * resumes on n1, 100%; pays until 00:13:30.0",
		"00:13:30.0 * has paid and goes on",
		"00:21:50.0 * ends after 21m50s, stretch 1.31",
	}
	if want := []sim.EventKind{sim.Starts, sim.Pauses, sim.Starts, sim.Ends, sim.Resumes, sim.GoesOn,
		sim.Ends}; !slices.Equal(kinds, want) {
		t.Errorf("%v, want %v", kinds, want)
	}
	if !slices.Equal(lines, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
}

func TestOneJobAndAWindowAreToldAlone(t *testing.T) {
	r, _ := run(t, Window{From: 600 * cluster.Second, Until: 1000 * cluster.Second, Job: new(int64(70))}, "GreedyP *", 1,
		"70,0,1,1,0.9,1000\n12,500,1,1,0.9,10\n")
	if len(r.Lines) != 1 || r.Lines[0].What != "has paid and goes on" {
		t.Errorf("%+v", r.Lines)
	}
	g := r.Gantt("t", 1)
	if len(g.Rows) != 1 || len(g.Bars) != 2 || !g.Bars[0].Idle || g.Bars[1].Idle || g.Bars[0].From != 600./3600 ||
		g.Bars[1].To != 1000./3600 {
		t.Errorf("%+v", g)
	}
}

func TestEventsThatConcernAllAreNotAttributedToJobZero(t *testing.T) {
	r := NewRecorder(Window{Until: always, Job: new(int64(0))}, []workload.Job{{ID: 0}})
	r.Tell(sim.Event{Kind: sim.Weighs, Weighed: &cluster.Weighed{Jobs: 1}})
	r.Tell(sim.Event{Job: 1, Kind: sim.GoesOn})
	if len(r.Lines) != 1 || r.Lines[0].All() {
		t.Errorf("%+v", r.Lines)
	}
}

func TestAChartBeginsWithItsWindow(t *testing.T) {
	text := "70,0,1,1,0.9,90000\n"
	for from, low := range map[cluster.Time]float64{0: 0, 20 * cluster.Hour: 20} {
		r, _ := run(t, Window{From: from, Until: always}, "FCFS", 1, text)
		if x := r.Gantt("t", 1).X; x.Low != low || low > 0 && x.High != 25 {
			t.Errorf("from %g h on: %+v", low, x)
		}
	}
	r, _ := run(t, Window{From: 30 * cluster.Hour, Until: always}, "FCFS", 1, text)
	if g := r.Gantt("t", 1); g.X.Low != 0 || g.X.High != 0 || g.Note != "no job held anything in this time" {
		t.Errorf("with nothing to show: %+v", g)
	}
}

func TestBarsOfANodeNeverOverlapNorExceedIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var text strings.Builder
		for id := range rapid.IntRange(1, 15).Draw(t, "jobs") {
			text.WriteString(strings.Join([]string{
				strconv.Itoa(id + 1), strconv.Itoa(rapid.IntRange(0, 2000).Draw(t, "submit")),
				strconv.Itoa(rapid.IntRange(1, 3).Draw(t, "tasks")),
				rapid.SampledFrom([]string{"0.25", "0.5", "1"}).Draw(t, "cpu"),
				rapid.SampledFrom([]string{"0.1", "0.3", "0.6"}).Draw(t, "mem"),
				strconv.Itoa(rapid.IntRange(1, 3000).Draw(t, "runtime")),
			}, ",") + "\n")
		}
		r, done := run(t, Window{Until: always}, "GreedyPM */per/opt=min/minvt=600", 3, text.String())
		held := 0.
		for row, bars := range byRow(r) {
			for i, b := range bars {
				held += (b.To - b.From) * (b.High - b.Low)
				if b.Low < -1e-9 || b.High > 1+1e-9 || b.High <= b.Low || b.To <= b.From {
					t.Fatalf("row %d: %+v", row, b)
				}
				for _, o := range bars[:i] {
					if o.To > b.From+1e-12 && o.From < b.To-1e-12 && o.High > b.Low+1e-9 && o.Low < b.High-1e-9 {
						t.Fatalf("row %d: %+v overlaps %+v", row, o, b)
					}
				}
			}
		}
		work := 0.
		for _, o := range done.Jobs {
			work += o.Work() / float64(workload.UnitCPU) / 3600
		}
		if held < work*(1-1e-6) { // spans with a penalty come on top
			t.Fatalf("bars hold %g node hours, the jobs' work is %g", held, work)
		}
	})
}

type bar = struct{ From, To, Low, High float64 }

func byRow(r *Recorder) map[int][]bar {
	rows := map[int][]bar{}
	for _, b := range r.Gantt("t", 3).Bars {
		rows[b.Row] = append(rows[b.Row], bar{b.From, b.To, b.Low, b.High})
	}
	for _, bars := range rows {
		slices.SortFunc(bars, func(a, b bar) int { return cmp.Compare(a.From, b.From) })
	}
	return rows
}
