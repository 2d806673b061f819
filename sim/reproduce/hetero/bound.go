package hetero

import (
	"aliquot/packing/linear"
	"aliquot/policy/hetero"
	"aliquot/sim/site"
)

// lowerBound returns a lower bound on the sum of job times of every plan for jobs that all come at time 0, in seconds.
// All machines of the site are in clusters.
//
// On a cluster of m machines a job that takes p on k of them has an area of pk. The middle of its run is p/2 before its
// end. The sum of these middles is at least that on one machine that is m times as fast and runs the smallest areas
// first. There, an area in the r-th place from the last delays r jobs. So each job is assigned to a place on a cluster,
// alone or in parallel, and the cheapest assignment is a bound (after Eastman, Even and Isaacs).
func lowerBound(s *site.Site, jobs []site.Job) (float64, error) {
	count := make([]int, len(s.Times.Types))
	for _, j := range jobs {
		count[j.Type]++
	}
	p := &linear.Program{}
	for _, n := range count {
		p.Limits = append(p.Limits, float64(n))
	}
	for c := range s.Clusters {
		for place := range jobs {
			p.Limits = append(p.Limits, 1)
			for kind := range count {
				if cost, possible := cheapest(s, kind, c, place+1); possible {
					p.Columns = append(p.Columns, linear.Column{Gain: dear - cost, Most: 1,
						Entries: []linear.Entry{{Row: kind, Value: 1}, {Row: len(p.Limits) - 1, Value: 1}}})
				}
			}
		}
	}
	x, err := p.Maximum()
	if err != nil {
		return 0, err
	}
	sum := 0.
	for i, part := range x {
		sum += part * (dear - p.Columns[i].Gain)
	}
	return sum, nil
}

// dear is more than the greatest cost of a place, in seconds, so that all jobs have one.
const dear = 1e6

// cheapest returns the cost of a job of a kind in a place of a cluster, counted from the last, in seconds.
func cheapest(s *site.Site, kind, cluster, place int) (cost float64, possible bool) {
	members := s.Clusters[cluster].Members
	m, cost := float64(len(members)), dear
	consider := func(t hetero.Ticks, machines float64) {
		if t < hetero.Never {
			p := float64(t) / 1000
			cost = min(cost, float64(place)*p*machines/m-p*machines/(2*m)+p/2)
		}
	}
	consider(s.Times.Sequential[kind][members[0]], 1)
	consider(s.Times.Parallel[kind][cluster], m)
	return cost, cost < dear
}
