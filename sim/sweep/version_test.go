package sweep

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aliquot/cluster"
	"aliquot/sim"
)

var update = flag.Bool("update", false, "rewrite testdata/version.jsonl")

// contended returns a stream whose jobs compete for memory and CPU.
func contended() []string {
	var lines []string
	for i := range 24 {
		lines = append(lines, fmt.Sprintf("%d,%d,%d,%g,%g,%d", i+1, i*i*37%1900, 1+i*5%3, []float64{1, 0.5, 0.25}[i%3],
			[]float64{0.1, 0.6, 0.3, 0.45}[i%4], 20+i*i*71%2600))
	}
	return lines
}

func TestResultsOfThisVersionAreTheKeptOnes(t *testing.T) {
	jobs := stream(t, contended()...)
	var text strings.Builder
	for _, policy := range []string{
		"FCFS", "EASY", "EASY/no-reserved", "conservative", "Greedy */opt=min", "GreedyP/per/opt=min",
		"GreedyPM */per/opt=min/minvt=600", "GreedyPM */per/opt=avg/minft=300",
		"MCB8 */opt=min", "/per/opt=min", "/stretch-per/opt=max", "/stretch-per/opt=avg",
	} {
		for _, terms := range []sim.Terms{{}, {Cost: "memory=0.1"}} {
			x := trial(t, jobs, 4, policy)
			x.Terms = terms
			r, err := x.Run(Bench{Check: true}, jobs)
			if err != nil {
				t.Fatal(err)
			}
			if r.Bottleneck, err = Bound(4, jobs); err != nil {
				t.Fatal(err)
			}
			line, err := Line(r)
			if err != nil {
				t.Fatal(err)
			}
			text.Write(line)
		}
	}
	path := filepath.Join("testdata", "version.jsonl")
	if *update {
		if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text.String()); diff != "" {
		t.Errorf(
			"results are others than before: raise sweep.Version, which is %d, so that kept ones are not taken for these, and run this test with -update (-before +now):\n%s", Version, diff)
	}
}

func TestTheDigestCoversEverythingThatPoliciesMayRead(t *testing.T) {
	plain := stream(t, "1,0,1,1,0.1,100", "2,0,1,1,0.1,100")
	seen := map[string]bool{Digest(plain): true}
	for i := range plain {
		urgent := stream(t, "1,0,1,1,0.1,100", "2,0,1,1,0.1,100")
		urgent[i].Priority = 5
		if d := Digest(urgent); seen[d] {
			t.Errorf("the priority of job %d is not in the digest", urgent[i].ID)
		} else {
			seen[d] = true
		}
		failing := stream(t, "1,0,1,1,0.1,100", "2,0,1,1,0.1,100")
		failing[i].FailOnLoss = true
		if d := Digest(failing); seen[d] {
			t.Errorf("that job %d fails on loss is not in the digest", failing[i].ID)
		} else {
			seen[d] = true
		}
		yielding := stream(t, "1,0,1,1,0.1,100", "2,0,1,1,0.1,100")
		yielding[i].Class = cluster.BackgroundClass
		if d := Digest(yielding); seen[d] {
			t.Errorf("the class of job %d is not in the digest", yielding[i].ID)
		} else {
			seen[d] = true
		}
	}
}

func TestTermsArePartOfTheKeyInOneSpelling(t *testing.T) {
	jobs := stream(t, "1,0,1,1,0.1,100")
	keys := map[string]sim.Terms{}
	for _, terms := range []sim.Terms{{}, {Cost: "live"}, {Estimates: "trace"}, {Impossible: "skip"}, {Cost: "memory=2"},
		{Cost: "memory=3"}} {
		x, err := New("t", Digest(jobs), 1, "FCFS", 600, 300, terms)
		if err != nil {
			t.Fatal(err)
		}
		if o, twice := keys[x.Key()]; twice {
			t.Errorf("%+v has the key of %+v", terms, o)
		}
		keys[x.Key()] = terms
	}
	same, err := New("t", Digest(jobs), 1, "FCFS", 600, 300, sim.Terms{Cost: "constant", Estimates: "perfect",
		Impossible: "refuse"})
	if o, known := keys[same.Key()]; err != nil || !known || o != (sim.Terms{}) {
		t.Errorf("what is usual is not the same when it is said: %v", err)
	}
	if _, err := New("t", "d", 1, "FCFS", 600, 300, sim.Terms{Cost: "free"}); err == nil {
		t.Error("there is a cost model free")
	}
}

func TestSkippedJobsAreNamedAndNotInTheBound(t *testing.T) {
	jobs := stream(t, "1,0,1,1,0.1,100", "7,0,2,1,0.9,1000", "8,0,1,1,0.1,100")
	x := trial(t, jobs, 1, "FCFS")
	if _, err := x.Run(Bench{}, jobs); err == nil {
		t.Error("a job that could never run is not refused")
	}
	x.Impossible = "skip"
	r, err := x.Run(Bench{Check: true}, jobs)
	if diff := cmp.Diff([]int64{7}, r.Skipped); err != nil || diff != "" || !r.Checked || r.Jobs != 2 {
		t.Errorf("%v, %+v: %s", err, r, diff)
	}
	if rest := Without(jobs, r.Skipped); len(rest) != 2 || rest[1].ID != 8 || len(jobs) != 3 {
		t.Errorf("%+v", rest)
	}
	r.Bound = 5
	s := NewStore()
	s.Put(r)
	if _, ok := s.Bottleneck(x); ok {
		t.Error("the bound without the skipped job is taken for that of all")
	}
}
