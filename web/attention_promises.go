package web

import (
	"fmt"

	"aliquot/cluster"
	"aliquot/web/api"
	"aliquot/wording"
)

// promiseConcerns lists a promise that is broken, that is not kept in time, or that a node puts at risk.
func promiseConcerns(v *cluster.Snapshot, j *cluster.Job) []api.Attention {
	p, id := v.PromiseTo(j.ID), j.ID.String()
	say := func(severity, code, help, format string, args ...any) []api.Attention {
		text := id + " " + fmt.Sprintf(format, args...)
		return []api.Attention{{Severity: severity, Code: code, Job: id, Text: text, Help: help}}
	}
	if p == nil || v.At >= p.End() {
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
	for i, id := range p.Nodes {
		if n := v.Node(id); n != nil && !v.Open(n) && j.Tasks[i].Node != id {
			return say("warning", "promise_at_risk",
				"If it takes no VMs when the promise falls due, the promise moves to other nodes, or is broken.",
				"is promised node %s from %s, which takes no VMs now", n.Name, p.From.Moment())
		}
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
