package web

import (
	"aliquot/cluster"
	"aliquot/web/api"
	"aliquot/wording"
)

// reader turns the state into JSON for one actor.
type reader struct {
	view  *cluster.Snapshot
	usage func(cluster.RunID) (Usage, bool)
	host  func(cluster.NodeID) (Host, bool)
	actor cluster.Actor
}

// job returns the job as JSON, with or without its tasks.
func (r reader) job(j *cluster.Job, tasks bool) api.Job {
	at := r.view.At
	if j.Ended != 0 {
		at = j.Ended
	}
	out := api.Job{
		ID: j.ID.String(), Name: j.Spec.Name, Owner: j.Spec.Owner, Project: j.Spec.Project,
		State: stateOf(r.view, j), Spec: specJSON(j.Spec, mayRead(r.actor, j.Spec)),
		Submitted: clock(j.Submitted), Started: clockOrNil(j.Started), Ended: clockOrNil(j.Ended),
		Held: j.Held, NeedMillicores: int64(j.Spec.Need), MemoryBytes: int64(j.Spec.Requirement.Memory),
		ChargeBytes: int64(r.view.Charge(j.Spec)), Yield: yieldOf(j, r.view.Target(j.ID)),
		FlowSeconds: j.FlowTime(at).Seconds(), VirtualSeconds: j.VirtualTime(at).Seconds(),
		RunningSeconds: j.RunningTime(at).Seconds(),
		Phases:         map[string]int{},
	}
	if j.Workflow != 0 {
		out.Workflow = workflowID(j.Workflow)
	}
	if j.Ending != nil {
		out.Outcome, out.Cause = j.Ending.Outcome.String(), r.cause(j.Ending.Cause)
	}
	if out.Promise = r.promise(j.ID); j.Ended == 0 && (j.Ending == nil || r.view.View().Stuck(j)) {
		why := whyJSON(r.view, r.view.Reason(j))
		out.Why = &why
	}
	out.ProgressRate, out.ProgressSource = progressOf(j)
	out.Priority = priorityOf(j, at)
	if tasks {
		out.Similar, out.ForecastSeconds = r.similar(j.Spec), j.Forecast(at).Seconds()
	}
	for i := range j.Tasks {
		out.Phases[taskState(&j.Tasks[i], r.move(j, i))]++
		if tasks {
			out.Tasks = append(out.Tasks, r.task(j, i))
		}
	}
	return out
}

// progressOf returns the rate of progress and its source, or nil for a job that makes no progress.
func progressOf(j *cluster.Job) (*float64, string) {
	if j.Clock.Share <= 0 || j.Ended != 0 {
		return nil, ""
	}
	parts, source := j.Rate()
	rate := float64(parts) / float64(cluster.Whole)
	return &rate, string(source)
}

// priorityOf returns the priority, or nil for a job that has ended or has not run yet.
func priorityOf(j *cluster.Job, at cluster.Time) *float64 {
	if j.VirtualTime(at) == 0 || j.Ended != 0 {
		return nil
	}
	priority := j.Priority(at)
	return &priority
}

func (r reader) move(j *cluster.Job, index int) *cluster.Move {
	return r.view.Move(cluster.TaskID{Job: j.ID, Index: index})
}

func yieldOf(j *cluster.Job, p *cluster.Placement) *float64 {
	if p == nil || p.Tier == cluster.Background {
		return nil
	}
	y := ratio(p.Cap, j.Spec.Need)
	return &y
}

func (r reader) task(j *cluster.Job, index int) api.Task {
	t, m := &j.Tasks[index], r.move(j, index)
	out := api.Task{
		Index: index, Run: t.Run, State: taskState(t, m), Node: r.node(t.Node), Tier: t.Tier.String(),
		NeedMillicores: int64(j.Spec.Need), CapAskedMillicores: int64(t.Cap), CapObservedMillicores: int64(t.Observed),
		Exit: r.exit(t.Exit), Failures: t.Failures, Losses: t.Losses, Attempts: t.Attempts, RetryAt: clockOrNil(t.RetryAt),
	}
	if t.Trouble != nil {
		out.Trouble = r.cause(*t.Trouble)
	}
	if a := j.AddressOf(index); a != 0 {
		out.Address = a.String()
	}
	if p := r.view.Target(j.ID); p != nil && t.Phase != cluster.Done {
		out.ShareMillicores = int64(p.Cap)
		if p.Nodes[index] != t.Node {
			out.Target = r.node(p.Nodes[index])
		}
		if p.Tier == cluster.Foreground {
			out.Yield = ratio(p.Cap, j.Spec.Need)
		}
	}
	if t.Present() {
		out.Core = int(r.view.Core(j.ID, index, t.Node))
	}
	if m != nil {
		move := r.moveJSON(m)
		out.Move = &move
	}
	if u, ok := r.usage(cluster.RunID{Job: j.ID, Index: index, Number: t.Run}); ok && t.Present() {
		cpu, memory := int64(u.CPU), int64(u.Memory)
		out.UsedMillicores, out.UsedMemoryBytes = &cpu, &memory
	}
	return out
}

func (r reader) moveJSON(m *cluster.Move) api.Move {
	return api.Move{
		Kind: m.Kind.String(), Job: m.Task.Job.String(), Task: m.Task.Index, From: r.node(m.From), To: r.node(m.To),
		ShareMillicores: int64(m.CPU), Started: clockOrNil(m.Started), Aborted: m.Aborted,
	}
}

// cause returns the cause as a sentence with the names of the nodes.
func (r reader) cause(c cluster.Cause) string { return wording.Cause(c, wording.Of(r.view.State)) }

// explained returns why the job is in its state, as a sentence. Once it has an outcome, this is the cause of that.
func explained(v *cluster.Snapshot, j *cluster.Job) string {
	if j.Ending != nil {
		return wording.Cause(j.Ending.Cause, wording.Of(v.State))
	}
	return wording.Reason(v.Reason(j), wording.Of(v.State))
}

// node returns the name of a node, "" for none.
func (r reader) node(id cluster.NodeID) string {
	if n := r.view.Node(id); n != nil {
		return n.Name
	}
	return ""
}

func (r reader) exit(e *cluster.Exit) *api.Exit {
	if e == nil {
		return nil
	}
	out := &api.Exit{Signal: e.Signal}
	switch code := e.Code; {
	case !e.Reported():
		out.Cause = r.cause(e.Explain())
	case e.Signal == "":
		out.Code = &code
	}
	return out
}

// stateOf returns the state of a job in one word. A move of any task takes precedence over the tasks' states.
func stateOf(v *cluster.Snapshot, j *cluster.Job) string {
	switch {
	case j.Ended != 0:
		return j.Ending.Outcome.String()
	case j.Ending != nil:
		return "stopping"
	}
	found := map[string]bool{}
	for i := range j.Tasks {
		found[taskState(&j.Tasks[i], v.Move(cluster.TaskID{Job: j.ID, Index: i}))] = true
	}
	for _, word := range []struct{ task, job string }{
		{"stopping", "stopping"}, {"pausing", "pausing"}, {"moving", "moving"}, {"resuming", "starting"},
	} {
		if found[word.task] {
			return word.job
		}
	}
	if j.Held {
		return "held"
	}
	if j.Waits > 0 {
		return "dependent"
	}
	for _, word := range []struct{ task, job string }{
		{"starting", "starting"}, {"booting", "starting"}, {"running", "running"}, {"frozen", "running"},
		{"resizing", "running"}, {"paused", "paused"},
	} {
		if found[word.task] {
			return word.job
		}
	}
	return "waiting"
}

// taskState returns the state of a task in one word. A move in progress takes precedence.
func taskState(t *cluster.Task, m *cluster.Move) string {
	if m != nil {
		word := map[cluster.MoveKind]string{
			cluster.Start: "starting", cluster.Stop: "stopping", cluster.Pause: "pausing", cluster.Resume: "resuming",
			cluster.Migrate: "moving",
		}[m.Kind]
		if word != "" {
			return word
		}
		if t.Phase == cluster.Running && !t.Frozen {
			return "resizing"
		}
	}
	if t.Frozen {
		return "frozen"
	}
	return [...]string{"waiting", "booting", "running", "paused", "ended"}[t.Phase]
}
