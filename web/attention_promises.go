package web

import (
	"cmp"
	"fmt"
	"slices"

	"aliquot/cluster"
	"aliquot/web/api"
	"aliquot/wording"
)

// promiseConcerns lists the promises that are broken or not kept in time, and those that a node puts at risk.
func promiseConcerns(v *cluster.Snapshot) (list []api.Attention) {
	risks := map[cluster.NodeID][]*cluster.Promise{}
	for p := range v.Promised() {
		j := v.Job(p.Job)
		told := promiseConcern(v, j, p)
		if n := risk(v, j, p); n != nil && told == nil {
			risks[n.ID] = append(risks[n.ID], p)
		}
		list = append(list, told...)
	}
	for n := range v.Nodes() {
		if at := risks[n.ID]; at != nil {
			list = append(list, atRisk(n, at))
		}
	}
	return list
}

// risk returns the first node of a promised interval that takes no VMs now, and may not when the promise falls due. Of
// maintenance it is known when it ends.
func risk(v *cluster.Snapshot, j *cluster.Job, p *cluster.Promise) *cluster.Node {
	if _, due := v.Left(p); due || v.At >= p.End() {
		return nil
	}
	for i, id := range p.Nodes {
		n := v.Node(id)
		if n == nil || v.Open(n) || j.Tasks[i].Node == id {
			continue
		}
		if w := n.InMaintenance(); w == nil || w.Cordon || w.Drain || w.Until > p.Due() {
			return n
		}
	}
	return nil
}

// atRisk tells of the promises that a node puts at risk.
func atRisk(n *cluster.Node, list []*cluster.Promise) api.Attention {
	first := slices.MinFunc(list, func(p, q *cluster.Promise) int { return cmp.Compare(p.From, q.From) })
	if len(list) == 1 {
		return api.Attention{Severity: "warning", Code: "promise_at_risk", Job: first.Job.String(),
			Text: fmt.Sprintf("%v is promised node %s from %s, which takes no VMs now", first.Job, n.Name, first.From.Moment()),
			Help: "If it takes no VMs when the promise falls due, the promise moves to other nodes, or is broken."}
	}
	return api.Attention{Severity: "warning", Code: "promises_at_risk", Node: n.Name,
		Text: fmt.Sprintf("%d promises are of node %s, which takes no VMs now: that to %v from %s and later ones", len(list),
			n.Name, first.Job, first.From.Moment()),
		Help: "If it takes no VMs when they fall due, they move to other nodes, or are broken: `aliquot reservation list`."}
}

// promiseConcern lists a promise that is broken, or that is not kept in time.
func promiseConcern(v *cluster.Snapshot, j *cluster.Job, p *cluster.Promise) []api.Attention {
	id := j.ID.String()
	say := func(severity, code, help, format string, args ...any) []api.Attention {
		text := id + " " + fmt.Sprintf(format, args...)
		return []api.Attention{{Severity: severity, Code: code, Job: id, Text: text, Help: help}}
	}
	if v.At >= p.End() {
		return nil
	}
	if left, due := v.Left(p); due {
		return deadlineConcerns(v, j, p, left, say)
	}
	if p.Broken() {
		return say("warning", "promise_broken", "It is made good if the nodes have enough again before its end.",
			"has no promise any more: it was promised its nodes from %s to %s", p.From.Moment(), p.Until.Moment())
	}
	if late := lateTasks(j); v.At >= p.From && late > 0 {
		return say("problem", "promise_late", "Its events say what its tasks wait for.",
			"was promised its full CPU since %s, and %s not have it: %s", p.From.Moment(), counted(late, "task")+does(late),
			wording.Reason(v.Reason(j), wording.Of(v.State)))
	}
	return nil
}

// deadlineConcerns lists a promise of a deadline that is broken, that cannot be kept any more if all goes well, or for
// which too little is kept.
func deadlineConcerns(v *cluster.Snapshot, j *cluster.Job, p *cluster.Promise, left cluster.Time,
	say func(severity, code, help, format string, args ...any) []api.Attention) []api.Attention {
	by := j.Spec.Deadline.By
	switch {
	case p.Broken():
		return say("warning", "promise_broken", "It is made good if the nodes have enough again in time.",
			"has no promise any more: it was promised to end by %s", by.Moment())
	case v.At+left > by+cluster.Second:
		return say("problem", "promise_late", "Its events say what it waits for; its owner can submit it with a later deadline.",
			"was promised to end by %s, and lacks %s with its full CPU", by.Moment(), left.Words())
	}
	if short := v.Lacks(p); short > 0 {
		return say("warning", "promise_at_risk",
			"More is kept as soon as there is room; its owner can put its deadline off (`aliquot reservation extend`).",
			"is promised to end by %s, and nothing is kept for %s of what it lacks", by.Moment(), short.Words())
	}
	return nil
}

// lateTasks counts the tasks that do not run with their full need.
func lateTasks(j *cluster.Job) (late int) {
	for i := range j.Tasks {
		t := &j.Tasks[i]
		if t.Phase != cluster.Done && (t.Phase != cluster.Running || t.Frozen || t.Observed < j.Spec.Need) {
			late++
		}
	}
	return late
}

func does(n int) string {
	if n == 1 {
		return " does"
	}
	return " do"
}
