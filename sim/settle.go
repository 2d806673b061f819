package sim

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"aliquot/cluster"
)

// settle compares each job that something happened to with how the last instant left it,
// makes it pay if it was rescheduled, and foresees its end.
func (m *simulation) settle() {
	if m.Tell != nil || m.Record != nil {
		slices.SortFunc(m.touched, func(a, b *run) int { return cmp.Compare(a.job.ID, b.job.ID) })
	}
	for _, r := range m.touched {
		r.touched = false
		if m.runs[r.job.ID-1] != nil { // else it was refused
			m.charge(r, m.view.Target(r.job.ID))
		}
	}
	m.touched = m.touched[:0]
}

// charge is settle for one job, which holds p now.
func (m *simulation) charge(r *run, p *cluster.Placement) {
	before := r.held
	if p == before {
		if p == nil && r.Submit == m.now {
			m.tell("%v %v", r.job.ID, r.job.Why)
		}
		return
	}
	m.close(r)
	r.held = p
	switch {
	case p == nil:
		r.paid = never
		m.tell("%v pauses: %v", r.job.ID, r.job.Why)
	case before == nil:
		m.begin(r)
	default:
		m.change(r, before)
	}
	m.goes(r, p != nil && r.paid == never)
	m.foresee(r)
}

// begin starts or resumes a run.
func (m *simulation) begin(r *run) {
	if !r.begun {
		r.begun, r.Started = true, m.now
		m.say(r, "starts on %s", r.held.Nodes)
		return
	}
	r.Preemptions++
	m.result.resumed += gigabytes(&r.Job, r.Tasks)
	m.penalise(r, m.Cost.Resume(&r.Job))
	m.say(r, "resumes on %s", r.held.Nodes)
}

// change is what another placement means for a run that goes on without a gap.
func (m *simulation) change(r *run, before *cluster.Placement) {
	moved := m.moved(before.Nodes, r.held.Nodes)
	if moved > 0 {
		r.Migrations++
		r.Moved += moved
		m.result.moved += gigabytes(&r.Job, moved)
		m.penalise(r, m.Cost.Move(&r.Job, moved))
		m.say(r, "moves from %s to %s", before.Nodes, r.held.Nodes)
	} else if r.held.CPU != before.CPU {
		m.tell("%v gets %v", r.job.ID, r.held.CPU)
	}
}

// moved counts the tasks that have left their nodes.
func (m *simulation) moved(before, after []cluster.NodeID) (tasks int) {
	if &before[0] == &after[0] {
		return 0
	}
	for _, n := range before {
		m.count[n]++
	}
	for _, n := range after {
		m.count[n]--
	}
	for _, list := range [][]cluster.NodeID{before, after} {
		for _, n := range list {
			tasks += max(0, m.count[n])
			m.count[n] = 0
		}
	}
	return tasks
}

// penalise sets, and does not add, what a run has to pay.
func (m *simulation) penalise(r *run, penalty cluster.Time) {
	r.paid, r.moved = never, m.now
	m.model.Stall(r.job.ID, penalty > 0)
	if penalty > 0 {
		r.paid = m.now + penalty
	}
}

// foresee finds out when a run will end as things are.
func (m *simulation) foresee(r *run) {
	r.finish = end(r.job.Clock, r.Need, r.Runtime)
	m.queue.update(r)
}

// say tells what happened to a run, what it gets, and what it pays.
func (m *simulation) say(r *run, what string, nodes ...[]cluster.NodeID) {
	if m.Tell == nil {
		return
	}
	names := make([]any, len(nodes))
	for i := range nodes {
		names[i] = m.names(nodes[i])
	}
	pays := ""
	if r.paid != never {
		pays = "; pays until " + span(r.paid)
	}
	m.tell("%v %s, %v%s", r.job.ID, fmt.Sprintf(what, names...), r.held.CPU, pays)
}

// names is how people read a multiset of nodes: n1×2 n3.
func (m *simulation) names(nodes []cluster.NodeID) string {
	nodes = slices.Sorted(slices.Values(nodes))
	var words []string
	for i := 0; i < len(nodes); {
		count := 1
		for i+count < len(nodes) && nodes[i+count] == nodes[i] {
			count++
		}
		words = append(words, strings.TrimSuffix(fmt.Sprintf("%s×%d", m.view.Node(nodes[i]).Name, count), "×1"))
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
