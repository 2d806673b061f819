package main

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"aliquot/packing"
)

// What a picture of a packing looks like.
const (
	pictureNode    = 110.0 // pixels of a node
	pictureGap     = 22.0
	pictureThin    = 2.0 // pixels of what has no width or no height
	pictureColumns = 6
	pictureNodes   = 36 // more are left out
)

// pictureColours are told apart by people who are colour-blind (Okabe and Ito's set).
var pictureColours = []string{"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"}

// picture is an SVG image that shows every node as a box, as wide as its CPU and as high as its memory, and its tasks corner to corner:
// what is taken of both at a level. It is full when a task touches the right or the upper edge. Without
// a mapping the nodes are empty, and a node without CPU or memory is a line.
func (in *packInstance) picture(m packing.Mapping, level float64) string {
	nodes := min(len(in.problem.Nodes), pictureNodes)
	columns := min(nodes, pictureColumns)
	rows := (nodes + columns - 1) / max(1, columns)
	step := pictureNode + pictureGap
	var s strings.Builder
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" font-family="sans-serif" font-size="10" fill="#808080">`+"\n", pictureGap+float64(columns)*step, pictureGap+float64(rows)*step)
	fmt.Fprintln(&s, "<title>Nodes with their tasks: CPU to the right, memory upwards</title>")
	on := in.tasksByNode(m, nodes)
	for n := range nodes {
		x, y := pictureGap+float64(n%columns)*step, pictureGap+float64(n/columns)*step
		in.pictureNode(&s, n, on[n], x, y, level)
	}
	s.WriteString("</svg>\n")
	return s.String()
}

// tasksByNode lists the items of the first nodes, once for each task.
func (in *packInstance) tasksByNode(m packing.Mapping, nodes int) [][]int {
	on := make([][]int, nodes)
	for i, places := range m {
		for _, n := range places {
			if n < nodes {
				on[n] = append(on[n], i)
			}
		}
	}
	return on
}

func (in *packInstance) pictureNode(s *strings.Builder, n int, tasks []int, x, y, level float64) {
	capacity, task := make([]float64, in.problem.Dimensions()), make([]float64, in.problem.Dimensions())
	in.problem.Nodes[n].Capacity(capacity)
	slices.Sort(tasks)
	right, up := x, y+pictureNode
	for _, i := range tasks {
		in.problem.Items[i].Takes(task, level)
		width, height := pictured(task[0], capacity[0]), pictured(task[1], capacity[1])
		fmt.Fprintf(s, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s" stroke="#fff" stroke-width="0.5"><title>%s</title></rect>`+"\n",
			right, up-max(height, pictureThin), max(width, pictureThin), max(height, pictureThin), pictureColours[i%len(pictureColours)], html.EscapeString(in.ids[i]))
		right, up = right+width, up-height
	}
	width, height := max(pictured(capacity[0], capacity[0]), pictureThin), max(pictured(capacity[1], capacity[1]), pictureThin)
	name := fmt.Sprintf("n%d", n)
	if in.nodes != nil {
		name = in.nodes[n]
	}
	fmt.Fprintf(s, `<rect x="%.1f" y="%.1f" width="%.0f" height="%.0f" fill="none" stroke="#808080"/><text x="%.1f" y="%.1f">%s</text>`+"\n",
		x, y+pictureNode-height, width, height, x, y-4, html.EscapeString(name))
}

// pictured is how long an amount is, of what a node has; of nothing it is nothing.
func pictured(amount, capacity float64) float64 {
	if capacity == 0 {
		return 0
	}
	return pictureNode * amount / capacity
}
