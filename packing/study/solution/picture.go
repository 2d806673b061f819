package solution

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"aliquot/packing"
	"aliquot/packing/study/document"
)

// The look of a picture.
const (
	pictureNode    = 110.0 // pixels of a node
	pictureGap     = 22.0
	pictureThin    = 2.0 // pixels of what has no width or no height
	pictureColumns = 6
	pictureNodes   = 36 // more are left out
)

// pictureColours can be told apart by colour-blind people (the set of Okabe and Ito).
var pictureColours = []string{"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"}

// Picture draws the first nodes as an SVG image. A node is a box as wide as its CPU and as high as its memory. Its
// tasks stand in it corner to corner, each as large as its use of both at the yield. A node is full when a task touches
// the right or the upper edge. Without a mapping the nodes are empty. A node without CPU or memory is a line.
func (s Solution) Picture(in *document.Instance) string {
	nodes := min(len(in.Problem.Nodes), pictureNodes)
	columns := min(nodes, pictureColumns)
	rows := (nodes + columns - 1) / max(1, columns)
	step := pictureNode + pictureGap
	var svg strings.Builder
	fmt.Fprintf(&svg,
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" font-family="sans-serif" font-size="10" fill="#808080">`+"\n", pictureGap+float64(columns)*step, pictureGap+float64(rows)*step)
	fmt.Fprintln(&svg, "<title>Nodes with their tasks: CPU to the right, memory upwards</title>")
	on := tasksByNode(s.Mapping, nodes)
	for n := range nodes {
		x, y := pictureGap+float64(n%columns)*step, pictureGap+float64(n/columns)*step
		drawNode(&svg, in, n, on[n], x, y, s.Yield)
	}
	svg.WriteString("</svg>\n")
	return svg.String()
}

// tasksByNode lists for each of the first nodes the item of every task on it.
func tasksByNode(m packing.Mapping, nodes int) [][]int {
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

// drawNode draws the node with the index n and its tasks; (x, y) is its upper left corner.
func drawNode(s *strings.Builder, in *document.Instance, n int, tasks []int, x, y, level float64) {
	capacity, task := make([]float64, in.Problem.Dimensions()), make([]float64, in.Problem.Dimensions())
	in.Problem.Nodes[n].Capacity(capacity)
	slices.Sort(tasks)
	right, up := x, y+pictureNode
	for _, i := range tasks {
		in.Problem.Items[i].Takes(task, level)
		width, height := pictured(task[0], capacity[0]), pictured(task[1], capacity[1])
		fmt.Fprintf(s,
			`<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s" stroke="#fff" stroke-width="0.5"><title>%s</title></rect>`+"\n",
			right, up-max(height, pictureThin), max(width, pictureThin), max(height, pictureThin),
			pictureColours[i%len(pictureColours)], html.EscapeString(in.IDs[i]))
		right, up = right+width, up-height
	}
	width, height := max(pictured(capacity[0], capacity[0]), pictureThin),
		max(pictured(capacity[1], capacity[1]), pictureThin)
	fmt.Fprintf(s,
		`<rect x="%.1f" y="%.1f" width="%.0f" height="%.0f" fill="none" stroke="#808080"/><text x="%.1f" y="%.1f">%s</text>`+
			"\n",
		x, y+pictureNode-height, width, height, x, y-4, html.EscapeString(in.NodeName(n)))
}

// pictured returns the length that shows an amount of a node's capacity, in pixels.
func pictured(amount, capacity float64) float64 {
	if capacity == 0 {
		return 0
	}
	return pictureNode * amount / capacity
}
