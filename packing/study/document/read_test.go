package document

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"aliquot/packing/pace"
)

func read(t *testing.T, text string) *Instance {
	t.Helper()
	in, err := Read("f", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func TestMalformedInstancesAreRefusedWithTheirLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "standard input:1: there is nothing in it: the first line must be id,count,cpu,mem",
		"\n\nid,count,mem,cpu\n": `standard input:3: the first line must be id,count,cpu,mem, not "id,count,mem,cpu"`,
		"[" + strings.Repeat("0, ", 99) +
			"0]": `standard input:1: the first line must be id,count,cpu,mem, not "[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0"`,
		"id,count,cpu,mem\na,1,0.5\n":                      "standard input:2: has 3 fields, must have 4: id,count,cpu,mem",
		"id,count,cpu,mem\na,0,0.5,1\n":                    `standard input:2: count is "0", must be a whole number from 1 to 10000000`,
		"id,count,cpu,mem\n\na,1,NaN,1\n":                  "standard input:3: cpu is NaN, must be a number from 0 to 1e+09, in unit nodes",
		"id,count,cpu,mem\na,1,1,-0.1\n":                   "standard input:2: mem is -0.1, must be a number from 0 to 1e+09, in unit nodes",
		"id,count,cpu,mem\na,1,1,+Inf\n":                   "standard input:2: mem is +Inf, must be a number from 0 to 1e+09, in unit nodes",
		"id,count,cpu,mem\na,1,1e300,1\n":                  "standard input:2: cpu is 1e+300, must be a number from 0 to 1e+09, in unit nodes",
		"id,count,cpu,mem\na,1,0_5,1\n":                    `standard input:2: cpu is "0_5", must be a number from 0 to 1e+09, in unit nodes`,
		"id,count,cpu,mem\na,1,0x1p-2,1\n":                 `standard input:2: cpu is "0x1p-2", must be a number from 0 to 1e+09, in unit nodes`,
		"id,count,cpu,mem\na,1,1,0x1_0p-4\n":               `standard input:2: mem is "0x1_0p-4", must be a number from 0 to 1e+09, in unit nodes`,
		"id,count,cpu,mem\na,1,one,1\n":                    `standard input:2: cpu is "one", must be a number from 0 to 1e+09, in unit nodes`,
		"id,count,cpu,mem\na,1,0,1\na,1,0,1":               `standard input:3: the id "a" is that of line 2 too`,
		"id,count,cpu,mem\n,1,0,1":                         "standard input:2: the id is empty",
		"id,count,cpu,mem\na,1,\"0,1":                      `standard input:2: extraneous or missing " in quoted-field`,
		"id,count,cpu,mem\na,9000000,0,0\nb,9000000,0,0\n": "standard input:3: with its tasks there are 18000000, must be at most 10000000",
		"{\n\"items\": [\n{\"id\": \"a\"},\n{\"ix\": 1}]}": `standard input:4: there is no field "ix" here; docs/formats/packing.md lists those that there are`,
		"{": "standard input:1: the file ends before it is complete: a bracket is missing, or it was cut off",
		"{\"nodes\": [{\"id\": \"a\",\n\"cpu\": 1}],\n\"items\": [": "standard input:3: the file ends before it is complete: a bracket is missing, or it was cut off",
		"{\"items\": [\n{\"id\": \"a\", \"cpu\"":                    "standard input:2: the file ends before it is complete: a bracket is missing, or it was cut off",
		"{\"items\": [\n{\"id\": \"a\", \"cpu\": \"1\"}]}":          "standard input:2: cpu is a string, must be a number",
		"{\"items\": [\n{\"id\": \"a\", \"count\": 1e3}]}":          "standard input:2: count is 1e3, must be a whole number, in plain digits",
		"{\"items\": [\n{\"id\": \"a\", \"count\": \"3\"}]}":        "standard input:2: count is a string, must be a whole number, in plain digits",
		"{\"items\": [\n{\"id\": \"a\", \"count\": [3]}]}":          "standard input:2: count is an array, must be a whole number, in plain digits",
		"{\"items\": [\n{\"id\": \"a\", \"mem\": {}}]}":             "standard input:2: mem is an object, must be a number",
		"{\"nodes\": [\n{\"count\": 10000000}], \"items\": []}":     "standard input:2: count is 10000000, must be from 1 to 1000000",
		"{\"nodes\": [\n{\"count\": 1e20}], \"items\": []}":         "standard input:2: count is 1e20, must be a whole number, in plain digits",
		"{\n\"nodes\": [{\"cpu\": 1}]}\n":                           "standard input:2: there is no list of items",
		"{}":                                                        "standard input:1: there is no list of items",
		"{\"items\": [\n7]}":                                        "standard input:2: this is a number, must be an object with fields",

		"{\"items\": [\n{\"id\": \"a\", \"fluid\": {\"net\": {\"slope\": true}}}]}": "standard input:2: fluid.slope is a bool, must be a number",

		"{\"nodes\": [],\n\"items\": []}": "standard input:1: the list of nodes is empty: name some, or leave it out for --nodes unit nodes",
		"{\"items\": [],\n\"items\": []}": "standard input:2: items is there twice",
		"{\"items\": 3}":                  "standard input:1: a list must begin here",
		"{\"nodes\": [{\"id\": \"a\", \"count\": 2, \"cpu\": 1},\n{\"id\": \"a-0\"}], \"items\": []}":   `standard input:2: there is another node "a-0"`,
		"{\"nodes\": [{\"id\": \"a-0\"},\n{\"id\": \"a\", \"count\": 2}], \"items\": []}":               `standard input:2: there is another node "a-0"`,
		"{\"nodes\": [{\"id\": \"a\", \"count\": 2},\n{\"id\": \"a-0\", \"count\": 2}], \"items\": []}": `standard input:2: there is another node "a-0"`,
		"{\"nodes\": [{\"id\": \"a-0\", \"count\": 2},\n{\"id\": \"a\", \"count\": 2}], \"items\": []}": `standard input:2: there is another node "a-0"`,
		"{\n\"items\": [\n{\"id\": \"a\", \"mem\": -1}]}":                                               "standard input:3: mem is -1, must be a number from 0 to 1e+09, in unit nodes",
		"{\n\"items\": [\n{\"id\": \"a\"},\n{\"id\": \"a\"}]}":                                          `standard input:4: the id "a" is that of line 3 too`,

		"{\"items\": [],\n\"jobs\": []}": "standard input:2: there is no field jobs here, only nodes and items",

		"{\"items\": [\n{\"id\": \"a\", \"allowed\": [\"n\"]}]}":                   `standard input:2: allowed: there is no node "n"`,
		"{\"items\": [\n{\"id\": \"a\", \"fluid\": {\"net\": {\"slope\": -1}}}]}":  "standard input:2: net.slope is -1, must be a number from 0 to 1e+09, in unit nodes",
		"{\"items\": [\n{\"id\": \"a\", \"fluid\": {\"net\": {\"base\": -2e9}}}]}": "standard input:2: net.base is -2e+09, must be at least -1e+09, in unit nodes",

		"{\"nodes\": [{\"id\": \"n\", \"count\": 2}],\n\"items\": [{\"id\": \"a\", \"pinned\": [\"n\"]}]}": `standard input:2: pinned: there are 2 nodes "n": name one, from "n-0" on`,

		"{\"items\": [{\"id\": \"a\"}]} {}": "standard input:1: something follows the end",

		"{\"items\": [\n{\"id\": \"a\", \"count\": 2, \"spread\": true, \"together\": true}]}": "standard input:2: its tasks are to be spread, and to be together",
	} {
		if _, err := Read("-", []byte(text), nil); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestSpacesBlankLinesAndKindsOfLineEndsDoNoHarm(t *testing.T) {
	in := read(t, "\ufeff\r\n id, count ,cpu,\tmem\r\n\r\nweb, 5 , 0.5, 0.2 \r\n\n \"a, b\", 3, 1, 0.6")
	if in.Tasks != 8 || !slices.Equal(in.IDs, []string{"web", "a, b"}) || in.Problem.Items[0].Need != Unit/2 {
		t.Errorf("%+v", in)
	}
}

func TestNodesWithoutNamesGetUnusedNames(t *testing.T) {
	in := read(t,
		`{"nodes": [{"id": "n1", "cpu": 1, "mem": 1}, {"cpu": 5, "mem": 5}, {"id": "n2", "cpu": 1, "mem": 1}], "items": [{"id": "x", "cpu": 5, "mem": 2}]}`)
	if name := in.NodeName(1); name != "n3" {
		t.Errorf("the second node is %s, want n3", name)
	}
}

func TestItemsAllowedOnTheSameNodesShareOneList(t *testing.T) {
	var items []string
	for i := range 100 {
		items = append(items,
			fmt.Sprintf(`{"id": "x%d", "cpu": 1, "allowed": ["a", "b"]}, {"id": "y%d", "cpu": 1, "allowed": ["b"]}`, i, i))
	}
	in := read(t, `{"nodes": [{"id": "a", "cpu": 1}, {"id": "b", "count": 9999, "cpu": 1}], "items": [`+
		strings.Join(items, ",")+`]}`)
	lists := map[*bool]bool{}
	for i := range in.Problem.Items {
		lists[&in.Problem.Items[i].Allowed[0]] = true
	}
	if len(lists) != 2 {
		t.Errorf("%d lists, want 2", len(lists))
	}
}

func TestDifferentListsOfAllowedNodesHaveALimit(t *testing.T) {
	b := &builder{in: &Instance{names: make([]string, MostNodes)}, lists: map[string][]bool{}}
	for i := range mostAllowed / MostNodes {
		b.lists[fmt.Sprint(i)] = nil
	}
	_, err := b.allowed([]string{"n"})
	if want := "allowed: with 1000000 nodes there may be at most 1073 different lists"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestReadingIsEndedOnTheWay(t *testing.T) {
	const rows = 3 * pace.Between
	var csv strings.Builder
	csv.WriteString("id,count,cpu,mem\n")
	for i := range rows {
		fmt.Fprintf(&csv, "t%d,1,0,0\n", i)
	}
	json := `{"items": [{}` + strings.Repeat(",\n{}", rows) + "]}"
	alike := fmt.Sprintf(`{"nodes": [{"id": "n", "count": %d}], "items": []}`, rows)
	lists := fmt.Sprintf(
		`{"nodes": [{"id": "n", "count": %d}], "items": [{"id": "a", "allowed": ["n-0"]}, {"id": "b", "allowed": ["n-1"]}, {"id": "c", "allowed": ["n"]}]}`, pace.Between*2/3)
	for name, text := range map[string]string{"CSV": csv.String(), "JSON": json, "nodes of JSON": alike,
		"lists of JSON": lists} {
		asked := 0
		if _, err := Read("f", []byte(text), func() bool { asked++; return asked == 2 }); err != ErrSpent || asked != 2 {
			t.Errorf("%s: asked %d times: %v", name, asked, err)
		}
	}
}
