package portfolio

import "aliquot/packing/pace"

// work counts what has been done, and says when it is enough.
type work struct {
	pace.Pace       // what was looked at and is no step: sorting, adding up
	steps     int64 // nodes of trees, nodes and tasks that were looked at
	most      int64
	asked     int64 // steps at which the stop function was asked last
}

// over says whether there is an end to it: the budget is used up, or the stop function says so.
func (w *work) over() bool { return w.steps >= w.most || w.stopped() }

func (w *work) stopped() bool {
	if w.steps-w.asked < pace.Between {
		return w.Ended
	}
	return w.ask()
}

// ask asks the stop function, unless it has wanted an end before.
func (w *work) ask() bool {
	w.asked = w.steps
	return w.Ask()
}
