package bound

import (
	"cmp"
	"math"
	"slices"
)

// claim is the part of a request that needs the contended slots at a given stretch.
type claim struct {
	request
	due      float64 // deadline, rounded down to a whole microsecond
	rest     float64 // time at full rate that the uncontended slots leave undone
	from, to int     // range of its slots: [from, to)
}

// slot is an interval between two dates in which the claims could use more than the capacity.
type slot struct{ begin, end float64 }

func (s slot) length() float64 { return s.end - s.begin }

// core is the hard part of a flow problem: the claims that need contended slots, and these slots in order.
type core struct {
	claims []claim
	slots  []slot
}

// contention returns the core of all requests at a stretch. Outside contended slots every request may run at full
// rate. A request that can be completed there needs no slot and is removed, which may end contention elsewhere, and
// so on. No starving set is lost: if a set starves most, none of its requests would be removed if it were alone, and
// other requests only increase contention.
func contention(all []request, capacity, stretch float64) core {
	var c core
	for _, r := range all {
		c.claims = append(c.claims, claim{request: r, due: math.Floor(r.deadline(stretch))})
	}
	dates := make([]date, 0, 2*len(all))
	for i := range c.claims {
		dates = append(dates, date{c.claims[i].release, i, true}, date{c.claims[i].due, i, false})
	}
	slices.SortFunc(dates, func(a, b date) int { return cmp.Compare(a.at, b.at) })
	gone := make([]bool, len(c.claims))
	for {
		c.contend(dates, capacity)
		before := len(dates)
		dates = slices.DeleteFunc(dates, func(d date) bool {
			gone[d.claim] = c.claims[d.claim].rest <= 0
			return gone[d.claim]
		})
		if len(dates) == before {
			break
		}
	}
	kept := c.claims[:0]
	for i, claim := range c.claims {
		if !gone[i] {
			kept = append(kept, claim)
		}
	}
	c.claims = kept
	return c
}

// date is a release or a deadline of a claim.
type date struct {
	at    float64
	claim int
	opens bool
}

// contend finds the slots in which the claims of the dates could use more than the capacity, and computes how much
// the claims need of them.
func (c *core) contend(dates []date, capacity float64) {
	c.slots = c.slots[:0]
	var rate, last, contended float64
	for _, d := range dates {
		if rate > capacity && d.at > last {
			c.slots = append(c.slots, slot{last, d.at})
			contended += d.at - last
		}
		last = d.at
		claim := &c.claims[d.claim]
		if d.opens {
			rate += claim.rate
			claim.from, claim.rest = len(c.slots), contended
			continue
		}
		rate -= claim.rate
		claim.to = len(c.slots)
		free := claim.due - claim.release - (contended - claim.rest)
		claim.rest = claim.length - free
	}
}

// parts splits the core into independent cores: no claim reaches slots of two of them.
func (c core) parts() []core {
	claims := slices.Clone(c.claims)
	slices.SortStableFunc(claims, func(a, b claim) int { return cmp.Compare(a.from, b.from) })
	var out []core
	for len(claims) > 0 {
		n, from, to := 0, claims[0].from, claims[0].to
		for n < len(claims) && claims[n].from < to {
			to = max(to, claims[n].to)
			n++
		}
		part := core{claims[:n:n], c.slots[from:to]}
		for i := range part.claims {
			part.claims[i].from -= from
			part.claims[i].to -= from
		}
		out, claims = append(out, part), claims[n:]
	}
	return out
}

// requests returns the requests of the claims.
func (c core) requests() []request {
	out := make([]request, len(c.claims))
	for i, claim := range c.claims {
		out[i] = claim.request
	}
	return out
}
