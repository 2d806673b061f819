package portfolio

import (
	"fmt"
	"slices"
	"strings"
)

// A Method is one published vector-packing heuristic, described by its parts.
type Method struct {
	Fit    Fit
	Window int // of PermutationPack and ChoosePack: the number of largest dimensions that count; a larger number means all
	Order  Order
	Nodes  NodeOrder
}

// Fit is the way in which tasks and nodes are matched.
type Fit int

// The published ways.
const (
	FirstFit Fit = iota // each task, the largest first, goes to the first node with room
	BestFit             // … to the node with room that has the least left in sum
	// each node takes the task whose largest dimensions are those that it has most of, in this order
	PermutationPack
	ChoosePack // … in any order
)

// Order determines which tasks count as the largest. Sizes are fractions of the mean node.
type Order int

// The published orders, all from the largest.
const (
	Max        Order = iota // by the largest dimension
	Sum                     // by the sum of dimensions
	Ratio                   // by the largest dimension over the smallest
	Difference              // by the largest dimension less the smallest
	Lex                     // by the first dimension, CPU, then the next
	RigidLex                // by the last dimension, then the one before
)

// NodeOrder is the order of nodes, if they differ.
type NodeOrder int

// The orders of nodes.
const (
	AsGiven  NodeOrder = iota
	Smallest           // by the sum of capacities, as fractions of the mean node
	Largest
)

// MCB8 is the method of the DFRS report, for any number of dimensions: permutation pack with a window
// of 1, the largest first by their maximum.
var MCB8 = Method{Fit: PermutationPack, Window: 1, Order: Max}

var (
	fitNames   = []string{"FF", "BF", "PP", "CP"}
	orders     = []string{"max", "sum", "ratio", "difference", "lex", "rigid-lex"}
	nodeOrders = []string{"", "/smallest", "/largest"}
)

// String returns the method's name as the literature abbreviates it: "PP1/max", "BF/sum/smallest".
func (m Method) String() string {
	window := ""
	if m.Fit >= PermutationPack {
		window = fmt.Sprint(m.Window)
	}
	return fitNames[m.Fit] + window + "/" + orders[m.Order] + nodeOrders[m.Nodes]
}

// Parse parses the name of a method as String formats it.
func Parse(name string) (Method, error) {
	for _, m := range every() {
		if strings.EqualFold(m.String(), name) {
			return m, nil
		}
	}
	return Method{},
		fmt.Errorf(
			"there is no packing method %q: a name is FF, BF, PPw or CPw with a window w from 1 to %d, then /%s, and optionally /smallest or /largest", name, widest, strings.Join(orders, ", /"))
}

// widest is the largest window that has a name.
const widest = 4

// every returns all methods that have a name.
func every() (all []Method) {
	for fit := range Fit(len(fitNames)) {
		for window := 1; window <= widest; window++ {
			if fit < PermutationPack && window > 1 {
				break
			}
			for order := range Order(len(orders)) {
				for nodes := range NodeOrder(len(nodeOrders)) {
					m := Method{fit, window, order, nodes}
					if fit < PermutationPack {
						m.Window = 0
					}
					all = append(all, m)
				}
			}
		}
	}
	return all
}

// Published lists the methods that are distinct for the number of dimensions, those that win most
// often first. Nodes that are alike need no order. A choice among all dimensions is first fit, and
// with two dimensions every window is the same.
func Published(dimensions int, alike bool) []Method {
	all := slices.DeleteFunc(every(), func(m Method) bool {
		switch {
		case alike && m.Nodes != AsGiven, m.Window >= max(2, dimensions):
			return true
		case m.Fit == ChoosePack:
			return m.Window < 2
		}
		return dimensions == 1 && (m.Fit == PermutationPack || m.Order != Max)
	})
	slices.SortStableFunc(all, func(a, b Method) int { return a.place() - b.place() })
	return all
}

// place ranks the method among the published ones: MCB8 and its relatives first, best fit last because
// it takes the most steps.
func (m Method) place() int {
	switch m.Fit {
	case PermutationPack, ChoosePack:
		return 10*int(m.Nodes) + m.Window
	case FirstFit:
		return 10*int(m.Nodes) + 8
	}
	return 100 + int(m.Nodes)
}
