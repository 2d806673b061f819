package portfolio

import "aliquot/packing/pace"

// work counts the steps done, and decides when to stop.
type work struct {
	pace.Pace       // counts examined items that are not steps: sorting, adding up
	steps     int64 // visited nodes of trees, nodes and tasks
	most      int64
	asked     int64 // steps at the last call of Stop
}

// over reports whether to stop: the budget is used up, or Stop has returned true.
func (w *work) over() bool { return w.steps >= w.most || w.stopped() }

func (w *work) stopped() bool {
	if w.steps-w.asked < pace.Between {
		return w.Ended
	}
	return w.ask()
}

// ask calls Stop, unless it has already returned true.
func (w *work) ask() bool {
	w.asked = w.steps
	return w.Ask()
}
