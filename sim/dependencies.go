package sim

import (
	"fmt"
	"slices"

	"aliquot/workload"
)

// After names, for each job that waits for others, the jobs that must have succeeded before it may run, all by the
// stream's ids. A job counts as waiting from its submission on.
type After map[int64][]int64

// Check returns an error for a job that waits for one that is not in the stream, and for jobs that wait for each other.
func (a After) Check(jobs []workload.Job) error {
	w := newWaits(a)
	known := map[int64]bool{}
	var free []int64
	for _, j := range jobs {
		if known[j.ID] = true; w.left[j.ID] == 0 {
			free = append(free, j.ID)
		}
	}
	for id, others := range a {
		for _, on := range others {
			if !known[on] || !known[id] {
				return fmt.Errorf("job %d waits for job %d, and the stream does not have both", id, on)
			}
		}
	}
	for n := 0; n < len(free); n++ {
		for _, id := range w.on[free[n]] {
			if w.left[id]--; w.left[id] == 0 {
				free = append(free, id)
			}
		}
	}
	if len(free) < len(jobs) {
		return fmt.Errorf("%d jobs wait for each other in a circle", len(jobs)-len(free))
	}
	return nil
}

// waits knows which jobs wait, by the stream's ids.
type waits struct {
	left  map[int64]int           // number of jobs that a job waits for
	on    map[int64][]int64       // jobs that wait for a job
	here  map[int64]*workload.Job // jobs that were submitted and wait
	never map[int64]int64         // jobs that can never run, with the job that did not succeed
	ready []*workload.Job         // jobs that wait no longer
}

func newWaits(after After) waits {
	w := waits{map[int64]int{}, map[int64][]int64{}, map[int64]*workload.Job{}, map[int64]int64{}, nil}
	for id, others := range after {
		w.left[id] = len(others)
		for _, on := range others {
			w.on[on] = append(w.on[on], id)
		}
	}
	for _, list := range w.on {
		slices.Sort(list)
	}
	return w
}

// come submits a job, unless it must wait.
func (m *simulation) come(j *workload.Job) error {
	if on, never := m.never[j.ID]; never {
		m.giveUpOn(j, on)
		return nil
	}
	if m.left[j.ID] > 0 {
		m.here[j.ID] = j
		return nil
	}
	return m.submit(j)
}

// concluded tells the jobs that wait for one that has ended, or will never run.
func (m *simulation) concluded(id int64, succeeded bool) {
	for _, waiting := range m.on[id] {
		j := m.here[waiting]
		if m.left[waiting]--; !succeeded {
			m.never[waiting] = id
		}
		_, never := m.never[waiting]
		switch {
		case j == nil:
		case never:
			delete(m.here, waiting)
			m.giveUpOn(j, id)
		case m.left[waiting] == 0:
			delete(m.here, waiting)
			m.ready = append(m.ready, j)
		}
	}
}

// giveUpOn leaves out a job that waits for another one's success in vain.
func (m *simulation) giveUpOn(j *workload.Job, on int64) {
	m.result.Skipped = append(m.result.Skipped, Skipped{Job: *j, Refused: true, Declined: true,
		Why: fmt.Sprintf("waits for job %d, which did not succeed", on)})
	m.concluded(j.ID, false)
}

// submitReady submits the jobs that wait no longer, in the order of the stream.
func (m *simulation) submitReady() error {
	slices.SortFunc(m.ready, func(a, b *workload.Job) int { return a.Compare(*b) })
	for len(m.ready) > 0 {
		j := m.ready[0]
		m.ready = m.ready[1:]
		if err := m.submit(j); err != nil {
			return err
		}
	}
	return nil
}
