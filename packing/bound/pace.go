package bound

// A pace asks now and then whether there is to be an end to it.
type pace struct {
	stop  func() bool // nil: never
	since int         // items that were looked at since it was asked
	ended bool
}

// between is how many items are looked at between two questions, but for one pass over all of them: some milliseconds.
const between = 50_000

// seen counts items that were looked at, or are about to be, and asks if it is time to.
func (p *pace) seen(items int) {
	if p.since += items; p.since >= between {
		p.ask()
	}
}

// ask asks, unless there is to be an end already.
func (p *pace) ask() bool {
	p.since, p.ended = 0, p.ended || p.stop != nil && p.stop()
	return p.ended
}
