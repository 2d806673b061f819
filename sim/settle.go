package sim

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"aliquot/cluster"
)

// settle looks at what the instant did to each job, charges penalties, and foresees ends.
func (m *simulation) settle() {
	frozen := map[cluster.NodeID][]cluster.Observation{}
	for _, r := range m.active {
		if m.touched[r.id] && m.err == nil {
			j := m.s.Job(r.id)
			if j == nil {
				m.err = fmt.Errorf("at %.6g s the policy refuses job %d: %s", m.now.Seconds(), r.ID, m.s.Ended(r.id).Ending.Cause)
				return
			}
			nodes := whereabouts(j)
			m.charge(r, j, nodes)
			r.nodes, r.share = nodes, j.Tasks[0].Cap
			if r.paid != never {
				m.each(r, frozen, cluster.Observation{Seen: cluster.SeenFrozen})
			}
		}
	}
	m.report(frozen)
	for _, r := range m.active {
		if m.touched[r.id] && m.err == nil {
			r.finish = end(m.s.Job(r.id).Clock, r.Job.Need, r.Job.Runtime)
		}
	}
	clear(m.touched)
}

// whereabouts lists the nodes of a job's tasks, sorted; nil if they do not all run.
func whereabouts(j *cluster.Job) (nodes []cluster.NodeID) {
	for i := range j.Tasks {
		if j.Tasks[i].Phase != cluster.Running {
			return nil
		}
		nodes = append(nodes, j.Tasks[i].Node)
	}
	slices.Sort(nodes)
	return nodes
}

// charge compares a job with how the last instant left it, and makes it pay if it was
// rescheduled.
func (m *simulation) charge(r *run, j *cluster.Job, nodes []cluster.NodeID) {
	cpu := j.Tasks[0].Cap
	switch {
	case nodes == nil && r.nodes == nil:
		if r.Submit == m.now {
			m.tell("%v %v", r.id, j.Why)
		}
	case nodes == nil:
		r.Preemptions++
		r.paid = never
		m.tell("%v pauses: %v", r.id, j.Why)
	case r.Started == never:
		r.Started = m.now
		m.tell("%v starts on %s, %v", r.id, m.names(nodes), cpu)
	case r.nodes == nil:
		m.tell("%v resumes on %s, %v%s", r.id, m.names(nodes), cpu, m.penalise(r))
	case !slices.Equal(nodes, r.nodes):
		r.Migrations++
		m.tell("%v moves from %s to %s, %v%s", r.id, m.names(r.nodes), m.names(nodes), cpu, m.penalise(r))
	case cpu != r.share:
		m.tell("%v gets %v", r.id, cpu)
	}
}

// penalise sets, and does not add, what the job has to pay, and says so.
func (m *simulation) penalise(r *run) string {
	if m.Penalty == 0 {
		return ""
	}
	r.paid = m.now + m.Penalty
	return "; pays until " + span(r.paid)
}

// names is how people read a multiset of nodes: n1×2 n3.
func (m *simulation) names(nodes []cluster.NodeID) string {
	var words []string
	for i := 0; i < len(nodes); {
		count := 1
		for i+count < len(nodes) && nodes[i+count] == nodes[i] {
			count++
		}
		words = append(words, strings.TrimSuffix(fmt.Sprintf("%s×%d", m.s.Node(nodes[i]).Name, count), "×1"))
		i += count
	}
	return strings.Join(words, " ")
}

func span(t cluster.Time) string { return fmt.Sprintf("%.6gs", t.Seconds()) }

// end is when the clock's virtual time reaches the runtime, as things are: the first
// microsecond at which it does, or never.
func end(c cluster.Clock, need cluster.CPU, runtime cluster.Time) cluster.Time {
	left := runtime - c.Virtual
	if c.Share <= 0 || left <= 0 {
		return never
	}
	// The least d with remainder + d·share ≥ left·need.
	hi, lo := bits.Mul64(uint64(left), uint64(need))
	share := uint64(min(c.Share, need))
	lo, borrow := bits.Sub64(lo, uint64(c.Remainder), 0)
	lo, carry := bits.Add64(lo, share-1, 0)
	hi = hi - borrow + carry
	if hi >= share {
		return never
	}
	d, _ := bits.Div64(hi, lo, share)
	if d >= uint64(never-c.At) {
		return never
	}
	return c.At + cluster.Time(d)
}
