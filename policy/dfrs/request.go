package dfrs

import (
	"slices"

	"aliquot/cluster"
)

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
func (r request) within(o request) bool {
	return r.count <= o.count && r.room.Charge <= o.room.Charge && r.room.Least <= o.room.Least && (!r.spread || o.spread)
}

// refusals are requests that did not fit. Until room is given back, no request that asks for as much fits.
type refusals []request

// cover reports whether a request is known not to fit.
func (l refusals) cover(r request) bool {
	return slices.ContainsFunc(l, func(refused request) bool { return refused.within(r) })
}
