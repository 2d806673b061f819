package packing

import "math"

// Test packages that draw instances use these internals.
var PlainPack, PlainSearch = plainPack, plainSearch

// Pack maps every task at one yield level with MCB8. It returns false if some task is left over, or at a level beyond
// ±1e100.
func Pack(p *Problem, level float64) (Mapping, bool) {
	if !isQuantity(math.Abs(level)) {
		return nil, false
	}
	k := packers.Get().(*packer)
	defer k.release()
	k.begin(p)
	for i := range p.Items {
		k.choose(i)
	}
	k.sum()
	if !k.pack(level) {
		return nil, false
	}
	return k.mapping(), true
}
