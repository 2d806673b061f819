package portfolio

// work counts what has been done, and says when it is enough.
type work struct {
	steps  int64 // nodes of trees, nodes and tasks that were looked at
	most   int64
	stop   func() bool
	asked  int64 // steps at which the stop function was asked last
	looked int   // items that were looked at since, which is no step: sorting, adding up
	wanted bool  // it wants an end
}

// between is how many steps may pass between two questions to the stop function, and how many items may be looked at, but for one pass over
// all of them: some tenths of a millisecond.
const between = 20_000

// over says whether there is an end to it: the budget is used up, or the stop function says so.
func (w *work) over() bool { return w.steps >= w.most || w.stopped() }

func (w *work) stopped() bool {
	if w.steps-w.asked < between {
		return w.wanted
	}
	return w.ask()
}

// ask asks the stop function, unless it has wanted an end before.
func (w *work) ask() bool {
	w.wanted = w.wanted || w.stop != nil && w.stop()
	w.asked, w.looked = w.steps, 0
	return w.wanted
}

// seen counts items that were looked at without a step, and says whether there is to be an end.
func (w *work) seen(items int) bool {
	if w == nil {
		return false
	}
	if w.looked += items; w.looked < between {
		return w.wanted
	}
	return w.ask()
}
