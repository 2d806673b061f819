package sim

import "aliquot/cluster"

// Span is what a job held from one time to another, without a change.
type Span struct {
	Job      int64 // as the stream names it
	From, To cluster.Time
	Nodes    []cluster.NodeID // one for each task; not to be changed
	Share    cluster.CPU      // of each task
	Paying   bool             // it made no progress
	Grant    cluster.Grant    // of each task; its cap is Share
}

// Moved is a move that starts where moves take time.
type Moved struct {
	Job int64 // as the stream names it
	cluster.Move
}

// Recording is everything that a run recorded.
type Recording struct {
	Spans []Span
	Moves []Moved // by the time at which they start; none where a plan takes no time
}

// close ends the span that a run is in, and begins the next one.
func (m *simulation) close(r *run) {
	if r.held != nil && r.since < m.now {
		if !r.going {
			m.result.stood += float64(r.Tasks) * float64(r.held.Cap) * (m.now - r.since).Seconds()
		}
		if m.Record != nil {
			m.Record(Span{r.ID, r.since, m.now, r.held.Nodes, r.held.Cap, !r.going, r.held.Grant})
		}
	}
	r.since = m.now
}
