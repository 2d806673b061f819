package packing_test

import (
	"fmt"

	"aliquot/packing"
)

// ExampleSearch packs two nodes of 4 cores and 8 GiB. The third job, of the lowest priority, finds no
// memory.
func ExampleSearch() {
	const core, gib = 1000, 1 << 30
	node := packing.Node{CPU: 4 * core, Rigid: []float64{8 * gib}}
	p := &packing.Problem{
		Nodes: []packing.Node{node, node},
		Items: []packing.Item{
			{Count: 3, Need: 4 * core, Rigid: []float64{2 * gib}, Label: 1},
			{Count: 1, Need: 1 * core, Rigid: []float64{6 * gib}, Label: 2},
			{Count: 1, Need: 1 * core, Rigid: []float64{6 * gib}, Label: 3},
		},
	}
	r := packing.Search(p, []int{0, 1, 2})
	fmt.Println("mapping:", r.Mapping, "dropped:", r.Dropped)
	for i, y := range packing.MaxMin(p, r.Mapping) {
		fmt.Printf("job %d: %.0fm for each task\n", i, y*p.Items[i].Need)
	}
	// Output:
	// mapping: [[0 1 1] [0] []] dropped: [2]
	// job 0: 2000m for each task
	// job 1: 1000m for each task
	// job 2: 0m for each task
}
