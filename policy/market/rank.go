package market

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// ranks returns for each task the longest path from its start to the last end. Transfers count on several sites only.
func (w *Workflow) ranks(sites int) []Time {
	ranks := make([]Time, len(w.Tasks))
	for _, i := range slices.Backward(w.sorted) {
		for _, c := range w.children[i] {
			behind := ranks[c.task]
			if sites > 1 {
				behind += c.transfer
			}
			ranks[i] = max(ranks[i], behind)
		}
		ranks[i] += w.Tasks[i].Run
	}
	return ranks
}

// order returns the tasks by falling rank, then by index. Tasks without run time stand behind their parents, whose rank
// they may share.
func (w *Workflow) order(ranks []Time) []int {
	chain := make([]int, len(w.Tasks)) // number of ancestors in a row with the rank of the task
	for _, i := range w.sorted {
		for _, p := range w.parents[i] {
			if ranks[p.task] <= ranks[i] {
				chain[i] = max(chain[i], chain[p.task]+1)
			}
		}
	}
	order := slices.Clone(w.sorted)
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(ranks[b], ranks[a]), cmp.Compare(chain[a], chain[b]), cmp.Compare(a, b))
	})
	return order
}

// shuffled returns an order in which a few tasks stand elsewhere.
func (w *Workflow) shuffled(order []int, dice *rand.Rand) []int {
	const place = 1000 // in keys; the sum of three numbers strays by about one place
	keys := make([]int, len(order))
	wide := []int{1, 3, 10}[dice.IntN(3)]
	for at, task := range order {
		keys[task] = at*place + wide*(dice.IntN(2*place)+dice.IntN(2*place)+dice.IntN(2*place)-3*place)
	}
	for _, i := range w.sorted {
		for _, p := range w.parents[i] {
			keys[i] = max(keys[i], keys[p.task])
		}
	}
	next := slices.Clone(w.sorted)
	slices.SortStableFunc(next, func(a, b int) int { return cmp.Compare(keys[a], keys[b]) })
	return next
}

// begun returns the tasks in the order of their starts.
func (w *Workflow) begun(places []Place) []int {
	order := slices.Clone(w.sorted)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(places[a].Start, places[b].Start) })
	return order
}
