package portfolio

import (
	"testing"

	"aliquot/packing"
)

func TestItemsThatDifferInOneQuantityOnlyAreToldApartWithFewLooks(t *testing.T) {
	const items = 10_000
	for name, with := range map[string]func(it *packing.Item, x float64){
		"need":   func(it *packing.Item, x float64) { it.Need = x },
		"memory": func(it *packing.Item, x float64) { it.Rigid[0] = x },
		"least":  func(it *packing.Item, x float64) { it.MinCPU = x },
		"slope":  func(it *packing.Item, x float64) { it.Line.Slope = x },
		"base":   func(it *packing.Item, x float64) { it.Line.Base = x },
		"idle":   func(it *packing.Item, x float64) { it.Line.Idle = x },
	} {
		known, list, looks := newIndex(items), make([]packing.Item, items), 0
		for i := range list {
			list[i] = packing.Item{Count: 1, Need: 1, Rigid: []float64{1}}
			with(&list[i], float64(2+i)/items)
			kind := known.find(&list[i], int32(i), func(kind int32) *packing.Item { looks++; return &list[kind] })
			if kind != int32(i) {
				t.Fatalf("%s: item %d is taken for %d", name, i, kind)
			}
		}
		if looks > 2*items {
			t.Errorf("%s: %d looks at others for %d items", name, looks, items)
		}
	}
}
