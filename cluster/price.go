package cluster

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
)

// Price is what a promise costs: CPU time of a core, in milliseconds. It lies between 0 and that of the promised work.
type Price int64

// CoreHour is the price of an hour of a core, if nothing else is left.
const CoreHour Price = 3_600_000

// steep is the base of the price: that many times more, about, of the work is asked for in a window that is promised as
// a whole than in an empty one. As in policy/deadline.
const steep = 50

// Prices reports whether promises have prices.
func (s *State) Prices() bool { return s.Format >= prices }

// CoreHours returns the price in core-hours.
func (p Price) CoreHours() float64 { return float64(p) / float64(CoreHour) }

// String returns the price for people, with its unit.
func (p Price) String() string { return p.words(priceDigits) }

// priceDigits are the digits of a price for people.
const priceDigits = 3

// Number returns the price for people, in core-hours.
func (p Price) Number() string { return p.number(priceDigits) }

func (p Price) words(digits int) string { return numbered(p.number(digits), "core-hour") }

// number returns the price in core-hours with that many significant digits, and all before the point.
func (p Price) number(digits int) string {
	whole := strconv.FormatInt(int64(p/CoreHour), 10)
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(p.CoreHours(), 'e', max(digits, len(whole))-1, 64), 64)
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// mostDigits of a float64 tell any two of them apart.
const mostDigits = 17

// apart returns two different prices for people, with as many digits as tell them apart, if any do.
func (p Price) apart(other Price) (string, string) {
	digits := priceDigits
	for digits < mostDigits && p != other && p.number(digits) == other.number(digits) {
		digits++
	}
	return p.words(digits), other.words(digits)
}

// price returns what a new job of the spec pays for its promise beside what is booked: its work, times
// (50^u - 1) / 49, where u is the use of its window that is planned with it.
func (b bookings) price(spec *Spec) Price {
	from, until, lasts := b.window(spec)
	if !b.Prices() || from >= until {
		return 0
	}
	work := product(int64(spec.Need)*int64(spec.Tasks), int64(lasts))
	planned := work.plus(b.taken(from, until))
	return cost(work, utilization(planned, b.up().CPU, until-from))
}

// taken returns the CPU time over an interval that promises and offers take of all nodes together.
func (b bookings) taken(from, until Time) cpuTime {
	sum := b.calendar.used(until).minus(b.calendar.used(from))
	for part := range b.fixedParts(b.but) {
		sum = sum.minus(b.whole(part).within(from, until))
	}
	add := func(k booking) {
		sum = sum.plus(k.within(from, until))
		*b.looks++
	}
	b.movers.AscendGreaterOrEqual(mover{until: from + 1}, func(m mover) bool {
		if m.job != b.but && b.promises.get(m.job).Due() < until {
			rest := b.whole(b.promises.get(m.job))
			rest.from, rest.until = b.dueOf(m.job, m.until), m.until
			add(rest)
		}
		return true
	})
	if b.to == nil {
		return sum
	}
	for answer := range b.answersNow() {
		if !answer.offers[0].of(b.to) {
			for _, k := range answer.taken {
				add(k)
			}
		}
	}
	return sum
}

// whole returns the CPU that a promise takes of all nodes together.
func (s *State) whole(p *Promise) booking {
	return booking{from: p.Due(), until: p.Until, cpu: s.Job(p.Job).Spec.Need * CPU(p.live())}
}

// within returns the CPU time of the booking over an interval.
func (k booking) within(from, until Time) cpuTime {
	return product(int64(k.cpu), int64(max(0, min(k.until, until)-max(k.from, from))))
}

// priced adds their prices to alternatives to the spec, and leaves out those that cost more than its budget or θ
// allows.
func (b bookings) priced(spec *Spec, list []Alternative) (within []Alternative) {
	for _, a := range list {
		if a.Price = b.price(a.spec(spec)); b.tooDear(spec, a.Price) == nil {
			within = append(within, a)
		}
	}
	return within
}

// window returns the window of the promise that a new job of the spec asks for, and how long it lasts at its full need;
// zero: it asks for none.
func (b bookings) window(spec *Spec) (from, until, lasts Time) {
	switch r, d := spec.Reserve, spec.Deadline; {
	case d != nil:
		return max(b.Now, d.Ready), d.By, d.lasts(spec, spec.Tasks)
	case r != nil:
		return r.Start, r.end(), r.Lasts
	}
	return 0, 0, 0
}

// cpuTime is CPU over time, in millionths of a second of a thousandth of a core, with 128 bits.
type cpuTime struct{ hi, lo uint64 }

// product returns the product of two numbers that are not negative.
func product(x, y int64) (p cpuTime) {
	p.hi, p.lo = bits.Mul64(uint64(x), uint64(y))
	return p
}

func (c cpuTime) plus(o cpuTime) cpuTime {
	lo, carry := bits.Add64(c.lo, o.lo, 0)
	hi, _ := bits.Add64(c.hi, o.hi, carry)
	return cpuTime{hi, lo}
}

// over returns the quotient by a number above 0, rounded down, at most what an int64 holds, and the rest.
func (c cpuTime) over(by uint64) (quotient, rest uint64) {
	if c.hi >= by {
		return math.MaxInt64, 0
	}
	if quotient, rest = bits.Div64(c.hi, c.lo, by); quotient > math.MaxInt64 {
		return math.MaxInt64, 0
	}
	return quotient, rest
}

// A utilization is a fraction from 0 to full.
const (
	useBits = 20
	full    = 1 << useBits
)

// utilization returns the part that an amount is of all that the CPU does over a time above 0, rounded down.
func utilization(planned cpuTime, all CPU, lasts Time) uint64 {
	if all <= 0 {
		return full
	}
	mean, rest := planned.over(uint64(lasts)) // CPU
	if mean >= uint64(all) {
		return full
	}
	part, _ := product(int64(rest), full).over(uint64(lasts)) // of a thousandth of a core
	return (mean<<useBits + part) / uint64(all)
}

// cost returns the price of work at a utilization, rounded up.
func cost(work cpuTime, used uint64) Price {
	amount, rest := work.over(1000 * 1000) // both of the units that a Price is of
	if rest > 0 {
		amount++
	}
	hi, lo := bits.Mul64(amount, power(used)-1<<powerBits)
	const whole = (steep - 1) << powerBits
	lo, carry := bits.Add64(lo, whole-1, 0)
	q, _ := bits.Div64(hi+carry, lo, whole) // at most amount
	return Price(q)
}

// powerBits are those after the point of a power: with the six before it, it has 62 bits.
const powerBits = 56

// roots are steep to the power of 1/2, 1/4, and so on.
var roots = func() (list [useBits]uint64) {
	x := new(big.Int).Lsh(big.NewInt(steep), powerBits)
	for i := range list {
		x.Sqrt(x.Lsh(x, powerBits))
		list[i] = x.Uint64()
	}
	return list
}()

// power returns steep to the power of a utilization. One that is higher by the least has a power that is higher by far
// more than the rounding.
func power(used uint64) uint64 {
	if used >= full {
		return steep << powerBits
	}
	x := uint64(1) << powerBits
	for i, root := range roots {
		if used>>(useBits-1-i)&1 == 1 {
			hi, lo := bits.Mul64(x, root)
			x = hi<<(64-powerBits) | lo>>powerBits
		}
	}
	return x
}
