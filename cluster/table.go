package cluster

import "iter"

// table is a persistent map from numbers to entries, ordered by number: a trie over groups of four bits. Cloning it is
// cheap, changing a clone leaves the original as it is, and what two of them share is found equal at once, so that they
// are compared at the cost of what differs. Entries are compared as pointers: they must not be changed in place.
type table[K ~uint32 | ~uint64, T any] struct {
	*trie[T]
	key func(*T) K
}

// trie is what a table holds. Numbers from 16^height on are not in it.
type trie[T any] struct {
	root   *branch[T]
	height int
	count  int
	owner  *stamp
}

// branch is the entries of 16 numbers, or the branches below it. It may be changed in place by its owner, who has not
// shared it.
type branch[T any] struct {
	owner   *stamp
	used    int // of either
	below   [16]*branch[T]
	entries [16]*T
}

type stamp struct{ _ byte }

func newTable[K ~uint32 | ~uint64, T any](key func(*T) K) table[K, T] {
	return table[K, T]{&trie[T]{owner: new(stamp)}, key}
}

// clone returns an independent copy. From now on neither owns what they share.
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

// put adds the entry and tells whether it replaced one of the same key.
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

// raised is the root with another one above it.
func (t *trie[T]) raised() *branch[T] {
	if t.root == nil {
		return nil
	}
	up := &branch[T]{owner: t.owner, used: 1}
	up.below[0] = t.root
	return up
}

// with is the branch with the entry, below which are so many levels.
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

// own is the branch, or a copy of it, that may be changed.
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

// without is the branch without an entry that is there; nil: nothing is left.
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
	return func(yield func(*T) bool) { t.root.each(t.height-1, yield) }
}

func (b *branch[T]) each(level int, yield func(*T) bool) bool {
	if b == nil {
		return true
	}
	for i := range b.below {
		if level > 0 && !b.below[i].each(level-1, yield) || level == 0 && b.entries[i] != nil && !yield(b.entries[i]) {
			return false
		}
	}
	return true
}

// changed is what was there under a key and what is there now; nil: nothing.
type changed[T any] struct{ old, now *T }

// since yields by key what differs from an earlier table.
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

// compare visits what differs below two branches, whose numbers begin with the same digits.
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
