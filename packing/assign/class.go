package assign

import (
	"cmp"
	"slices"

	"aliquot/packing"
)

// alike divides the nodes into classes of interchangeable ones: with equal capacities, and allowed to
// the same items.
func alike(p *packing.Problem) (classes [][]int) {
	var choosy [][]bool
	for i := range p.Items {
		if a := p.Items[i].Allowed; len(a) > 0 && (len(choosy) == 0 || &choosy[len(choosy)-1][0] != &a[0]) {
			choosy = append(choosy, a)
		}
	}
	compare := func(n, m int) int {
		return cmp.Or(compareNodes(&p.Nodes[n], &p.Nodes[m]), compareAllowed(choosy, n, m))
	}
	order := make([]int, len(p.Nodes))
	for n := range order {
		order[n] = n
	}
	slices.SortStableFunc(order, compare)
	for from, n := 0, 1; n <= len(order); n++ {
		if n == len(order) || compare(order[from], order[n]) != 0 {
			classes = append(classes, order[from:n])
			from = n
		}
	}
	return classes
}

func compareNodes(a, b *packing.Node) int {
	return cmp.Or(cmp.Compare(a.CPU, b.CPU), slices.Compare(a.Rigid, b.Rigid), slices.Compare(a.Fluid, b.Fluid))
}

func compareAllowed(choosy [][]bool, n, m int) int {
	for _, allowed := range choosy {
		switch {
		case allowed[n] && !allowed[m]:
			return -1
		case !allowed[n] && allowed[m]:
			return 1
		}
	}
	return 0
}
