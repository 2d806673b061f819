package market

import (
	"fmt"
	"math/big"
)

// Fraction is the weight α of the cost, from 0 to 1, exactly.
type Fraction struct{ over, under int64 }

// finest is the greatest denominator of a Fraction.
const finest = 1_000_000

// ParseFraction reads a decimal number or a fraction from 0 to 1, like 0.25 or 1/3.
func ParseFraction(text string) (Fraction, error) {
	var r big.Rat
	if len(text) <= 16 {
		if _, ok := r.SetString(text); ok && r.Sign() >= 0 && r.Num().Cmp(r.Denom()) <= 0 && r.Denom().IsInt64() &&
			r.Denom().Int64() <= finest {
			return Fraction{r.Num().Int64(), r.Denom().Int64()}, nil
		}
	}
	return Fraction{}, fmt.Errorf("%.20q is not a number from 0 to 1 with at most six decimals", text)
}

// offer is a pair of cost and time to choose from.
type offer struct {
	cost Price
	time Time
}

// choice weighs offers by α·cost + (1−α)·time, each from 0 to 1 between the least and the most of all offers.
type choice struct {
	alpha       Fraction
	least, most offer
}

// newChoice returns the choice among a number of offers.
func newChoice(alpha Fraction, n int, at func(int) offer) choice {
	c := choice{alpha, at(0), at(0)}
	for i := 1; i < n; i++ {
		o := at(i)
		c.least = offer{min(c.least.cost, o.cost), min(c.least.time, o.time)}
		c.most = offer{max(c.most.cost, o.cost), max(c.most.time, o.time)}
	}
	return c
}

// score returns the weight of an offer times a constant. If all are equal in one measure, it counts nothing.
func (c choice) score(o offer) *big.Int {
	wide, long := int64(c.most.cost-c.least.cost), int64(c.most.time-c.least.time)
	cost, time := product(c.alpha.over, int64(o.cost-c.least.cost)), product(c.alpha.under-c.alpha.over,
		int64(o.time-c.least.time))
	cost.Mul(cost, big.NewInt(max(long, 1)))
	return cost.Add(cost, time.Mul(time, big.NewInt(max(wide, 1))))
}

func product(a, b int64) *big.Int { return new(big.Int).Mul(big.NewInt(a), big.NewInt(b)) }

// Choose returns the plan of a front that is best for α: 0 asks for the least makespan, 1 for the least cost. Of equal
// plans it takes the faster if α is below one half, else the cheaper.
func (f Front) Choose(alpha Fraction) Plan {
	at := func(i int) offer { return offer{f[i].Cost, f[i].Makespan} }
	c := newChoice(alpha, len(f), at)
	best, least := 0, c.score(at(0))
	for i := 1; i < len(f); i++ { // dearer and faster
		if s := c.score(at(i)); s.Cmp(least) < 0 || s.Cmp(least) == 0 && 2*alpha.over < alpha.under {
			best, least = i, s
		}
	}
	return f[best]
}
