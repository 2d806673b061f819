package sim

import (
	"aliquot/cluster"
	"aliquot/workload"
)

// Physics decides the rate at which a job progresses among its neighbours: the part of its share that it can use.
//
// The rate depends on the job, its placement and what is on its processors alone. It is asked when an instant ends, and
// its answer holds until one of these changes.
type Physics interface {
	// Rate returns a rate from 0 to cluster.Whole. own is the CPU that a task of the job uses at full speed, by its index,
	// and on is what is on its processor.
	Rate(j *workload.Job, p *cluster.Placement, own func(int) cluster.CPU, on func(int) Place) cluster.Parts
}

// Place is what is on a processor: on a core, the tasks that are bound to it, and on a node, those that are bound to no
// core.
type Place struct {
	CPU                    cluster.CPU // of the processor, in millicores
	Use                    cluster.CPU // that its foreground tasks use at full speed, in millicores
	Foreground, Background int         // number of tasks in each tier
}

// Tiers is the physics of processors with two tiers (Liu et al. 2012, section 3.2). A job without
// background neighbours can use all of its share, as in RR-7659, section 4.1.
type Tiers struct{}

// Busy is the foreground use of a processor from which on nothing in its background advances.
const Busy = cluster.Whole * 96 / 100

// Rate returns the rate of the slowest task. A background task has what the foreground leaves, of which its efficiency
// is the part that helps. On a processor without foreground tasks, a single background task has full speed.
func (Tiers) Rate(j *workload.Job, p *cluster.Placement, own func(int) cluster.CPU,
	on func(int) Place) cluster.Parts {
	least := cluster.Whole
	for i := range p.Nodes {
		at := on(i)
		switch {
		case p.Tier == cluster.Background:
			least = min(least, inBackground(j, own(i), at))
		case at.Background > 0:
			least = min(least, cluster.Whole-j.Loss)
		}
	}
	return least
}

// inBackground returns the rate of a background task that uses that CPU at full speed.
func inBackground(j *workload.Job, own cluster.CPU, at Place) cluster.Parts {
	left := (cluster.Whole - part(at.Use, at.CPU)) / cluster.Parts(at.Background)
	switch {
	case at.Foreground == 0 && at.Background == 1:
		return cluster.Whole
	case part(at.Use, at.CPU) >= Busy:
		return 0
	case j.Rate > 0:
		return j.Rate
	}
	return min(cluster.Whole, efficiency(j)*left/max(1, part(own, at.CPU)))
}

// Mean efficiencies in the background (Liu et al. 2012, section 2.1). The paper's mean for several processes is lost:
// this is the middle of its range.
const (
	efficiencyOfOne  = cluster.Whole * 86 / 100
	efficiencyOfMany = cluster.Whole * 482 / 1000
)

// efficiency returns the part of the idle CPU that helps the job in the background.
func efficiency(j *workload.Job) cluster.Parts {
	switch {
	case j.Efficiency > 0:
		return j.Efficiency
	case j.Tasks == 1:
		return efficiencyOfOne
	}
	return efficiencyOfMany
}

// part returns a/b, at most the whole.
func part(a, b cluster.CPU) cluster.Parts {
	return min(cluster.Whole, cluster.Parts(a)*cluster.Whole/cluster.Parts(max(1, b)))
}
