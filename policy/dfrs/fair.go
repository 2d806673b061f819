package dfrs

import (
	"aliquot/cluster"
)

// holder is an owner in a project.
type holder struct{ project, owner string }

// share is a holder's part of the cluster, and what its jobs require: those looked at so far, and those that were
// mapped when the decision began. All are fractions of the cluster.
type share struct{ part, used, held float64 }

// within adds a job's requirement, and reports whether those before it required less than the holder's part. So the
// first job of each holder is within it, however large it is.
func (s *share) within(required float64) bool {
	ok := s.used < s.part-roundoff
	s.used += required
	return ok
}

// favour ranks jobs within their holders' shares before all others, and keeps the order of priority otherwise. The job
// of a holder counts as within the share as long as the holder's jobs of higher priority require less than it. With
// one holder nothing changes.
func (b *board) favour() {
	shares := b.divideAmongHolders()
	if shares == nil {
		return
	}
	capacity, behind := b.capacityOfAll(), make([]*job, 0, len(b.jobs))
	within := b.jobs[:0]
	for _, j := range b.jobs {
		j.owner = shares[holderOf(j)]
		required := j.required(capacity)
		if j.mapped() {
			j.owner.held += required
		} else if !b.possible(j) {
			required = 0 // it would keep the share from the holder's other jobs for ever
		}
		if j.beyond = !j.owner.within(required); j.beyond {
			behind = append(behind, j)
		} else {
			within = append(within, j)
		}
	}
	b.jobs = append(within, behind...)
}

func holderOf(j *job) holder { return holder{j.Spec.Project, j.Spec.Owner} }

// divideAmongHolders returns the shares of all holders of jobs, by their weights; nil if there is one holder at most.
func (b *board) divideAmongHolders() map[holder]*share {
	several := false
	for i := range b.all {
		several = several || holderOf(&b.all[i]) != holderOf(&b.all[0])
	}
	if !several {
		return nil
	}
	shares, sum := map[holder]*share{}, 0.0
	for i := range b.all {
		if h := holderOf(&b.all[i]); shares[h] == nil {
			shares[h] = &share{part: float64(b.view.Weight(h.project, h.owner))}
			sum += shares[h].part
		}
	}
	for _, s := range shares {
		s.part /= sum
	}
	return shares
}

// capacityOfAll returns the sum of what the nodes offer that may keep VMs.
func (b *board) capacityOfAll() (sum cluster.Offer) {
	for i := range b.nodes {
		if o := b.nodes[i].offer; o.Memory > 0 {
			sum.CPU, sum.Memory = sum.CPU+o.CPU, sum.Memory+o.Memory
		}
	}
	return sum
}

// required returns the part of the cluster that the job requires: of its CPU or of its memory, the larger one.
func (j *job) required(of cluster.Offer) float64 {
	cpu := float64(j.Spec.Need) * float64(j.count) / float64(max(of.CPU, 1))
	memory := float64(j.charge) * float64(j.count) / float64(max(of.Memory, 1))
	return max(cpu, memory)
}

// outranks reports whether the job may take the place of v, because its priority is higher by the factor, or because
// its holder claims it.
func (j *job) outranks(v *job, times float64) bool {
	return times*v.priority <= j.priority || j.claims(v)
}

// claims reports whether v must make way for the job because its holder has more than its share, while the job's holder
// has less, and the job is within that share. Where both have their shares, nobody makes way: places would change hands
// for ever.
func (j *job) claims(v *job) bool {
	return j.favoured(v) && j.owner != v.owner && j.owner.held < j.owner.part-roundoff &&
		v.owner.held > v.owner.part+roundoff
}

// favoured reports whether the job comes before v by their holders' shares alone.
func (j *job) favoured(v *job) bool { return !j.beyond && v.beyond }
