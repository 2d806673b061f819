package document

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"aliquot/packing"
)

// Limits that keep an instance within the memory of one machine.
const (
	MostNodes   = 1_000_000
	MostTasks   = 10_000_000
	MostSize    = 1e9     // of a need, a requirement or a capacity, in unit nodes
	mostAllowed = 1 << 30 // entries in all lists of allowed nodes together
)

// Unit is the capacity of a unit node in every dimension. Quantities are counted in billionths of a unit node, as whole
// numbers, so that sums are exact.
const Unit = 1e9

// An Instance is a packing problem as a file states it.
//
// Invariant: IDs and Problem.Items have equal lengths, and the label of an item is its index.
type Instance struct {
	Problem packing.Problem
	IDs     []string // by item
	Tasks   int      // of all items
	Ranked  bool     // some item has a priority: items of lower priority may be dropped
	Listed  bool     // the file has a list of nodes

	names      []string  // by node; nil: n0, n1 and so on
	priorities []float64 // by item, of JSON alone
	unit       packing.Node
}

// AddUnits adds a number of unit nodes to an instance whose file lists none.
func (in *Instance) AddUnits(nodes int) {
	in.Problem.Nodes = slices.Repeat([]packing.Node{in.unit}, nodes)
}

// NodeName returns the name of the node with the index n.
func (in *Instance) NodeName(n int) string {
	if in.names != nil {
		return in.names[n]
	}
	return "n" + strconv.Itoa(n)
}

// Order lists the items by decreasing priority. Items without priorities, or with equal ones, keep the order of the
// file.
func (in *Instance) Order() []int {
	order := make([]int, len(in.IDs))
	for i := range order {
		order[i] = i
	}
	if in.Ranked {
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Compare(in.priorities[b], in.priorities[a])
		})
	}
	return order
}

// expect reserves memory for a number of items.
func (in *Instance) expect(items int) {
	in.IDs, in.Problem.Items = make([]string, 0, items), make([]packing.Item, 0, items)
}

// add appends an item. Items count as submitted in the order of the file.
func (in *Instance) add(id string, it packing.Item) error {
	if in.Tasks += it.Count; in.Tasks > MostTasks {
		return fmt.Errorf("with its tasks there are %d, must be at most %d", in.Tasks, MostTasks)
	}
	it.Label = uint64(len(in.IDs))
	in.IDs, in.Problem.Items = append(in.IDs, id), append(in.Problem.Items, it)
	return nil
}

// amount converts unit nodes to billionths.
func amount(x float64) float64 { return math.Round(x * Unit) }
