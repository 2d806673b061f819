package cluster

import (
	"cmp"
	"iter"

	"github.com/google/btree"
)

// table is a persistent map, ordered by the key that an entry has.
type table[K cmp.Ordered, V any] struct {
	*btree.BTreeG[keyed[K, V]]
	key func(V) K
}

// keyed keeps the key beside the entry, so that looking one up neither follows pointers nor takes memory.
type keyed[K cmp.Ordered, V any] struct {
	key   K
	entry V
}

func newTable[K cmp.Ordered, V any](key func(V) K) table[K, V] {
	return table[K, V]{btree.NewG(16, func(a, b keyed[K, V]) bool { return a.key < b.key }), key}
}

func (t table[K, V]) clone() table[K, V] { return table[K, V]{t.Clone(), t.key} }

// get returns the entry of the key; the zero entry: there is none.
func (t table[K, V]) get(key K) V {
	e, _ := t.Get(keyed[K, V]{key: key})
	return e.entry
}

// put adds the entry and tells whether it replaced one of the same key.
func (t table[K, V]) put(entry V) bool {
	_, replaced := t.ReplaceOrInsert(keyed[K, V]{t.key(entry), entry})
	return replaced
}

func (t table[K, V]) remove(key K) { t.Delete(keyed[K, V]{key: key}) }

func (t table[K, V]) all() iter.Seq[V] {
	return func(yield func(V) bool) {
		t.Ascend(func(e keyed[K, V]) bool { return yield(e.entry) })
	}
}
