package sweep

import (
	"aliquot/cluster"
	"aliquot/sim/bound"
	"aliquot/workload"
)

// Bound computes what no schedule of the jobs on so many equal nodes can beat.
func Bound(nodes int, jobs []workload.Job) (Bottleneck, error) {
	found, err := bound.MaxStretch(nodes, jobs)
	if err != nil {
		return Bottleneck{}, err
	}
	b := Bottleneck{Bound: found.Stretch, Critical: len(found.Critical)}
	critical := make(map[int64]bool, len(found.Critical))
	for _, id := range found.Critical {
		critical[id] = true
	}
	first := true
	for _, j := range jobs {
		if !critical[j.ID] {
			continue
		}
		from, to := j.Submit.Seconds(), j.Submit.Seconds()+found.Stretch*max(j.Runtime, threshold).Seconds()
		if first {
			b.From, first = from, false
		}
		b.From, b.To = min(b.From, from), max(b.To, to)
		b.Work += j.Runtime.Seconds() / 3600 * float64(j.Tasks) * float64(j.Need) / float64(workload.UnitCPU) / float64(nodes)
	}
	return b, nil
}

// threshold is the time that shorter ones count as in bounded stretches.
const threshold = 10 * cluster.Second
