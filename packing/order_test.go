package packing

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Two of many items, in order at level 1, have smallest shares and move ahead at lower levels: the
// first into the previous block of rows, the second, which the pass has not reached yet, still
// further.
func TestItemsThatGoAheadAcrossBlocksAreInOrder(t *testing.T) {
	p := &Problem{Nodes: make([]Node, 520)}
	for n := range p.Nodes {
		p.Nodes[n] = Node{CPU: 1, Rigid: []float64{1}}
	}
	const regular = 4*block - 24
	for i := range regular {
		p.Items = append(p.Items, Item{Count: 1, Need: 1 - 0.4*float64(i)/regular, Rigid: []float64{0.01}, Label: uint64(i)})
	}
	p.Items = append(p.Items,
		Item{Count: 1, Need: 0.75, MinCPU: 0.42, Rigid: []float64{0.01}, Label: regular},
		Item{Count: 1, Need: 0.65, MinCPU: 0.48, Rigid: []float64{0.01}, Label: regular + 1})
	m, ok := Pack(p, 0.5)
	plain, plainOK := plainPack(p, 0.5)
	if diff := cmp.Diff(plain, m); ok != plainOK || diff != "" {
		t.Errorf("success %v, plainly %v; %s", ok, plainOK, diff)
	}
}
