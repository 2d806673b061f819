package pace

// A Pace asks regularly whether to stop. The zero Pace never asks.
type Pace struct {
	Stop  func() bool // nil: never
	Since int         // items examined since the last call
	Ended bool        // Stop has returned true
}

// Between is the number of items examined between two calls: some tenths of a millisecond.
const Between = 20_000

// Seen counts items that were or will be examined, calls Stop if it is due, and reports whether to
// stop.
func (p *Pace) Seen(items int) bool {
	if p.Since += items; p.Since < Between {
		return p.Ended
	}
	return p.Ask()
}

// Ask calls Stop, unless it has already returned true.
func (p *Pace) Ask() bool {
	p.Since, p.Ended = 0, p.Ended || p.Stop != nil && p.Stop()
	return p.Ended
}
