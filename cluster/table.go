package cluster

import "iter"

// table is a persistent map from numbers to entries, ordered by number: a trie over groups of four bits. Cloning is
// cheap, and changing a clone does not change the original. Comparing two tables skips the branches they share, so it
// costs only as much as they differ. Entries are compared as pointers: they must not be changed in place.
type table[K ~uint32 | ~uint64, T any] struct {
	*trie[T]
	key func(*T) K
}

// trie holds the entries of a table. Invariant: all numbers are below 16^height.
type trie[T any] struct {
	root   *branch[T]
	height int
	count  int
	owner  *stamp
}

// branch holds the entries of 16 numbers, or 16 branches below it. Only the trie with the same owner stamp may change
// it in place: no other trie shares it.
type branch[T any] struct {
	owner   *stamp
	used    int // non-nil elements of below or of entries
	below   [16]*branch[T]
	entries [16]*T
}

type stamp struct{ _ byte }

func newTable[K ~uint32 | ~uint64, T any](key func(*T) K) table[K, T] {
	return table[K, T]{&trie[T]{owner: new(stamp)}, key}
}

// clone returns an independent copy. Afterwards neither trie owns the branches that they share.
func (t table[K, T]) clone() table[K, T] {
	t.owner = new(stamp)
	c := *t.trie
	c.owner = new(stamp)
	return table[K, T]{&c, t.key}
}

// Len counts the entries.
func (t *trie[T]) Len() int { return t.count }

// get returns the entry of the key, or nil.
func (t table[K, T]) get(key K) *T {
	number := uint64(key)
	if number>>(4*t.height) != 0 || t.root == nil {
		return nil
	}
	at := t.root
	for level := t.height - 1; level > 0; level-- {
		if at = at.below[number>>(4*level)&15]; at == nil {
			return nil
		}
	}
	return at.entries[number&15]
}

// put adds the entry and reports whether it replaced one with the same key.
func (t table[K, T]) put(entry *T) (replaced bool) { return t.set(t.key(entry), entry) }

func (t table[K, T]) set(key K, entry *T) (replaced bool) {
	for t.height == 0 || uint64(key)>>(4*t.height) != 0 {
		t.root = t.raised()
		t.height++
	}
	if t.root, replaced = t.with(t.root, t.height-1, uint64(key), entry); !replaced {
		t.count++
	}
	return replaced
}

// raised returns a new root with the present root as its first branch, or nil if the trie is empty.
func (t *trie[T]) raised() *branch[T] {
	if t.root == nil {
		return nil
	}
	up := &branch[T]{owner: t.owner, used: 1}
	up.below[0] = t.root
	return up
}

// with returns the branch with the entry added. level is the number of levels below the branch.
func (t *trie[T]) with(b *branch[T], level int, number uint64, entry *T) (_ *branch[T], replaced bool) {
	b = t.own(b)
	digit := number >> (4 * level) & 15
	if level == 0 {
		replaced = b.entries[digit] != nil
		b.entries[digit] = entry
	} else {
		old := b.below[digit]
		b.below[digit], replaced = t.with(old, level-1, number, entry)
		if old != nil {
			return b, replaced
		}
	}
	if !replaced {
		b.used++
	}
	return b, replaced
}

// own returns the branch if the trie owns it, else a copy that it owns; a nil branch gives an empty one.
func (t *trie[T]) own(b *branch[T]) *branch[T] {
	switch {
	case b == nil:
		return &branch[T]{owner: t.owner}
	case b.owner == t.owner:
		return b
	}
	c := *b
	c.owner = t.owner
	return &c
}

func (t table[K, T]) remove(key K) {
	if t.get(key) != nil {
		t.root = t.without(t.root, t.height-1, uint64(key))
		t.count--
	}
}

// without returns the branch without the entry, which must exist, or nil if nothing is left.
func (t *trie[T]) without(b *branch[T], level int, number uint64) *branch[T] {
	b = t.own(b)
	digit := number >> (4 * level) & 15
	if level == 0 {
		b.entries[digit] = nil
	} else if b.below[digit] = t.without(b.below[digit], level-1, number); b.below[digit] != nil {
		return b
	}
	if b.used--; b.used == 0 {
		return nil
	}
	return b
}

// all yields the entries by key.
func (t table[K, T]) all() iter.Seq[*T] {
	return func(yield func(*T) bool) {
		t.root.eachLeaf(t.height-1, func(entries *[16]*T) bool {
			for _, e := range entries {
				if e != nil && !yield(e) {
					return false
				}
			}
			return true
		})
	}
}

// eachLeaf visits the lowest branches, by number, and returns false if a visit did.
func (b *branch[T]) eachLeaf(level int, visit func(entries *[16]*T) bool) bool {
	switch {
	case b == nil:
		return true
	case level == 0:
		return visit(&b.entries)
	}
	for _, c := range &b.below {
		if !c.eachLeaf(level-1, visit) {
			return false
		}
	}
	return true
}

// changed is the old and the new entry of a key; nil means none.
type changed[T any] struct{ old, now *T }

// since yields, by key, the entries that differ from an earlier table.
func (t table[K, T]) since(earlier table[K, T]) iter.Seq2[K, changed[T]] {
	return func(yield func(K, changed[T]) bool) {
		old, now := *earlier.trie, *t.trie
		for ; old.height < now.height; old.height++ {
			old.root = old.raised()
		}
		for ; now.height < old.height; now.height++ {
			now.root = now.raised()
		}
		compare(old.root, now.root, now.height-1, 0, func(number uint64, d changed[T]) bool { return yield(K(number), d) })
	}
}

// compare visits the entries that differ below two branches. prefix holds the digits that their numbers begin with. It
// returns false if a visit did.
func compare[T any](old, now *branch[T], level int, prefix uint64, visit func(uint64, changed[T]) bool) bool {
	if old == now {
		return true
	}
	var none branch[T]
	if old == nil {
		old = &none
	}
	if now == nil {
		now = &none
	}
	for i := range old.below {
		number := prefix<<4 | uint64(i)
		if level > 0 && !compare(old.below[i], now.below[i], level-1, number, visit) {
			return false
		}
		if level == 0 && old.entries[i] != now.entries[i] && !visit(number, changed[T]{old.entries[i], now.entries[i]}) {
			return false
		}
	}
	return true
}
