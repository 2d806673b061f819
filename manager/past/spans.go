package past

import (
	"cmp"
	"slices"

	"aliquot/cluster"
)

// Span is a stretch of time in which nothing changed for a task, or for a job that held nothing.
type Span struct {
	Task  cluster.TaskID // index -1: the job as a whole, waiting or held
	Run   int            // number; 0: none
	Node  cluster.NodeID // where the VM is or is being made; 0: nowhere
	State string         // starting, running, frozen, moving, pausing, paused, resuming, stopping; of jobs waiting, held
	Share cluster.CPU    // that it has on the node; 0: nothing, or not known
	From  cluster.Time
	To    cluster.Time // 0: it lasts
	Kind  cluster.EventKind
	Cause cluster.Cause // of the event that began it
}

// maxText bounds what is kept of an event's text, in bytes.
const maxText = 200

// Spans folds events, which come in order, into spans. It keeps as many ended ones as it was made for, the latest.
type Spans struct {
	max   int
	ended []Span // by end
	seq   uint64 // number of the first of them
	open  map[cluster.JobID]map[int]*track
	since cluster.Time // what ended before may be missing; 0: nothing was told yet
}

// track is a task's present span, and the one to fall back to when a move fails.
type track struct {
	now    Span
	stable Span
}

// NewSpans returns one that keeps up to max ended spans and knows everything since the first event that it is told.
func NewSpans(max int) *Spans {
	return &Spans{max: max, open: map[cluster.JobID]map[int]*track{}}
}

// stable are the states that last without a move.
var stable = map[string]bool{"running": true, "paused": true, "frozen": true, "waiting": true, "held": true}

// states are what tasks are in after events; "" ends what was.
var states = map[cluster.EventKind]string{
	cluster.TaskStarting: "starting", cluster.TaskStarted: "running", cluster.TaskResized: "running", cluster.TaskPausing: "pausing",
	cluster.TaskPaused: "paused", cluster.TaskResuming: "resuming", cluster.TaskResumed: "running", cluster.TaskMigrating: "moving",
	cluster.TaskMigrated: "running", cluster.TaskStopping: "stopping", cluster.TaskStopped: "", cluster.TaskExited: "", cluster.TaskLost: "",
	cluster.TaskFound: "running", cluster.TaskFrozen: "frozen", cluster.TaskThawed: "running",
	cluster.JobSubmitted: "waiting", cluster.JobUnplaced: "waiting", cluster.JobHeld: "held", cluster.JobReleased: "waiting", cluster.JobPlaced: "",
}

// Add takes the next event.
func (s *Spans) Add(e *cluster.Event) {
	if s.since == 0 {
		s.since = e.At
	}
	if e.Kind == cluster.JobEnded {
		for index := range s.open[e.Job] {
			s.end(e.Job, index, e.At)
		}
		delete(s.open, e.Job)
		return
	}
	if e.Kind == cluster.MoveFailed {
		s.fallBack(e)
		return
	}
	state, known := states[e.Kind]
	switch {
	case !known || e.Job == 0:
	case state == "":
		s.end(e.Job, e.Task, e.At)
	default:
		s.begin(s.spanOf(e, state))
	}
}

// spanOf is what begins with the event.
func (s *Spans) spanOf(e *cluster.Event, state string) Span {
	next := Span{
		Task: cluster.TaskID{Job: e.Job, Index: e.Task}, Run: e.Run, Node: e.Node, State: state, Share: e.CPU, From: e.At, Kind: e.Kind,
		Cause: short(e.Cause),
	}
	if e.Kind == cluster.JobSubmitted {
		next.Cause.Text = "" // its name
	}
	switch state {
	case "moving":
		next.Node = e.From
	case "paused", "waiting", "held":
		next.Node, next.Share = 0, 0
	}
	if t := s.open[e.Job][e.Task]; t != nil && next.Node == t.now.Node && (next.Share == 0 || state == "moving" || state == "pausing") && next.Node != 0 {
		next.Share = t.now.Share // these events tell no share, or that after the move
	}
	return next
}

// short returns the cause with no more of its text than is kept.
func short(c cluster.Cause) cluster.Cause {
	c.Text = c.Text[:min(len(c.Text), maxText)]
	return c
}

func (s *Spans) begin(next Span) {
	id := next.Task
	t := s.open[id.Job][id.Index]
	if t != nil {
		if t.now.State == next.State && t.now.Node == next.Node && t.now.Share == next.Share && t.now.Run == next.Run {
			return
		}
		s.keep(t.now, next.From)
	} else {
		if s.open[id.Job] == nil {
			s.open[id.Job] = map[int]*track{}
		}
		t = &track{}
		s.open[id.Job][id.Index] = t
	}
	t.now = next
	if stable[next.State] {
		t.stable = next
	}
}

// end ends what the task or job is in.
func (s *Spans) end(job cluster.JobID, index int, at cluster.Time) {
	if t := s.open[job][index]; t != nil {
		s.keep(t.now, at)
		delete(s.open[job], index)
	}
	if len(s.open[job]) == 0 {
		delete(s.open, job)
	}
}

// fallBack returns to what was before a move that failed.
func (s *Spans) fallBack(e *cluster.Event) {
	t := s.open[e.Job][e.Task]
	if t == nil || stable[t.now.State] {
		return
	}
	if t.stable.State == "" {
		s.end(e.Job, e.Task, e.At)
		return
	}
	back := t.stable
	back.From, back.Kind, back.Cause = e.At, e.Kind, short(e.Cause)
	s.begin(back)
}

func (s *Spans) keep(span Span, at cluster.Time) {
	if span.From == at {
		return
	}
	span.To = at
	s.ended = append(s.ended, span)
	if over := len(s.ended) - s.max; over > s.max/8 { // now and then many at once
		s.since = max(s.since, s.ended[over-1].To)
		s.ended = slices.Clone(s.ended[over:])
		s.seq += uint64(over)
	}
}

// Query selects spans that touch a stretch of time.
type Query struct {
	From, To cluster.Time   // To 0: no end
	Job      cluster.JobID  // 0: all
	Node     cluster.NodeID // 0: all
	Placed   bool           // only what is on a node
	After    string         // cursor of the page before; "": the first page
	Limit    int
}

func (q *Query) selects(s *Span) bool {
	return (q.To == 0 || s.From < q.To) && (s.To == 0 || s.To > q.From) && (q.Job == 0 || s.Task.Job == q.Job) &&
		(q.Node == 0 || s.Node == q.Node) && (!q.Placed || s.Node != 0)
}

// Page is a part of the answer: first what lasts, by task, then what has ended, the latest end first. A span that ends between two
// pages may be in both.
type Page struct {
	Spans []Span
	Next  string       // cursor of the next page; "": this is the last
	Since cluster.Time // what ended before may be missing; 0: nothing is known yet
}

// Find answers the query; the error says that After is no cursor.
func (s *Spans) Find(q Query) (Page, error) {
	c, err := parseCursor(q.After)
	if err != nil {
		return Page{}, err
	}
	page := Page{Since: s.since}
	last := c
	add := func(span Span, at cursor) bool {
		if len(page.Spans) == q.Limit {
			page.Next = last.String()
			return false
		}
		page.Spans, last = append(page.Spans, span), at
		return true
	}
	for _, span := range s.lasting(&q, c) {
		if !add(span, cursor{lasting: true, task: span.Task}) {
			return page, nil
		}
	}
	for i := s.before(c) - 1; i >= 0 && s.ended[i].To > q.From; i-- {
		if q.selects(&s.ended[i]) && !add(s.ended[i], cursor{seq: s.seq + uint64(i)}) {
			break
		}
	}
	return page, nil
}

// before is how many of the ended spans come behind the cursor.
func (s *Spans) before(c cursor) int {
	if c.begins() || c.lasting {
		return len(s.ended)
	}
	return int(min(max(c.seq, s.seq)-s.seq, uint64(len(s.ended))))
}

// lasting are the spans behind the cursor that have not ended, by task.
func (s *Spans) lasting(q *Query, c cursor) (list []Span) {
	if !c.begins() && !c.lasting {
		return nil
	}
	add := func(tracks map[int]*track) {
		for _, t := range tracks {
			if q.selects(&t.now) && (c.begins() || t.now.Task.Compare(c.task) > 0) {
				list = append(list, t.now)
			}
		}
	}
	if q.Job != 0 {
		add(s.open[q.Job])
	} else {
		for _, tracks := range s.open {
			add(tracks)
		}
	}
	slices.SortFunc(list, func(a, b Span) int { return cmp.Or(a.Task.Compare(b.Task), cmp.Compare(a.From, b.From)) })
	return list
}
