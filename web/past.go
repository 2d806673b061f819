package web

import (
	"cmp"
	"context"
	"math"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"aliquot/cluster"
	"aliquot/manager/past"
	"aliquot/web/api"
)

// Limits of queries about the past.
const (
	usualPast  = cluster.Hour
	longPast   = 366 * 24 * cluster.Hour
	tasksAPage = 100
)

// Stretch selects a period and the number of rows.
type Stretch struct {
	From time.Time `query:"from" doc:"Left out: an hour before to"`
	To   time.Time `query:"to" doc:"Left out: now"`
	Rows int       `query:"rows" minimum:"1" maximum:"2000" default:"500" doc:"Most rows; longer periods have longer steps"`
}

// times returns the checked period.
func (s *Stretch) times(now cluster.Time) (from, to cluster.Time, err error) {
	if from, to, err = between(s.From, s.To, now); err == nil && from == 0 {
		from = to - usualPast
	}
	if err == nil && to-from > longPast {
		err = newProblem(string(cluster.CodeInvalid), "from", "must not be more than a year before to")
	}
	return from, to, err
}

// between reads a period. Without a beginning, from is 0; without an end, to is now.
func between(first, last time.Time, now cluster.Time) (from, to cluster.Time, err error) {
	if to = now; !last.IsZero() {
		to = timeOf(last)
	}
	if from = timeFrom(first); from >= to {
		err = newProblem(string(cluster.CodeInvalid), "from", "must be before to")
	}
	return from, to, err
}

func (s *server) registerPast(to huma.API) {
	register(s, to, measured(operation("get-series", "GET", "/v1/series", cluster.Viewer, "The cluster over time",
		"Yields, and demand against capacity, as means over steps of whole minutes. Managers keep them for a week, on disk too, and copy them from each other; times without a leader are gaps.")), s.getSeries)
	register(s, to, measured(operation("get-node-series", "GET", "/v1/nodes/{node}/series", cluster.Viewer,
		"A node over time",
		"Shares and usage, as means over steps of whole minutes, kept for a day, or less if there are many nodes; restarts lose none.")),
		s.getNodeSeries)
	register(s, to, measured(operation("get-job-usage", "GET", "/v1/jobs/{job}/usage", cluster.Viewer,
		"The usage of a job over time",
		"By task and run, as means over steps of whole minutes. Managers keep them for a day, or less if there are many tasks; those of an ended job are kept as long as its output.")), s.getJobUsage)
	register(s, to, operation("get-job-timeline", "GET", "/v1/jobs/{job}/timeline", cluster.Viewer,
		"The timeline of a job",
		"The nodes and shares of its tasks, and when it waited, derived from the kept events: first the open spans, then the latest."), s.getJobTimeline)
	register(s, to, operation("get-timeline", "GET", "/v1/timeline", cluster.Viewer, "The timeline of the cluster",
		"The tasks on all nodes with their shares over time, for a Gantt chart: first the open spans, then the ended ones, latest end first. "+
			"A span that ends while pages are read may come twice; job, task and from identify it."), s.getTimeline)
}

// numbers turns NaN into gaps.
func numbers(column []float64) []*float64 {
	out := make([]*float64, len(column))
	for i := range column {
		if !math.IsNaN(column[i]) {
			out[i] = &column[i]
		}
	}
	return out
}

func axisOf(t past.Table) api.Axis {
	axis := api.Axis{Start: clock(t.Start), StepSeconds: int(t.Step / cluster.Second)}
	if len(t.Columns) > 0 {
		axis.Rows = len(t.Columns[0])
	}
	return axis
}

func (s *server) getSeries(ctx context.Context, in *Stretch) (*body[api.ClusterSeries], error) {
	from, to, err := in.times(s.manager.Latest().At)
	if err != nil {
		return nil, err
	}
	t := s.manager.Series(from, to, in.Rows)
	column := func(c ClusterColumn) []*float64 { return numbers(t.Columns[c]) }
	out := api.ClusterSeries{
		Axis: axisOf(t), YieldLeast: column(YieldLeast), YieldMean: column(YieldMean),
		CapacityMillicores: column(CapacityCPU), NeedMillicores: column(NeedCPU), WaitingMillicores: column(WaitingCPU),
		ShareMillicores: column(ShareCPU), UsedMillicores: column(UsedCPU),
		MemoryCapacityBytes: column(CapacityMemory), MemoryReservedBytes: column(ReservedMemory),
		JobsHolding: column(JobsHolding), JobsWaiting: column(JobsWaiting), JobsHeld: column(JobsHeld),
	}
	for tenth := range ClusterColumn(10) {
		out.YieldCounts = append(out.YieldCounts, column(YieldTenths+tenth))
	}
	return answer(out), nil
}

func (s *server) getNodeSeries(ctx context.Context, in *struct {
	NodePath
	Stretch
}) (*body[api.NodeSeries], error) {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	n, err := nodeNamed(v, in.Node)
	if err != nil {
		return nil, err
	}
	from, to, err := in.times(v.At)
	if err != nil {
		return nil, err
	}
	t := s.manager.NodeSeries(n.ID, from, to, in.Rows)
	column := func(c NodeColumn) []*float64 { return numbers(t.Columns[c]) }
	return answer(api.NodeSeries{
		Axis: axisOf(t), CapacityMillicores: column(NodeCapacity), NeedMillicores: column(NodeNeed),
		ShareMillicores: column(NodeShare),
		UsedMillicores:  column(NodeUsed), MemoryReservedBytes: column(NodeMemory),
	}), nil
}

func (s *server) getJobUsage(ctx context.Context, in *struct {
	JobPath
	Stretch
	First int `query:"first" minimum:"0" maximum:"10000" doc:"First task to show; a page has 100 tasks"`
}) (*body[api.JobUsage], error) {
	v, j, err := s.find(ctx, in.JobPath)
	if err != nil {
		return nil, err
	}
	from, to, err := in.times(v.At)
	if err != nil {
		return nil, err
	}
	axis := axisOf(s.manager.UsageOver(ctx, cluster.RunID{}, from, to, in.Rows))
	out := api.JobUsage{Axis: axis, Tasks: []api.TaskUsage{}}
	if h := s.manager.Health(); !h.Leads {
		out.Leader = h.Leader
	}
	end := min(in.First+tasksAPage, len(j.Tasks))
	for i := in.First; i < end; i++ {
		for run := max(1, j.Tasks[i].Run-4); run <= j.Tasks[i].Run; run++ {
			t := s.manager.UsageOver(ctx, cluster.RunID{Job: j.ID, Index: i, Number: run}, from, to, in.Rows)
			if known(t) {
				out.Tasks = append(out.Tasks, api.TaskUsage{Task: i, Run: run, UsedMillicores: numbers(t.Columns[0]),
					MemoryBytes: numbers(t.Columns[1])})
			}
		}
	}
	if end < len(j.Tasks) {
		out.Next = &end
	}
	return answer(out), nil
}

// known reports whether a table contains any value besides gaps.
func known(t past.Table) bool {
	for _, x := range t.Columns[0] {
		if !math.IsNaN(x) {
			return true
		}
	}
	return false
}

// PageOfSpans selects a page of spans.
type PageOfSpans struct {
	Cursor string `query:"cursor" maxLength:"64" doc:"Next of the previous page"`
	Limit  int    `query:"limit" minimum:"1" maximum:"10000" default:"5000"`
}

func (s *server) getJobTimeline(ctx context.Context, in *struct {
	JobPath
	PageOfSpans
}) (*body[api.Timeline], error) {
	v, j, err := s.find(ctx, in.JobPath)
	if err != nil {
		return nil, err
	}
	return s.timeline(v, past.Query{Job: j.ID, After: in.Cursor, Limit: in.Limit})
}

func (s *server) getTimeline(ctx context.Context, in *struct {
	From time.Time `query:"from" doc:"Left out: an hour before to"`
	To   time.Time `query:"to" doc:"Left out: now; open spans stay open"`
	Job  string    `query:"job" maxLength:"32" doc:"Only this job"`
	Node string    `query:"node" maxLength:"63" doc:"Only this node"`
	All  bool      `query:"all" doc:"Also the spans without a node: jobs that wait or are held, and paused tasks"`
	PageOfSpans
}) (*body[api.Timeline], error) {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	q := past.Query{After: in.Cursor, Limit: in.Limit, Placed: !in.All}
	if q.From, q.To, err = between(in.From, in.To, v.At); err != nil {
		return nil, err
	}
	if q.From == 0 {
		q.From = q.To - usualPast
	}
	if in.To.IsZero() {
		q.To = 0
	}
	if in.Job != "" {
		if q.Job, err = jobNumber("job", in.Job); err != nil {
			return nil, err
		}
	}
	if in.Node != "" {
		n, err := nodeNamed(v, in.Node)
		if err != nil {
			return nil, err
		}
		q.Node = n.ID
	}
	return s.timeline(v, q)
}

func (s *server) timeline(v *cluster.Snapshot, q past.Query) (*body[api.Timeline], error) {
	page, err := s.manager.Spans(q)
	if err != nil {
		return nil, newProblem(string(cluster.CodeInvalid), "cursor", "is not a cursor of a page")
	}
	out := api.Timeline{Spans: []api.Span{}, Next: page.Next, At: clock(v.At), Since: clock(cmp.Or(page.Since, v.At))}
	read := reader{view: v}
	for i := range page.Spans {
		out.Spans = append(out.Spans, read.spanJSON(&page.Spans[i]))
	}
	return answer(out), nil
}

func (r reader) spanJSON(x *past.Span) api.Span {
	out := api.Span{
		Job: x.Task.Job.String(), Run: x.Run, Node: r.node(x.Node), State: x.State, ShareMillicores: int64(x.Share),
		Tier: beneath(x.Tier),
		From: clock(x.From), To: clockOrNil(x.To), Began: string(x.Kind), Text: r.cause(x.Cause),
	}
	if x.Task.Index >= 0 {
		out.Task = &x.Task.Index
	}
	if j := jobIn(r.view, x.Task.Job); j != nil {
		out.NeedMillicores, out.Name = int64(j.Spec.Need), j.Spec.Name
	}
	return out
}
