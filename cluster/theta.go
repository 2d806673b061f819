package cluster

import (
	"fmt"
	"math"
	"strconv"
)

// Theta bounds the price of every promise: at most Theta × the CPU of all nodes that are not down × one hour. It is in
// thousandths, from 1 to MaxTheta; 0 sets no limit. See θ of policy/deadline.
type Theta int64

// MaxTheta is the largest Theta, 100.
const MaxTheta Theta = 100_000

// SetTheta limits the price of promises that are made from now on. Promises and offers that were made stay.
type SetTheta struct{ Theta Theta }

// ParseTheta reads a θ. An error says which are valid.
func ParseTheta(number float64) (Theta, error) {
	t := Theta(math.Round(min(max(0, number), MaxTheta.Float()) * 1000)) // not NaN: that is told below
	if number == 0 || number >= 0.001 && number <= MaxTheta.Float() {
		return t, nil
	}
	return 0, fmt.Errorf("must be 0, which sets no limit, or from 0.001 to %v, not %v", MaxTheta, number)
}

// Float returns θ as a number.
func (t Theta) Float() float64 { return float64(t) / 1000 }

// String returns θ for people, with up to three digits after the point.
func (t Theta) String() string { return strconv.FormatFloat(t.Float(), 'f', -1, 64) }

func (a SetTheta) apply(t *transaction) Result {
	if r := t.Unready(a); r != nil {
		return Result{Rejection: r}
	}
	if a.Theta < 0 || a.Theta > MaxTheta {
		return reject(CodeInvalid, "theta", "must be 0, which sets no limit, or from 0.001 to %v", MaxTheta)
	}
	if t.Theta != a.Theta {
		t.Theta = a.Theta
		t.emit(Event{Kind: ThetaSet, Task: -1, Cause: Cause{Text: a.Theta.String()}})
	}
	return Result{}
}

// Dearest returns the highest price of a new promise that θ allows; false: it sets no limit.
func (s *State) Dearest() (Price, bool) {
	const scale = int64(CoreHour / 1000 / 100) // of a hundredth of a thousandth of a core for an hour, times ten
	most, _ := product(int64(s.Theta), int64(s.up().CPU)*scale).over(10)
	return Price(most), s.Theta > 0
}
