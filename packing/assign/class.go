package assign

import (
	"cmp"
	"slices"

	"aliquot/packing"
)

// alike divides the nodes into classes of interchangeable ones: with equal capacities, and allowed to
// the same items, at the same yields.
func alike(p *packing.Problem) (classes [][]int) {
	var choosy [][]bool
	var tops [][]float64
	for i := range p.Items {
		if a := p.Items[i].Allowed; len(a) > 0 && (len(choosy) == 0 || &choosy[len(choosy)-1][0] != &a[0]) {
			choosy = append(choosy, a)
		}
		if t := p.Items[i].Tops; len(t) > 0 && (len(tops) == 0 || &tops[len(tops)-1][0] != &t[0]) {
			tops = append(tops, t)
		}
	}
	compare := func(n, m int) int {
		return cmp.Or(compareNodes(&p.Nodes[n], &p.Nodes[m]), compareAllowed(choosy, n, m), compareTops(tops, n, m))
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

func compareTops(tops [][]float64, n, m int) int {
	for _, t := range tops {
		if c := cmp.Compare(t[n], t[m]); c != 0 {
			return c
		}
	}
	return 0
}
