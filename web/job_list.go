package web

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"aliquot/cluster"
	"aliquot/web/api"
)

// jobFilter selects jobs. Empty fields do not restrict.
type jobFilter struct {
	Owner   string   `query:"owner" maxLength:"128"`
	Project string   `query:"project" maxLength:"128"`
	Name    string   `query:"name" maxLength:"128" doc:"A name, or a pattern with * and ?"`
	Search  string   `query:"search" maxLength:"128" doc:"Words that must all occur in id, name, owner, project, image or labels; case does not matter; labels count where you may see them"`
	State   []string `query:"state" maxItems:"16" doc:"States, or active (not ended), or ended; held finds held jobs whose VMs are still being paused or stopped, too" example:"waiting,running"`
	Label   []string `query:"label,explode" maxItems:"16" doc:"A label that the job must have; may be repeated; finds jobs of your project, an operator all" example:"[\"team=blue\"]"`
	Node    string   `query:"node" maxLength:"63" doc:"A node on which it has a VM, or that a task of it is placed on or on its way to"`
	Sort    string   `query:"sort" enum:"id,name,owner,project,state,submitted,tasks,need,memory,yield,flow,priority" default:"id" doc:"Sort key"`
	Order   string   `query:"order" enum:"asc,desc" default:"desc" doc:"desc by id is newest first"`
	Cursor  string   `query:"cursor" maxLength:"32" doc:"Next of the previous page; only for the order newest first"`
	Offset  int      `query:"offset" minimum:"0" maximum:"2000000" doc:"Number of jobs to skip, in any order; a list that changes meanwhile may skip or repeat some"`
	Limit   int      `query:"limit" minimum:"1" maximum:"1000" default:"100"`
	Tasks   bool     `query:"tasks" doc:"Include the tasks"`
}

func (s *server) listJobs(ctx context.Context, in *jobFilter) (*body[api.JobPage], error) {
	before := ^cluster.JobID(0)
	if in.Cursor != "" {
		id, err := jobNumber("cursor", in.Cursor)
		if err != nil {
			return nil, err
		}
		before = id
	}
	if err := in.check(); err != nil {
		return nil, err
	}
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	matches, err := in.matcher(v, actor(ctx))
	if err != nil {
		return nil, err
	}
	jobs := slices.DeleteFunc(newestFirst(v), func(j *cluster.Job) bool { return !matches(j) })
	page := api.JobPage{Jobs: []api.Job{}, Total: len(jobs)}
	in.arrange(v, jobs)
	if in.Cursor != "" {
		jobs = slices.DeleteFunc(jobs, func(j *cluster.Job) bool { return j.ID >= before })
	}
	jobs = jobs[min(in.Offset, len(jobs)):]
	read := s.reader(ctx, v)
	for _, j := range jobs[:min(in.Limit, len(jobs))] {
		page.Jobs = append(page.Jobs, read.job(j, in.Tasks))
	}
	if len(jobs) > in.Limit && in.newestFirst() {
		page.Next = jobs[in.Limit-1].ID.String()
	}
	return answer(page), nil
}

func (f *jobFilter) newestFirst() bool { return f.Sort == "id" && f.Order == "desc" }

// newestFirst lists all jobs, ended or not.
func newestFirst(v *cluster.Snapshot) []*cluster.Job {
	active, ended, _ := v.Counts()
	jobs := make([]*cluster.Job, 0, active+ended)
	for j := range v.Jobs() {
		jobs = append(jobs, j)
	}
	for j := range v.History() {
		jobs = append(jobs, j)
	}
	slices.SortFunc(jobs, func(a, b *cluster.Job) int { return cmp.Compare(b.ID, a.ID) })
	return jobs
}

// arrange sorts jobs that come newest first into the requested order. Equal ones stay newest first.
func (f *jobFilter) arrange(v *cluster.Snapshot, jobs []*cluster.Job) {
	if f.newestFirst() {
		return
	}
	type ranked struct {
		job    *cluster.Job
		text   string
		number float64
	}
	list := make([]ranked, len(jobs))
	for i, j := range jobs {
		list[i].job = j
		list[i].text, list[i].number = f.rank(v, j)
	}
	slices.SortStableFunc(list, func(a, b ranked) int {
		by := cmp.Or(cmp.Compare(a.text, b.text), cmp.Compare(a.number, b.number))
		if f.Order == "desc" {
			return -by
		}
		return by
	})
	for i := range list {
		jobs[i] = list[i].job
	}
}

// rank returns the sort key of a job. A job without a yield or a priority comes below all others.
func (f *jobFilter) rank(v *cluster.Snapshot, j *cluster.Job) (text string, number float64) {
	at := v.At
	if j.Ended != 0 {
		at = j.Ended
	}
	switch f.Sort {
	case "name":
		return strings.ToLower(j.Spec.Name), 0
	case "owner":
		return j.Spec.Owner, 0
	case "project":
		return j.Spec.Project, 0
	case "state":
		return stateOf(v, j), 0
	case "submitted":
		return "", float64(j.Submitted)
	case "tasks":
		return "", float64(j.Spec.Tasks)
	case "need":
		return "", float64(j.Spec.Need)
	case "memory":
		return "", float64(j.Spec.Requirement.Memory)
	case "flow":
		return "", j.FlowTime(at).Seconds()
	case "yield":
		if y := yieldOf(j, v.Target(j.ID)); y != nil {
			return "", *y
		}
		return "", -1
	case "priority":
		if p := priorityOf(j, at); p != nil {
			return "", *p
		}
		return "", -1
	}
	return "", float64(j.ID)
}

// words are the states accepted in a filter.
var words = strings.Split(
	"waiting,dependent,starting,running,pausing,paused,moving,held,stopping,succeeded,failed,cancelled,active,ended", ",")

func (f *jobFilter) check() error {
	for _, w := range f.State {
		if !slices.Contains(words, w) {
			return newProblem(string(cluster.CodeInvalid), "state", "must be one of %s", strings.Join(words, ", "))
		}
	}
	if f.Cursor != "" && !f.newestFirst() {
		return newProblem(string(cluster.CodeInvalid), "cursor", "works only with the order newest first; use offset")
	}
	for _, l := range f.Label {
		if k, _, ok := strings.Cut(l, "="); !ok || k == "" {
			return newProblem(string(cluster.CodeInvalid), "label", "is not a label; expected key=value")
		}
	}
	if _, err := path.Match(f.Name, ""); err != nil {
		return newProblem(string(cluster.CodeInvalid), "name", "is not a valid pattern: close its brackets")
	}
	return nil
}

// matcher returns a function that tests jobs against the filter. It finds no job by labels that the actor may not see.
func (f *jobFilter) matcher(v *cluster.Snapshot, a cluster.Actor) (func(*cluster.Job) bool, error) {
	var node cluster.NodeID
	if f.Node != "" {
		n, err := nodeNamed(v, f.Node)
		if err != nil {
			return nil, err
		}
		node = n.ID
	}
	words := strings.Fields(strings.ToLower(f.Search))
	return func(j *cluster.Job) bool {
		var labels []cluster.Pair
		if mayRead(a, j.Spec) {
			labels = j.Spec.Labels
		}
		named, _ := path.Match(f.Name, j.Spec.Name) // checked before
		return (f.Owner == "" || f.Owner == j.Spec.Owner) &&
			(f.Project == "" || f.Project == j.Spec.Project) &&
			(f.Name == "" || named) && f.labelled(labels) && (node == 0 || uses(v, j, node)) &&
			mentions(j, labels, words) && f.inState(v, j)
	}, nil
}

// uses reports whether the job has a VM on the node, or a task that is placed there or on its way there: the node's
// CPU and memory are charged for all of them.
func uses(v *cluster.Snapshot, j *cluster.Job, node cluster.NodeID) bool {
	placed := v.Target(j.ID)
	for i := range j.Tasks {
		t, m := &j.Tasks[i], v.Move(cluster.TaskID{Job: j.ID, Index: i})
		if t.Present() && t.Node == node || m != nil && m.Kind.Fills() && m.To == node ||
			placed != nil && t.Phase != cluster.Done && placed.Nodes[i] == node {
			return true
		}
	}
	return false
}

// mentions reports whether every word, in lower case, occurs in the job's names or image, or in the labels.
func mentions(j *cluster.Job, labels []cluster.Pair, words []string) bool {
	if len(words) == 0 {
		return true
	}
	texts := []string{j.ID.String(), j.Spec.Name, j.Spec.Owner, j.Spec.Project, j.Spec.Image}
	for _, l := range labels {
		texts = append(texts, l.Key+"="+l.Value)
	}
	all := strings.ToLower(strings.Join(texts, "\n"))
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(all, w) })
}

// labelled reports whether the labels are among a job's.
func (f *jobFilter) labelled(labels []cluster.Pair) bool {
	for _, l := range f.Label {
		k, value, _ := strings.Cut(l, "=")
		if !slices.Contains(labels, cluster.Pair{Key: k, Value: value}) {
			return false
		}
	}
	return true
}

func (f *jobFilter) inState(v *cluster.Snapshot, j *cluster.Job) bool {
	if len(f.State) == 0 {
		return true
	}
	span := "active"
	if j.Ended != 0 {
		span = "ended"
	}
	return slices.Contains(f.State, span) || slices.Contains(f.State, stateOf(v, j)) ||
		j.Held && j.Ending == nil && slices.Contains(f.State, "held")
}
