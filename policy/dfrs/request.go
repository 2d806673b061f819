package dfrs

import "aliquot/cluster"

// request is a job's demand on the nodes that are eligible for it.
type request struct {
	count  int          // tasks that have not ended
	room   cluster.Room // room that each task takes
	spread bool         // no two on one node
}

func (j *job) request() request {
	return request{j.count, cluster.Room{Need: j.Spec.Need, Least: j.least, Charge: j.charge}, j.Spec.Placement.Spread}
}

// within reports whether r fits wherever o fits.
func (r *request) within(o *request) bool {
	return r.count <= o.count && r.room.Charge <= o.room.Charge && r.room.Least <= o.room.Least && (!r.spread || o.spread)
}

// refusals are requests that did not fit. Until room is given back, no request that asks for as much fits. No refusal
// is within another.
type refusals []request

// cover reports whether a request is known not to fit.
func (l refusals) cover(r request) bool {
	for i := range l {
		if l[i].within(&r) {
			return true
		}
	}
	return false
}

// with returns the refusals with another one, which makes up for those that ask for as much.
func (l refusals) with(r request) refusals {
	kept := l[:0]
	for i := range l {
		if !r.within(&l[i]) {
			kept = append(kept, l[i])
		}
	}
	return append(kept, r)
}
