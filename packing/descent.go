package packing

// Before the low end, levels are halved at least so often, which is as far as an accuracy of a thousandth goes, and after it so
// often in all: a billion nodes' need is still above that.
const (
	halvingsBefore = 10
	halvingsInAll  = 100
)

// Descend looks for a level that works, as [Options.Whole] does: it has the range bisected, and ever lower halves of it until that
// finds one or wants an end. Once levels are no more than a thousandth of the range, and no more than the accuracy, above the
// low end, it asks whether that works, and if not gives up. So no accuracy of a thousandth or more decides whether a level is found.
// bisect is told the upper end, and how many levels may fail before the first that works.
func (o Options) Descend(bisect func(high float64, most int) (done bool), low func() bool) {
	o = o.sound()
	tried := o.halvings()
	if bisect(o.High, tried) {
		return
	}
	high := o.lowest()
	for ; tried < halvingsInAll && high > o.Low; tried++ {
		if tried == max(halvingsBefore, o.halvings()) && !low() || bisect(high, 1) {
			return
		}
		high = (o.Low + high) / 2
	}
}
