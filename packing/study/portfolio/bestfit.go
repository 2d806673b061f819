package portfolio

// bestFit puts each task, the largest first, on the node with room that has the least left in sum, the
// first of equals.
func (in *tableau) bestFit(m Method, a *attempt, w *work) {
	nodes := in.nodesIn(m.Nodes)
	room := make([]float64, len(nodes))
	for at, n := range nodes {
		room[at] = in.room(a, n)
	}
	for _, k := range in.sorted(m.Order) {
		size, kind := in.row(in.size, int(k)), &in.p.Items[in.kinds[k].item]
		for a.left[k] > 0 {
			best := -1
			for at, n := range nodes {
				if (best < 0 || room[at] < room[best]) && fits(in.row(a.used, n), size, in.row(in.capacity, n)) && in.allows(int(k),
					n) && !(kind.Spread && in.hosts(a, int(k), n)) {
					best = at
				}
			}
			if w.steps += int64(len(nodes)); w.over() {
				return
			}
			if best < 0 {
				break
			}
			n := nodes[best]
			add(in.row(a.used, n), size, 1)
			a.put(int(k), n, 1)
			room[best] = in.room(a, n)
		}
	}
}

// room returns the capacity left on a node, as a sum of fractions of the mean node.
func (in *tableau) room(a *attempt, n int) (sum float64) {
	used, capacity := in.row(a.used, n), in.row(in.capacity, n)
	for d, x := range used {
		sum += fraction(capacity[d]-x, in.mean[d])
	}
	return sum
}

// hosts reports whether a node has a task of the kind that was placed last.
func (in *tableau) hosts(a *attempt, k, n int) bool {
	for at := len(a.placed) - 1; at >= 0 && a.placed[at].kind == int32(k); at-- {
		if a.placed[at].node == int32(n) {
			return true
		}
	}
	return false
}
