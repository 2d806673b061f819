package web

import (
	"fmt"

	"aliquot/cluster"
	"aliquot/manager/past"
	"aliquot/web/api"
	"aliquot/wording"
)

// starving is the least time without a share after which a job needs attention. It is longer where periodic decisions
// are further apart, because the policy looks at the job again at every one of them.
const starving = 15 * cluster.Minute

// starved names the standard jobs that may run and have had no share for long, in one item. Jobs that no waiting helps
// have an item of their own.
func starved(v *cluster.Snapshot, since map[cluster.JobID]cluster.Time) []api.Attention {
	var longest *cluster.Job
	var most cluster.Time
	patience, jobs := max(starving, 3*v.Policy.Period), 0
	for j := range unplaced(v) {
		from, known := since[j.ID]
		waited := v.At - from
		if j.Spec.Class != cluster.StandardClass || !known || waited < patience || stuck[v.Reason(j).Code] != "" {
			continue
		}
		if jobs++; waited > most {
			longest, most = j, waited
		}
	}
	if jobs == 0 {
		return nil
	}
	text := fmt.Sprintf("%v has had no share for %s", longest.ID, most.Words())
	if jobs > 1 {
		text = fmt.Sprintf("%d jobs have had no share for %s or longer; %s", jobs, patience.Words(), text)
	}
	return []api.Attention{{Severity: "warning", Code: "jobs_starve", Job: longest.ID.String(),
		Text: text + ": " + wording.Reason(v.Reason(longest), wording.Of(v.State)),
		Help: "Add nodes, cancel or hold other jobs, or see by `aliquot plan` what the next decision would do."}}
}

// hung names the task that has booted for longest, if that is long, in one item with the number of such tasks.
func hung(v *cluster.Snapshot, since map[cluster.TaskID]cluster.Time) []api.Attention {
	var longest cluster.TaskID
	var most cluster.Time
	tasks := 0
	for id, from := range since {
		j := v.Job(id.Job)
		if booted := v.At - from; j != nil && j.Tasks[id.Index].Phase == cluster.Booting && booted >= slowBoot {
			tasks++
			if booted > most || booted == most && id.Compare(longest) < 0 {
				longest, most = id, booted
			}
		}
	}
	if tasks == 0 {
		return nil
	}
	text := fmt.Sprintf("%v has booted for %s, and its guest has not started", longest, most.Words())
	if tasks > 1 {
		text = fmt.Sprintf("%d tasks have booted for %s or longer; %s", tasks, slowBoot.Words(), text)
	}
	return []api.Attention{{Severity: "warning", Code: "boot_slow", Job: longest.Job.String(), Text: text,
		Help: fmt.Sprintf("Its VM holds its share, and its node cannot be drained. Read `aliquot job logs %v --task %d --console`; "+
			"if it does not boot, cancel the job, and give it more memory or another image.", longest.Job, longest.Index)}}
}

// losses names the runs that were lost lately, in one item.
func losses(v *cluster.Snapshot, lost []past.Loss) []api.Attention {
	if len(lost) == 0 {
		return nil
	}
	last := lost[len(lost)-1]
	text := fmt.Sprintf("%s lost in the last hour%s; the latest is task %d of %v, %s ago", was(len(lost), "run"),
		beforeBegin(lost), last.Task.Index, last.Task.Job, (v.At - last.At).Words())
	if cause := wording.Cause(last.Cause, wording.Of(v.State)); cause != "" {
		text += ": " + cause
	}
	return []api.Attention{{Severity: "warning", Code: "runs_lost", Job: last.Task.Job.String(), Text: text,
		Help: "They start again unless their jobs forbid it. If it repeats, check the nodes that the events name."}}
}

// beforeBegin tells how many of the lost runs lost no work, because their guests had not begun; "" for none.
func beforeBegin(lost []past.Loss) string {
	early := 0
	for _, l := range lost {
		if l.Early {
			early++
		}
	}
	switch {
	case early == 0:
		return ""
	case early < len(lost):
		return fmt.Sprintf(", %d of them before the guest had begun, without loss of work", early)
	case early == 1:
		return ", before its guest had begun, without loss of work"
	}
	return ", before their guests had begun, without loss of work"
}

func was(n int, what string) string {
	if n == 1 {
		return "1 " + what + " was"
	}
	return fmt.Sprintf("%d %ss were", n, what)
}
