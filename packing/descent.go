package packing

// Below the low end, a level is halved at least halvingsBefore times, as far as an accuracy of a
// thousandth goes, and at most halvingsInAll times in all: enough for the need of a billion nodes.
const (
	halvingsBefore = 10
	halvingsInAll  = 100
)

// Descend searches for a level that works, as [Options.Whole] does. It calls bisect with the upper end
// of the range and the number of levels that may fail before the first success, and repeats that for
// ever lower halves until bisect succeeds or wants to end. When levels are no more than a thousandth
// of the range, and no more than the accuracy, above the low end, it tries the low end itself and
// gives up if that fails. So an accuracy of a thousandth or more never decides whether a level is
// found.
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
