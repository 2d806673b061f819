package sim

import (
	"slices"
	"strings"

	"aliquot/cluster"
	"aliquot/policy"
)

// script is a policy that follows its lines, so that a story tests only the simulator. A line is "30s j1 500m n1 n2",
// the job's placement from then on, or "30s j1 paused".
type script []line

type line struct {
	at  cluster.Time
	job cluster.JobID
	p   *cluster.Placement
}

func parseScript(text string) (s script) {
	for row := range strings.Lines(text) {
		words := strings.Fields(row)
		j, l := job(append([]string{words[1]}, "at="+words[0])), line{}
		l.at, l.job = j.Submit, cluster.JobID(j.ID)
		if words[2] != "paused" {
			l.p = &cluster.Placement{Grant: cluster.Foreground.Grant(
				job([]string{"j1", "need=" + strings.TrimSuffix(words[2], "m")}).Need)}
			for _, n := range words[3:] {
				l.p.Nodes = append(l.p.Nodes, cluster.NodeID(job([]string{"j1", "tasks=" + strings.TrimPrefix(n, "n")}).Tasks))
			}
		}
		s = append(s, l)
	}
	return s
}

func (s script) Decide(v *cluster.View) policy.Decision {
	d := policy.Decision{Target: cluster.NewAllocation()}
	for _, l := range s {
		switch {
		case l.at > v.At:
			d.Alarms = append(d.Alarms, cluster.Alarm{At: l.at, Kind: cluster.AlarmTick})
		case l.p == nil || v.Job(l.job) == nil:
			d.Target.Delete(l.job)
		default:
			d.Target.Set(l.job, l.p)
		}
	}
	d.Alarms = cluster.NewAgenda(d.Alarms)
	d.Why = slices.Values([]cluster.Reason{})
	return d
}
