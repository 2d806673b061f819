package dfrs

import (
	"slices"

	"aliquot/cluster"
	"aliquot/packing"
)

// roundoff is far above the error of a share computed in float64 and far below a millicore.
const roundoff = 1e-6

// allot divides the CPU of the mapping, max-min fair (opt=min, section 4.6), into whole
// millicores, rounded down. It returns the shares of the mapped jobs by their place on the board.
func (b *board) allot() []cluster.CPU {
	var mapped []*job
	var m packing.Mapping
	for _, j := range b.jobs {
		if j.nodes != nil {
			mapped, m = append(mapped, j), append(m, j.nodes)
		}
	}
	yields := packing.MaxMin(b.problem(mapped), m)
	shares := make([]cluster.CPU, len(b.jobs))
	k := 0
	for i, j := range b.jobs {
		if j.nodes != nil {
			share := cluster.CPU(yields[k]*float64(j.Spec.Need) + roundoff)
			shares[i] = min(max(share, j.least), j.Spec.Need)
			k++
		}
	}
	return shares
}

// target is the adopted allocation with what the board changes.
func (b *board) target(shares []cluster.CPU) cluster.Allocation {
	target := b.view.TargetAll().Clone()
	for i, j := range b.jobs {
		old := b.view.Target(j.ID)
		if j.nodes == nil {
			if old != nil {
				target.Delete(j.ID)
			}
		} else if !b.keeps(j, old, shares[i]) {
			target.Set(j.ID, b.placement(j, shares[i]))
		}
	}
	return target
}

// keeps tells whether what the job holds is already what it is to hold.
func (b *board) keeps(j *job, old *cluster.Placement, share cluster.CPU) bool {
	return old != nil && j.before != nil && !j.moved() && old.CPU == share && old.Tier == cluster.Foreground
}

func (b *board) placement(j *job, share cluster.CPU) *cluster.Placement {
	p := &cluster.Placement{CPU: share, Nodes: make([]cluster.NodeID, len(j.nodes))}
	for i, n := range j.nodes {
		p.Nodes[i] = b.nodes[n].ID
	}
	slices.Sort(p.Nodes)
	return p
}
