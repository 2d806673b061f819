package bound

// grain is the longest time, in microseconds, that is ignored as a rounding error.
const grain = 1e-3

func worthwhile(time float64) bool { return time > grain }

// flow distributes time in slots to claims: at most a slot's length to each claim and, in the sum of rate × time, at
// most the slot's capacity. It is Dinic's algorithm on a graph that is never built: the slots of a claim are a range,
// and the times given in them are a row. Only claims that a search reaches get a row.
type flow struct {
	core
	grants [][]grant   // per claim: times given by the sweep, until there is a row
	rows   [][]float64 // per claim and slot of its range: time
	users  [][]int32   // per slot: claims with time there, some perhaps twice
	lacks  []float64   // per claim: time still to be given
	spare  []float64   // per slot: rate × time still to be used
	effort Effort

	claimLevel, slotLevel []int32 // steps from a claim that lacks time, counted from 1; 0: not reached
	claimNext, slotNext   []int32 // the first neighbour that still may lead on
}

// grant is time given in a slot.
type grant struct {
	slot int
	time float64
}

// newFlow starts from the result of a sweep, which leaves little to repair.
func newFlow(c core, capacity float64) *flow {
	claims, slots := len(c.claims), len(c.slots)
	f := &flow{
		core:       c,
		grants:     make([][]grant, claims),
		rows:       make([][]float64, claims),
		users:      make([][]int32, slots),
		spare:      make([]float64, slots),
		claimLevel: make([]int32, claims), claimNext: make([]int32, claims),
		slotLevel: make([]int32, slots), slotNext: make([]int32, slots),
	}
	for s, slot := range c.slots {
		f.spare[s] = capacity * slot.length()
	}
	f.lacks = c.sweep(capacity, func(claim, slot int, time float64) {
		f.grants[claim] = append(f.grants[claim], grant{slot, time})
		f.users[slot] = append(f.users[slot], int32(claim))
		f.spare[slot] = max(0, f.spare[slot]-time*c.claims[claim].rate)
	})
	return f
}

// row returns the times of a claim in each slot of its range, to be read and changed.
func (f *flow) row(claim int32) []float64 {
	if f.rows[claim] == nil {
		from, to := f.claims[claim].from, f.claims[claim].to
		row := make([]float64, to-from)
		for _, g := range f.grants[claim] {
			row[g.slot-from] = g.time
		}
		f.rows[claim], f.grants[claim] = row, nil
		f.effort.Cells += len(row)
	}
	return f.rows[claim]
}

// complete augments the flow to the maximum and reports whether every claim has enough. If not, the last search has
// reached a starving set of claims.
func (f *flow) complete() bool {
	for {
		var lacking []int32
		for i, time := range f.lacks {
			if worthwhile(time) {
				lacking = append(lacking, int32(i))
			}
		}
		if len(lacking) == 0 {
			return true
		}
		if !f.layer(lacking) {
			return false
		}
		f.effort.Phases++
		for _, i := range lacking {
			rate := f.claims[i].rate
			f.lacks[i] -= f.fromClaim(i, f.lacks[i]*rate) / rate
		}
	}
}

// layer computes the distance of claims and slots from the given claims, up to the nearest slots with spare capacity.
// It reports whether there are any.
func (f *flow) layer(claims []int32) (found bool) {
	for _, list := range [][]int32{f.claimLevel, f.slotLevel, f.claimNext, f.slotNext} {
		clear(list)
	}
	for _, i := range claims {
		f.claimLevel[i] = 1
	}
	for level := int32(2); len(claims) > 0; level += 2 {
		var slots []int32
		for _, i := range claims {
			slots = f.spread(i, level, slots)
		}
		claims = nil
		for _, s := range slots {
			if f.spare[s] > 0 {
				return true
			}
			claims = f.recall(s, level+1, claims)
		}
	}
	return false
}

// spread appends the unreached slots in which a claim could have more time.
func (f *flow) spread(claim, level int32, slots []int32) []int32 {
	row := f.row(claim)
	f.effort.Scans += len(row)
	for k, given := range row {
		s := f.claims[claim].from + k
		if f.slotLevel[s] == 0 && worthwhile(f.slots[s].length()-given) {
			f.slotLevel[s] = level
			slots = append(slots, int32(s))
		}
	}
	return slots
}

// recall appends the unreached claims that could give back time in a slot.
func (f *flow) recall(slot, level int32, claims []int32) []int32 {
	f.effort.Scans += len(f.users[slot])
	for _, i := range f.users[slot] {
		if f.claimLevel[i] == 0 && worthwhile(f.row(i)[int(slot)-f.claims[i].from]) {
			f.claimLevel[i] = level
			claims = append(claims, i)
		}
	}
	return claims
}

// fromClaim pushes up to the amount (rate × time) from a claim into slots one level on. It returns the amount pushed.
func (f *flow) fromClaim(i int32, amount float64) (pushed float64) {
	claim, row := f.claims[i], f.row(i)
	for ; int(f.claimNext[i]) < len(row); f.claimNext[i]++ {
		k := int(f.claimNext[i])
		s, room := claim.from+k, f.slots[claim.from+k].length()-row[k]
		if f.slotLevel[s] != f.claimLevel[i]+1 || !worthwhile(room) {
			continue
		}
		part := f.fromSlot(s, min(amount-pushed, room*claim.rate))
		if row[k] == 0 && part > 0 {
			f.users[s] = append(f.users[s], i)
		}
		row[k] += part / claim.rate
		pushed += part
		if amount-pushed <= noise*amount {
			break
		}
	}
	return pushed
}

// fromSlot takes up to the amount from the slot's spare capacity or, if there is none, from claims one level on that
// can have time elsewhere instead.
func (f *flow) fromSlot(s int, amount float64) (pushed float64) {
	if f.spare[s] > 0 {
		f.effort.Paths++
		pushed = min(amount, f.spare[s])
		f.spare[s] -= pushed
		return pushed
	}
	for ; int(f.slotNext[s]) < len(f.users[s]); f.slotNext[s]++ {
		i := f.users[s][f.slotNext[s]]
		claim, given := f.claims[i], &f.row(i)[s-f.claims[i].from]
		if f.claimLevel[i] != f.slotLevel[s]+1 || !worthwhile(*given) {
			continue
		}
		part := f.fromClaim(i, min(amount-pushed, *given*claim.rate))
		*given -= part / claim.rate
		pushed += part
		if amount-pushed <= noise*amount {
			break
		}
	}
	return pushed
}

// reached returns the claims that the last search reached.
func (f *flow) reached() (out core) {
	for i, level := range f.claimLevel {
		if level > 0 {
			out.claims = append(out.claims, f.claims[i])
		}
	}
	return out
}
