// Package packingtest draws difficult packing problems from bytes, for fuzzing. Only tests use it: production draws its
// problems by [packing/study/instance].
package packingtest

import (
	"math"

	"aliquot/packing"
)

// hostile lists sizes that provoke errors.
var hostile = []float64{
	0, 1, 2, 3, 0.1, 1000, 1e9, 1 << 53, 1e100, math.MaxFloat64, math.SmallestNonzeroFloat64, 1e-300,
	-1, math.NaN(), math.Inf(1), math.Inf(-1),
}

// Hostile turns bytes into problems with numbers that provoke errors. When the bytes are used up, every choice is the
// first one. The problems need not be valid.
type Hostile struct{ Data []byte }

// Below returns a number from 0 to n-1.
func (h *Hostile) Below(n int) int {
	if len(h.Data) == 0 {
		return 0
	}
	v := int(h.Data[0]) % n
	h.Data = h.Data[1:]
	return v
}

// Size returns any number, NaN included.
func (h *Hostile) Size() float64 { return hostile[h.Below(len(hostile))] }

func (h *Hostile) sizes(n int) (v []float64) {
	for range n {
		v = append(v, h.Size())
	}
	return v
}

// Problem returns up to four nodes and seven items, with up to two rigid dimensions and two fluid ones
// other than CPU.
func (h *Hostile) Problem() *packing.Problem {
	p, dims, flows := &packing.Problem{}, h.Below(3), h.Below(3)
	for range h.Below(5) {
		p.Nodes = append(p.Nodes, packing.Node{CPU: h.Size(), Rigid: h.sizes(dims), Fluid: h.sizes(flows)})
	}
	for range h.Below(8) {
		p.Items = append(p.Items, h.item(len(p.Nodes), dims, flows))
	}
	return p
}

func (h *Hostile) item(nodes, dims, flows int) packing.Item {
	it := packing.Item{
		Count: []int{1, 2, 5, 100_000, 0, math.MaxInt}[h.Below(6)], Need: h.Size(), MinCPU: h.Size(),
		Rigid: h.sizes(dims), Spread: h.Below(4) == 1, Together: h.Below(4) == 1, Label: uint64(h.Below(3)),
	}
	for d := 0; d < flows && h.Below(3) > 0; d++ {
		it.Fluid = append(it.Fluid, packing.Demand{Slope: h.Size(), Base: h.Size(), Least: h.Size(), Most: h.Size()})
	}
	if h.Below(3) == 1 {
		it.Line = packing.Line{Slope: h.Size(), Base: h.Size(), Idle: h.Size()}
	}
	for range h.Below(4) {
		it.Pinned = append(it.Pinned, h.Below(6))
	}
	if h.Below(3) == 1 {
		it.Allowed = []bool{}
		for range nodes {
			it.Allowed = append(it.Allowed, h.Below(2) == 0)
		}
	}
	return it
}

// Mapping maps each item of a valid problem anywhere or nowhere; a pinned one where it is pinned or
// nowhere.
func (h *Hostile) Mapping(p *packing.Problem) packing.Mapping {
	m := make(packing.Mapping, len(p.Items))
	for i := range p.Items {
		it := &p.Items[i]
		if len(p.Nodes) == 0 || h.Below(3) == 1 {
			continue
		}
		for range it.Count {
			m[i] = append(m[i], h.Below(len(p.Nodes)))
		}
		if it.Pinned != nil {
			m[i] = it.Pinned
		}
	}
	return m
}
