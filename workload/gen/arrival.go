package gen

import "math"

const (
	halfHour = 1800.0 // seconds
	perDay   = 48     // half hours
	// dayBegin is the half hour at which the fitted day begins, counted from 1 at midnight.
	dayBegin = 11
	// longestGap keeps the time between two jobs at rush hour below five days.
	longestGap = 13 // log of seconds
)

// day is the daily cycle: the rate of arrivals in each half hour from midnight on, 1 on average.
type day [perDay]float64

func newDay(fitted Gamma) day {
	var d day
	cdf, sum := fitted.over(nil).CDF, 0.0
	for i := dayBegin; i < dayBegin+perDay; i++ {
		p := cdf(float64(i)+0.5) - cdf(float64(i)-0.5)
		d[(i-1)%perDay] = p
		sum += p
	}
	for i := range d {
		d[i] *= perDay / sum
	}
	return d
}

// arrivals is the arrival process of a kind. Gaps are drawn for a constant rate and measured on a
// clock that runs as fast as the present half hour is busy.
type arrivals struct {
	day  day
	gap  func() float64 // log of seconds, at most longestGap
	half int            // half hours since the first midnight
	paid float64        // part of the current half hour that is used up, in half hours at rate 1
}

// next returns the time of the next arrival, in seconds since the first midnight.
func (a *arrivals) next() float64 {
	a.paid += math.Exp(a.gap()) / halfHour
	for a.paid > a.day[a.half%perDay] {
		a.paid -= a.day[a.half%perDay]
		a.half++
	}
	return (float64(a.half) + a.paid/a.day[a.half%perDay]) * halfHour
}

// below repeats a draw until the value is at most limit.
func below(limit float64, draw func() float64) func() float64 {
	return func() float64 { return within(math.Inf(-1), limit, draw) }
}

// within repeats a draw until the value is from low to high.
func within(low, high float64, draw func() float64) float64 {
	for {
		if x := draw(); low <= x && x <= high {
			return x
		}
	}
}
