package document

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aliquot/policy/market"
)

const advertised = `{"sites": 1, "slots": [[0, 0, 3, 1], {"site": 0, "start": 0, "end": 10, "procs": 2},
	{"site": 0, "start": 6, "end": null, "procs": 3}],
	"tasks": [{"name": "a", "procs": 2, "runtime": 3}, [1, 2], [2, 2]],
	"edges": [{"frm": 0, "to": 1, "transfer": 1}, [0, 2, 0]]}`

const queried = `{"sites": [{"P": 5, "running": [[2, 2], {"procs": 3, "end": 3}], "reservations": [[1, 4, 6]],
	"queue": [[2, 5], [2, 2]]}], "tasks": [[2, 3]], "edges": []}`

func solve(t *testing.T, text, method string, alpha *market.Fraction) Answer {
	t.Helper()
	in, err := Read("f", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := in.Solve(method, alpha, 1)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

func TestSlotsAndQueuesAreReadAndAnswered(t *testing.T) {
	got := solve(t, advertised, "moga", nil)
	want := Answer{Method: "moga", BestEffort: &Measure{12, 7}, Bound: Measure{12, 5}, Gap: Gap{0, 2. / 7},
		Front: []Plan{{Measure{12, 11}, [][]int64{{0, 6, 2, 2}, {0, 9, 2, 1}, {0, 9, 2, 2}}},
			{Measure{20, 7}, [][]int64{{0, 0, 1, 2}, {0, 3, 1, 1}, {0, 5, 1, 2}}}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("slots (-want +got):\n%s", diff)
	}
	first, err := market.ParseFraction("0")
	if err != nil {
		t.Fatal(err)
	}
	got = solve(t, queried, "greedy", &first)
	want = Answer{Method: "greedy", BestEffort: &Measure{6, 8}, Bound: Measure{6, 5}, Gap: Gap{.5, 0},
		Front: []Plan{{Measure{12, 5}, [][]int64{{0, 2, 6}}}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("queues (-want +got):\n%s", diff)
	}
}

func TestWrongFilesAreRefusedWithWhatAndWhere(t *testing.T) {
	tasks := `"tasks": [[1, 1], [1, 1], [1, 1]]`
	for _, c := range []struct{ text, want string }{
		{``, "line 1: unexpected end of JSON input"},
		{"{\n\"sites\": 1,,}", "line 2: invalid character ','"},
		{`[]`, "the file must be one object with sites, tasks and edges"},
		{`{"sites": 1}`, "tasks is missing or empty"},
		{`{"tasks": [[1, 1]]}`, "sites is missing"},
		{`{"sites": 0, ` + tasks + `}`, "sites: 0 is not a whole number from 1 to 1000"},
		{`{"sites": [], ` + tasks + `}`, "sites is empty"},
		{`{"sites": [{"P": 1}], "slots": [], ` + tasks + `}`, "slots are for a number of sites"},
		{`{"sites": 1, "tasks": 7}`, "tasks is not a list"},
		{`{"sites": 1, "tasks": [7]}`, "tasks[0] is neither an object nor a list"},
		{`{"sites": 1, "tasks": [[1]]}`, "tasks[0]: a list must have 2 values: procs, runtime"},
		{`{"sites": 1, "tasks": [{"procs": 1}]}`, "tasks[0]: runtime is missing"},
		{`{"sites": 1, "tasks": [[1, -1]]}`, "tasks[0]: runtime: -1 is not a whole number from 0"},
		{`{"sites": 1, "tasks": [[1, 1.5]]}`, "tasks[0]: runtime: 1.5 is not a whole number"},
		{`{"sites": 1, "tasks": [[0, 1]]}`, "tasks[0]: procs: 0 is not a whole number from 1"},
		{`{"sites": 1, "tasks": [[1, 9223372036854775808]]}`, "is not a whole number"},
		{`{"sites": 1, "tasks": [[10000000, 1099511627776]]}`, "tasks[0]: processors × time × price add up to more"},
		{`{"sites": 1, "tasks": [{"name": "x", "procs": 1, "runtime": 1}, {"name": "x", "procs": 1, "runtime": 1}]}`,
			`tasks[1]: tasks[0] is also called "x"`},
		{`{"sites": 1, ` + tasks + `, "edges": [[0, 3, 1]]}`, "edges[0]: to: 3 is not a whole number from 0 to 2"},
		{`{"sites": 1, ` + tasks + `, "edges": [[-1, 2, 1]]}`, "edges[0]: frm: -1 is not a whole number"},
		{`{"sites": 1, ` + tasks + `, "edges": [[1, 1, 1]]}`, "edges[0]: task t1 waits for itself"},
		{`{"sites": 1, ` + tasks + `, "edges": [[0, 1, -1]]}`, "edges[0]: transfer: -1 is not"},
		{`{"sites": 1, ` + tasks + `, "edges": [[0, 1, 1], [1, 2, 1], [2, 0, 1]]}`, "the tasks wait for each other: "},
		{`{"sites": 1, "slots": [[1, 0, 1, 1]], ` + tasks + `}`, "slots[0]: site: 1 is not a whole number from 0 to 0"},
		{`{"sites": 1, "slots": [[0, 5, 5, 1]], ` + tasks + `}`, "slots[0]: end: 5 is not a whole number from 6"},
		{`{"sites": 1, "slots": [{"site": 0, "start": 0, "end": null, "procs": 1, "divisible": false}], ` + tasks + `}`,
			"slots[0]: a slot without an end must be divisible and extensible"},
		{`{"sites": 1, "slots": [{"site": 0, "start": 0, "end": 1, "procs": 1, "divisible": 1}], ` + tasks + `}`,
			"slots[0]: divisible: 1 is neither true nor false"},
		{`{"sites": [{"P": 2, "running": [[3, 1]]}], ` + tasks + `}`, "sites[0].running[0]: procs: 3 is not"},
		{`{"sites": [{"P": 2, "running": [[2, 4]], "reservations": [[1, 3, 5]]}], ` + tasks + `}`,
			"sites[0]: running tasks and reservations take more than its 2 processors at once"},
		{`{"sites": [{"P": 2, "queue": [[3, 1]]}], ` + tasks + `}`, "sites[0].queue[0]: procs: 3 is not"},
		{`{"sites": [{"P": 10000000, "queue": [[10000000, 99999999999]]}], ` + tasks + `}`, "add up to more than"},
	} {
		_, err := Read("f.json", []byte(c.text))
		if err == nil || !strings.HasPrefix(err.Error(), "f.json: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\n  %v\n  want %s", c.text, err, c.want)
		}
	}
}

func TestLongListsAreBounded(t *testing.T) {
	edges := func(n int) string {
		return `{"sites": 1, "tasks": [[1, 1], [1, 1]], "slots": [[0, 0, null, 1]], "edges": [` +
			strings.TrimSuffix(strings.Repeat("[0,1,0],", n), ",") + `]}`
	}
	if a := solve(t, edges(100_000), "moga", nil); len(a.Front) != 1 || a.Front[0].Makespan != 2 {
		t.Errorf("%+v", a.Front)
	}
	_, err := Read("f", []byte(edges(mostEdges+1)))
	if want := fmt.Sprintf("f: edges has %d elements, more than %d", mostEdges+1, mostEdges); err == nil ||
		err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestAnExactFrontHasNoGap(t *testing.T) {
	if a := solve(t, advertised, "best", nil); !a.Exact || a.Gap != (Gap{}) || len(a.Front) != 2 {
		t.Errorf("%+v", a)
	}
}

func TestAFrontOfQueriesIsExactOnlyAtTheBound(t *testing.T) {
	if a := solve(t, queried, "best", nil); a.Exact || !a.ExactInOrder || len(a.Front) != 2 {
		t.Errorf("%+v", a)
	}
	one := `{"sites": [{"P": 2, "queue": [[1, 9]]}], "tasks": [[1, 4]]}`
	if a := solve(t, one, "best", nil); !a.Exact || !a.ExactInOrder {
		t.Errorf("%+v", a)
	}
	three := `{"sites": [{"P": 2}], "tasks": [[1, 4], [2, 1], [1, 2]], "edges": [[1, 2, 0]]}`
	if a := solve(t, three, "best", nil); a.Exact || a.Front[0].Measure != (Measure{8, 5}) || a.Gap.Makespan != .2 {
		t.Errorf("%+v", a)
	}
}

func TestMethodsSayWhatTheyAreFor(t *testing.T) {
	for text, wrong := range map[string]string{advertised: "greedy", queried: "moga"} {
		in, _ := Read("f", []byte(text))
		for _, name := range []string{wrong, "fast"} {
			if _, err := in.Solve(name, nil, 1); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	in, _ := Read("f", []byte(strings.ReplaceAll(queried, `"tasks": [[2, 3]]`, `"tasks": [[6, 3]]`)))
	if _, err := in.Solve("greedy", nil, 1); err == nil || !strings.HasPrefix(err.Error(), "there is no plan: ") {
		t.Errorf("a task that fits nowhere: %v", err)
	}
}

// All slots are needed, which no random half of them has.
func TestAMethodThatFindsNoPlanDoesNotSayThatThereIsNone(t *testing.T) {
	var slots, tasks []string
	for i := range 14 {
		slots, tasks = append(slots, fmt.Sprintf("[0,%d,%d,1]", 10*i, 10*i+10)), append(tasks, "[1,10]")
	}
	whole := func(tasks []string) string {
		return `{"sites": 1, "slots": [` + strings.Join(slots, ",") + `], "tasks": [` + strings.Join(tasks, ",") + `]}`
	}
	const none = "there is no plan: the tasks do not fit the slots or sites"
	for _, c := range []struct{ text, method, want string }{
		{whole(tasks), "moga", "moga found no plan; another method may find one"},
		{whole([]string{"[1,11]"}), "moga", "moga found no plan; another method may find one"},
		{whole([]string{"[1,11]"}), "best", none},
		{whole(append(tasks, "[1,10]")), "moga", none},
		{`{"sites": 1, "slots": [[0,0,10,1]], "tasks": [[1,6],[1,6]]}`, "best", none},
	} {
		in, err := Read("f", []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := in.Solve(c.method, nil, 1); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.method, err, c.want)
		}
	}
	if a := solve(t, whole(tasks), "best", nil); len(a.Front) != 1 {
		t.Errorf("%+v", a)
	}
}

func TestInstancesThatAreTooLargeForAMethodAreRefused(t *testing.T) {
	many := func(n int, one string) string { return "[" + strings.TrimSuffix(strings.Repeat(one+",", n), ",") + "]" }
	for method, text := range map[string]string{
		"greedy": `{"sites": [{"P": 9, "queue": ` + many(5000, "[1,1]") + `}], "tasks": [[1,1]]}`,
		"moga":   `{"sites": 1, "slots": ` + many(2000, "[0,0,9,1]") + `, "tasks": ` + many(2000, "[1,1]") + `}`,
		"sweep":  `{"sites": [{"P": 9, "queue": ` + many(5000, "[1,1]") + `}], "tasks": ` + many(20, "[1,1]") + `}`,
	} {
		in, err := Read("f", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		_, err = in.Solve(method, nil, 1)
		if err == nil || !strings.HasPrefix(err.Error(), "the file is too large for "+method) {
			t.Errorf("%s: %v", method, err)
		}
	}
}

func FuzzFilesAreReadOrRefused(f *testing.F) {
	f.Add(advertised)
	f.Add(queried)
	f.Add(`{"sites": 1, "tasks": [[1, 0]], "slots": [[0, 9, 10, 1]]}`)
	f.Fuzz(func(t *testing.T, text string) {
		in, err := Read("f", []byte(text))
		if err != nil || len(text) > 2000 {
			return
		}
		for _, name := range Names {
			answer, err := in.Solve(name, nil, 1)
			if err != nil {
				continue
			}
			for _, p := range answer.Front {
				if p.Cost < answer.Bound.Cost || p.Makespan < answer.Bound.Makespan {
					t.Errorf("%s: %d, %d is below the bound %+v", name, p.Cost, p.Makespan, answer.Bound)
				}
			}
			if _, err := json.Marshal(answer); err != nil {
				t.Error(err)
			}
		}
	})
}
