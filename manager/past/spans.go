package past

import (
	"cmp"
	"slices"

	"aliquot/cluster"
)

// Span is a period without change for a task, or for a job without a placement.
type Span struct {
	Task  cluster.TaskID // index -1: the job as a whole, waiting or held
	Run   int            // number; 0: none
	Node  cluster.NodeID // node on which the VM is or is being made; 0: none
	State string         // starting, running, frozen, moving, pausing, paused, resuming, stopping; of jobs waiting, held
	Share cluster.CPU    // share on the node; 0: none or unknown
	Tier  cluster.Tier   // in which it has that share
	From  cluster.Time
	To    cluster.Time // 0: the span is open
	Kind  cluster.EventKind
	Cause cluster.Cause // cause of the event that began it
}

// maxText limits the kept part of an event's text, in bytes.
const maxText = 200

// Spans folds events, which must come in order, into spans. It keeps the latest ended ones up to its limit.
type Spans struct {
	max   int
	ended []Span // by end
	lost  []Loss // by time
	seq   uint64 // number of the first ended span
	open  map[cluster.JobID]map[int]*track
	since cluster.Time // spans that ended before may be missing; 0: no event yet
}

// track is a task's present span, the span to return to when a move fails, and the time since when its run starts.
type track struct {
	now    Span
	stable Span
	starts cluster.Time // means nothing unless it starts
}

// NewSpans returns spans that keep up to max ended ones. They are complete since the first event added.
func NewSpans(max int) *Spans {
	return &Spans{max: max, open: map[cluster.JobID]map[int]*track{}}
}

// stable lists the states that last without a move.
var stable = map[string]bool{"running": true, "paused": true, "frozen": true, "waiting": true, "held": true,
	"dependent": true}

// states maps events to the resulting state of the task; "" ends the span.
var states = map[cluster.EventKind]string{
	cluster.TaskStarting: "starting", cluster.TaskStarted: "running", cluster.TaskResized: "running",
	cluster.TaskPausing: "pausing",
	cluster.TaskPaused:  "paused", cluster.TaskResuming: "resuming", cluster.TaskResumed: "running",
	cluster.TaskMigrating: "moving",
	cluster.TaskMigrated:  "running", cluster.TaskStopping: "stopping", cluster.TaskStopped: "", cluster.TaskExited: "",
	cluster.TaskLost:  "",
	cluster.TaskFound: "running", cluster.TaskFrozen: "frozen", cluster.TaskThawed: "running",
	cluster.JobSubmitted: "waiting", cluster.JobUnplaced: "waiting", cluster.JobHeld: "held",
	cluster.JobReleased: "waiting", cluster.JobEligible: "waiting", cluster.JobDependent: "dependent",
	cluster.JobPlaced: "",
}

// Add adds the next event.
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
	if e.Kind == cluster.TaskLost {
		s.lose(e)
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

// spanOf returns the span that begins with the event.
func (s *Spans) spanOf(e *cluster.Event, state string) Span {
	next := Span{
		Task: cluster.TaskID{Job: e.Job, Index: e.Task}, Run: e.Run, Node: e.Node, State: state, Share: e.CPU, Tier: e.Tier,
		From: e.At, Kind: e.Kind, Cause: short(e.Cause),
	}
	if e.Kind == cluster.JobSubmitted {
		next.Cause.Text = "" // its name
	}
	if t := s.open[e.Job][e.Task]; t != nil && e.Kind == cluster.TaskResized && t.now.State == "starting" {
		next.State = "starting" // its guest has yet to boot
	}
	switch state {
	case "moving":
		next.Node = e.From
	case "paused", "waiting", "held", "dependent":
		next.Node, next.Share, next.Tier = 0, 0, cluster.Foreground
	}
	if t := s.open[e.Job][e.Task]; t != nil && next.Node == t.now.Node && (next.Share == 0 || state == "moving" ||
		state == "pausing") && next.Node != 0 {
		next.Share, next.Tier = t.now.Share, t.now.Tier // these events carry no share, or the share after the move
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
		if t.now.State == next.State && t.now.Node == next.Node && t.now.Share == next.Share &&
			t.now.Tier == next.Tier && t.now.Run == next.Run {
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
	if t.now.State != "starting" || t.now.Run != next.Run {
		t.starts = next.From
	}
	t.now = next
	if stable[next.State] {
		t.stable = next
	}
}

// end ends the present span of the task or job.
func (s *Spans) end(job cluster.JobID, index int, at cluster.Time) {
	if t := s.open[job][index]; t != nil {
		s.keep(t.now, at)
		delete(s.open[job], index)
	}
	if len(s.open[job]) == 0 {
		delete(s.open, job)
	}
}

// fallBack returns to the span before a failed move.
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
	if over := len(s.ended) - s.max; over > s.max/8 { // drops many at once, at intervals
		s.since = max(s.since, s.ended[over-1].To)
		s.ended = slices.Clone(s.ended[over:])
		s.seq += uint64(over)
	}
}

// Query selects spans that touch a period.
type Query struct {
	From, To cluster.Time   // To 0: no end
	Job      cluster.JobID  // 0: all
	Node     cluster.NodeID // 0: all
	Placed   bool           // only spans on a node
	After    string         // cursor of the page before; "": the first page
	Limit    int
}

func (q *Query) selects(s *Span) bool {
	return (q.To == 0 || s.From < q.To) && (s.To == 0 || s.To > q.From) && (q.Job == 0 || s.Task.Job == q.Job) &&
		(q.Node == 0 || s.Node == q.Node) && (!q.Placed || s.Node != 0)
}

// Page is a part of the answer: first the open spans, by task, then the ended ones, latest end first. A span that ends
// between two pages may be in both.
type Page struct {
	Spans []Span
	Next  string       // cursor of the next page; "": this is the last
	Since cluster.Time // spans that ended before may be missing; 0: no event yet
}

// Find answers the query. It returns ErrCursor if After is not a cursor.
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

// before returns the number of ended spans after the cursor in page order.
func (s *Spans) before(c cursor) int {
	if c.begins() || c.lasting {
		return len(s.ended)
	}
	return int(min(max(c.seq, s.seq)-s.seq, uint64(len(s.ended))))
}

// lasting returns the open spans after the cursor, by task.
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
