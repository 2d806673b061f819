package portfolio

// work counts what has been done, and says when it is enough.
type work struct {
	steps  int64 // nodes of trees, nodes and tasks that were looked at
	most   int64
	stop   func() bool
	asked  int64 // steps at which the stop function was asked last
	wanted bool  // it wants an end
}

// between is how many steps may pass between two questions to the stop function: some tenths of a millisecond.
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
	w.asked = w.steps
	w.wanted = w.wanted || w.stop != nil && w.stop()
	return w.wanted
}
