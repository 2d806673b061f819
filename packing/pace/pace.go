package pace

// A Pace asks now and then whether there is to be an end. The zero Pace never asks.
type Pace struct {
	Stop  func() bool // nil: never
	Since int         // items that were looked at since it was asked
	Ended bool        // it has wanted an end
}

// Between is how many items are looked at between two questions: some tenths of a millisecond.
const Between = 20_000

// Seen counts items that were looked at, or are about to be, asks if it is time to, and says whether there is to be an end.
func (p *Pace) Seen(items int) bool {
	if p.Since += items; p.Since < Between {
		return p.Ended
	}
	return p.Ask()
}

// Ask asks, unless there is to be an end already.
func (p *Pace) Ask() bool {
	p.Since, p.Ended = 0, p.Ended || p.Stop != nil && p.Stop()
	return p.Ended
}
