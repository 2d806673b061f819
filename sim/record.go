package sim

import "aliquot/cluster"

// Span is a period in which a job's placement did not change.
type Span struct {
	Job      int64 // the job's id in the stream
	From, To cluster.Time
	Nodes    []cluster.NodeID // one for each task; read-only
	Share    cluster.CPU      // share of each task
	Paying   bool             // the job made no progress
	Grant    cluster.Grant    // grant of each task; its cap is Share
	Cores    []cluster.CoreID // of each task; nil: none is bound; read-only
}

// Moved is a move that starts, in a simulation in which moves take time.
type Moved struct {
	Job int64 // the job's id in the stream
	cluster.Move
}

// Kill is a decision to give up the work of a job, which is to start anew.
type Kill struct {
	Job int64 // the job's id in the stream
	At  cluster.Time
}

// Recording is everything that a run recorded, each by time.
type Recording struct {
	Spans []Span
	Moves []Moved // that start; none if a plan takes no time
	Kills []Kill
}

// Observe lets the simulation record everything.
func (r *Recording) Observe(s *Setup) {
	s.Record = func(x Span) { r.Spans = append(r.Spans, x) }
	s.Start = func(x Moved) { r.Moves = append(r.Moves, x) }
	s.Kill = func(x Kill) { r.Kills = append(r.Kills, x) }
}

// close ends the present span of a run and begins the next one.
func (m *simulation) close(r *run) {
	if r.held != nil && r.since < m.now {
		if !r.going {
			m.result.stood += float64(r.Tasks) * float64(r.held.Cap) * (m.now - r.since).Seconds()
		}
		if m.Record != nil {
			m.Record(Span{r.ID, r.since, m.now, r.held.Nodes, r.held.Cap, !r.going, r.held.Grant, r.held.Cores})
		}
	}
	r.since = m.now
}
