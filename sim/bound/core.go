package bound

import (
	"cmp"
	"math"
	"slices"
)

// claim is what a request still asks of the contended slots at a given stretch.
type claim struct {
	request
	due      float64 // its deadline, rounded down to a whole microsecond
	rest     float64 // time at its full rate that the other slots leave undone
	from, to int     // its slots: [from, to)
}

// slot is a time between two dates in which more could be used than there is.
type slot struct{ begin, end float64 }

func (s slot) length() float64 { return s.end - s.begin }

// core is the part of a flow problem that is hard: claims that need contended slots, and
// those slots in order.
type core struct {
	claims []claim
	slots  []slot
}

// contention is the core of all requests at a stretch. Outside of contended slots everybody
// may run at full rate, at nobody's expense. Who is done by that needs no slot and leaves,
// which may end contention elsewhere, and so on. No set that starves is lost: if it starves
// most, none of its own would leave if it were alone, and in company there is only more
// contention.
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

// contend finds the slots in which the claims of the dates could use more than the
// capacity, and what these claims ask of them.
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

// parts are the cores that have nothing to do with each other: no claim reaches from the
// slots of one to those of another.
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

// requests are those that stand behind the claims.
func (c core) requests() []request {
	out := make([]request, len(c.claims))
	for i, claim := range c.claims {
		out[i] = claim.request
	}
	return out
}
