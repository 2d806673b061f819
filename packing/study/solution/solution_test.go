package solution

import (
	"fmt"
	"strings"
	"testing"

	"aliquot/packing/study/document"
)

const someTasks = "id,count,cpu,mem\nweb,5,0.5,0.2\nbatch,3,1,0.6\n"

func read(t *testing.T, text string) *document.Instance {
	t.Helper()
	in, err := document.Read("f", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// options are those of the command line without flags.
func options(method string, stop func() bool) Options {
	o := Options{Method: method, Accuracy: 0.001, Stop: stop}
	if method == "mcb8" {
		o.Accuracy = 0.01
	}
	return o
}

func TestAnEndCutsTheSearchShortAndIsReported(t *testing.T) {
	var text strings.Builder
	text.WriteString("id,count,cpu,mem\n")
	for i := range 2000 {
		fmt.Fprintf(&text, "g%d,1,%.4f,%.4f\n", i, 0.05+float64(i*7919%10007)/20000, 0.02+float64(i*104729%10007)/90000)
	}
	in := read(t, text.String())
	in.AddUnits(300)
	for _, method := range []string{"mcb8", "portfolio", "FF/max"} {
		for _, end := range []int{1, 20, 400} {
			asked := 0
			p := options(method, func() bool { asked++; return asked >= end }).Solve(in)
			if p.Cut != (asked == end) || p.Yield > p.Bound || (p.Mapping == nil) != (p.Feasible == nil) {
				t.Errorf("%s, end at question %d: %+v", method, end, p)
			}
		}
	}
	s := Options{Method: "portfolio", Accuracy: 0.001}.Solve(in)
	if s.Cut || s.Feasible == nil || !*s.Feasible {
		t.Errorf("without an end: %+v", s)
	}
}

func TestAnEndAtTheLastQuestionIsReported(t *testing.T) {
	for name, text := range map[string]string{
		"all fit":         someTasks,
		"nothing fits":    "id,count,cpu,mem\na,3,1,0.7\nb,3,1,0.6\n",
		"all are dropped": `{"items": [{"id": "a", "cpu": 0.5, "mem": 1.1, "priority": 1}]}`,
	} {
		in := read(t, text)
		in.AddUnits(3)
		for _, method := range []string{"mcb8", "portfolio", "FF/max"} {
			last := 0
			options(method, func() bool { last++; return false }).Solve(in)
			asked := 0
			if p := options(method, func() bool { asked++; return asked == last }).Solve(in); !p.Cut || asked != last {
				t.Errorf("%s by %s, question %d of %d: %+v", name, method, asked, last, p)
			}
		}
	}
}

func TestASearchThatIsCutShortHasTheBoundOfTheSums(t *testing.T) {
	for name, text := range map[string]string{
		"nobody may be dropped": `{"items": [{"id": "a", "count": 300, "cpu": 0.2, "mem": 0.01}, {"id": "b", "cpu": 0.5, "mem": 0.5}]}`,
		"nobody is dropped":     `{"items": [{"id": "a", "count": 300, "cpu": 0.2, "mem": 0.01}, {"id": "b", "cpu": 0.5, "mem": 0.5, "priority": 1}]}`,
	} {
		in := read(t, text)
		in.AddUnits(20)
		for _, method := range []string{"mcb8", "portfolio", "FF/max"} {
			known := 0
			for end, cut := 2, true; cut; end++ {
				asked := 0
				p := options(method, func() bool { asked++; return asked >= end }).Solve(in)
				if cut = p.Cut; cut && (len(p.Dropped) == 0 || len(p.Dropped) == len(in.Problem.Items)) {
					if known++; p.Bound < 0.31 || p.Bound > 0.34 {
						t.Errorf("%s, by %s, end at question %d: %+v", name, method, end, p)
					}
				}
			}
			if known == 0 {
				t.Errorf("%s, by %s: no end with all mapped", name, method)
			}
		}
	}
}

func FuzzTextsAreSolvedOrRefused(f *testing.F) {
	for _, text := range []string{
		someTasks, "id,count,cpu,mem\na,1,1e-300,1\n", "id,count,cpu,mem\na,1,0x1p-2,1\n", "{}",
		`{"nodes":[{"cpu":1,"mem":1}],"items":[{"id":"a","mem":0.5,"count":3,"spread":true}]}`,
		`{"items":[{"id":"a","fluid":{"net":{"slope":1,"base":-1,"most":0.5}}}]}`,
		`{"items":[{"id":"a","priority":1e308,"cpu":2}]}`, `{"items":[`, "\xef\xbb\xbfid,count,cpu,mem\r\na,1,1,1\r\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		in, err := document.Read("f", text, nil)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") {
				t.Fatalf("without file: %v", err)
			}
			return
		}
		if len(in.Problem.Nodes) == 0 {
			in.AddUnits(3)
		}
		if err := in.Problem.Validate(); err != nil {
			t.Fatal(err)
		}
		if in.Tasks > 2000 || len(in.Problem.Nodes) > 2000 {
			return
		}
		for _, method := range []string{"mcb8", "portfolio"} {
			p := options(method, nil).Solve(in)
			if !(p.Yield >= 0 && p.Yield <= 1 && p.Yield <= p.Bound*(1+1e-8) && p.Gap >= 0 && p.Gap <= 1) {
				t.Fatalf("%s: %+v", method, p)
			}
		}
	})
}
