package web

import (
	"aliquot/cluster"
	"aliquot/manager/past"
)

// Rates returns what the jobs of each holder have at present: cores granted and used, and jobs that wait or are paused
// although they may run. The usage is that of the latest samples, at most all of the task's virtual CPUs.
func Rates(v *cluster.Snapshot, usage func(cluster.RunID) (Usage, bool)) map[past.Holder]past.Amounts {
	rates := map[past.Holder]past.Amounts{}
	for j := range v.Jobs() {
		who := past.Holder{Project: j.Spec.Project, Owner: j.Spec.Owner}
		rates[who] = rates[who].Plus(rate(v, j, usage), 1)
	}
	return rates
}

func rate(v *cluster.Snapshot, j *cluster.Job, usage func(cluster.RunID) (Usage, bool)) (r past.Amounts) {
	if p := v.Target(j.ID); p != nil {
		r.Granted = cores(p.Cap * cluster.CPU(j.Live()))
	} else if v.Wants(j) {
		r.Waited = 1
	}
	for i := range j.Tasks {
		if t := &j.Tasks[i]; t.Node != 0 {
			u, _ := usage(cluster.RunID{Job: j.ID, Index: i, Number: t.Run})
			r.Used += min(cores(u.CPU), float64(j.Spec.VCPUs()))
		}
	}
	return r
}
