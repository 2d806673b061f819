package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"aliquot/packing"
	"aliquot/packing/study/document"
	"aliquot/packing/study/solution"
)

// packed is the answer of pack.
type packed struct {
	Feasible *bool        `json:"feasible"` // nil: the search ended before anything was placed
	Yield    float64      `json:"yield"`
	Bound    float64      `json:"bound"`
	Gap      float64      `json:"gap"`
	Seconds  float64      `json:"seconds"`
	Method   string       `json:"method"`
	Accuracy float64      `json:"accuracy"`
	Argument string       `json:"argument"`
	LP       float64      `json:"relaxation"`
	Nodes    int          `json:"nodes"`
	Tasks    int          `json:"tasks"`
	Cut      bool         `json:"cut"`
	Dropped  []string     `json:"dropped"`
	Mapping  []packedItem `json:"mapping,omitempty"`
}

func newPacked(in *document.Instance, f packFlags, s solution.Solution) packed {
	p := packed{
		Feasible: s.Feasible, Yield: s.Yield, Bound: s.Bound, Gap: s.Gap, Seconds: s.Took.Seconds(), Method: s.Method,
		Accuracy: f.width(),
		Argument: string(s.Argument), LP: s.Relaxation, Nodes: len(in.Problem.Nodes), Tasks: in.Tasks, Cut: s.Cut,
		Dropped: []string{},
	}
	for _, i := range s.Dropped {
		p.Dropped = append(p.Dropped, in.IDs[i])
	}
	if f.mapping && s.Mapping != nil {
		p.Mapping = packedItems(in, s.Mapping)
	}
	return p
}

// packedItem is an item with the names of its tasks' nodes.
type packedItem struct {
	ID    string   `json:"id"`
	Nodes []string `json:"nodes"`
}

func packedItems(in *document.Instance, m packing.Mapping) []packedItem {
	list := make([]packedItem, 0, len(m))
	for i, nodes := range m {
		names := make([]string, 0, len(nodes))
		for _, n := range nodes {
			names = append(names, in.NodeName(n))
		}
		list = append(list, packedItem{in.IDs[i], names})
	}
	return list
}

func (p packed) text(w io.Writer) {
	switch {
	case p.Feasible == nil:
		fmt.Fprintln(w, "feasible unknown")
	case !*p.Feasible:
		fmt.Fprintln(w, "feasible false")
	}
	fmt.Fprintf(w, "yield %s\nbound %s\ngap %s\nseconds %.6f\n", sixDigits(p.Yield), sixDigits(p.Bound),
		sixDigits(p.Gap), p.Seconds)
	if p.Cut {
		fmt.Fprintln(w, "cut short")
	}
	if len(p.Dropped) > 0 {
		fmt.Fprintf(w, "dropped %s\n", strings.Join(p.Dropped, " "))
	}
	if p.Mapping != nil {
		rows := [][]string{{"ID", "NODES"}}
		for _, item := range p.Mapping {
			rows = append(rows, []string{item.ID, countNames(item.Nodes)})
		}
		table(w, rows)
	}
}

// sixDigits formats a number with six decimals, or with six significant digits if it is smaller.
func sixDigits(x float64) string {
	if x != 0 && math.Abs(x) < 0.001 {
		return strconv.FormatFloat(x, 'g', 6, 64)
	}
	return strconv.FormatFloat(x, 'f', 6, 64)
}

// countNames writes names in order, and how often if more than once.
func countNames(names []string) string {
	var parts []string
	for len(names) > 0 {
		same := slices.IndexFunc(names, func(name string) bool { return name != names[0] })
		if same < 0 {
			same = len(names)
		}
		part := names[0]
		if same > 1 {
			part += "×" + strconv.Itoa(same)
		}
		parts, names = append(parts, part), names[same:]
	}
	return dash(strings.Join(parts, " "))
}
