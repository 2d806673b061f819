package packing

// fillMany gives node n all the tasks that it can take, with more than two dimensions.
func (k *packer) fillMany(n int) {
	clear(k.node)
	if len(k.pinned) > 0 {
		copy(k.node, k.used.row(n))
	}
	for d := range k.now.lists {
		k.now.lists[d].rewind()
	}
	for k.takeOne(n) {
		k.now.waiting--
	}
	for d, capacity := range k.capacity.row(n) {
		k.now.slack[d] -= capacity - k.node[d]
	}
}

// takeOne gives node n the first task that fits from the list of its least used dimension, or else
// from the next one, and so on. It returns false if no list has one.
func (k *packer) takeOne(n int) bool {
	k.rank(k.capacity.row(n))
	for _, d := range k.ranked {
		l := &k.now.lists[d]
		used, capacity := k.pair(k.node, d), k.pair(k.capacity.row(n), d)
		if k.nextOfMany(l, n, &used, &capacity) {
			add(k.node, 1, k.amounts.row(l.item()))
			l.take(&used)
			return true
		}
	}
	return false
}

// rank orders the dimensions by the used fraction of the capacity, the first of equals first.
func (k *packer) rank(capacity []float64) {
	for d := range k.ranked {
		used, at := fraction(k.node[d], capacity[d]), d
		for ; at > 0 && fraction(k.node[k.ranked[at-1]], capacity[k.ranked[at-1]]) > used; at-- {
			k.ranked[at] = k.ranked[at-1]
		}
		k.ranked[at] = d
	}
}

// pair returns the two dimensions in which a list is searched.
func (k *packer) pair(v []float64, d int) (pair [2]float64) {
	pair[d&1], pair[^d&1] = v[d], v[partner(d)]
	return pair
}

// nextOfMany advances the scan position of a list to the first item with a task that fits on node n.
func (k *packer) nextOfMany(l *list, n int, used, capacity *[2]float64) bool {
	for ; ; l.at++ {
		if !l.fits(used, capacity) {
			l.note(n)
			if !l.seek(used, capacity) {
				return false
			}
		}
		if k.suits(l, n) && fits(k.node, k.amounts.row(l.item()), k.capacity.row(n)) {
			return true
		}
		l.note(n)
	}
}
