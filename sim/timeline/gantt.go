package timeline

import (
	"cmp"
	"fmt"
	"slices"

	"aliquot/cluster"
	"aliquot/sim"
	"aliquot/sim/chart"
	"aliquot/wording"
	"aliquot/workload"
)

// Gantt draws the recorded spans on nodes of one size, n1 and so on. For one job it draws the nodes that the job was
// ever on, with other jobs in grey. The axis begins with the window.
func (r *Recorder) Gantt(title string, nodes int) chart.Gantt {
	g := chart.Gantt{Title: title, X: chart.Axis{Title: "hours"}}
	hues := r.hues()
	for n := range nodes {
		pieces := r.on(cluster.NodeID(n + 1))
		if r.Job != nil && !slices.ContainsFunc(pieces, func(p piece) bool { return p.Job == *r.Job }) {
			continue
		}
		for _, p := range stacked(pieces) {
			g.Bars = append(g.Bars, r.bar(p, len(g.Rows), hues))
		}
		g.Rows = append(g.Rows, fmt.Sprint("n", n+1))
	}
	if left := nodes - len(g.Rows); left > 0 {
		g.Note = wording.Count(left, "node") + " on which the job never was: left out"
	}
	if len(g.Bars) == 0 {
		g.Note = "no job held anything in this time"
	}
	g.Keys = r.keys(hues)
	if r.From > 0 && len(g.Bars) > 0 {
		g.X.Low, g.X.High = hours(r.From), 0
		for _, b := range g.Bars {
			g.X.High = max(g.X.High, b.To)
		}
	}
	return g
}

// keys returns the legend of the jobs' colours, unless there are more jobs than colours.
func (r *Recorder) keys(hues map[int64]int) []chart.Key {
	if r.Job != nil {
		return []chart.Key{{Name: fmt.Sprint("job ", *r.Job)}}
	}
	if len(hues) > chart.Shades {
		return nil
	}
	keys := make([]chart.Key, len(hues))
	for job, hue := range hues {
		keys[hue] = chart.Key{Hue: hue, Name: fmt.Sprint("job ", job)}
	}
	return keys
}

// hues numbers the jobs in the order in which they first held something.
func (r *Recorder) hues() map[int64]int {
	spans := slices.Clone(r.spans)
	slices.SortStableFunc(spans, func(a, b sim.Span) int { return cmp.Compare(a.From, b.From) })
	hues := map[int64]int{}
	for _, s := range spans {
		if _, ok := hues[s.Job]; !ok {
			hues[s.Job] = len(hues)
		}
	}
	return hues
}

// piece is a job's part of a node during an interval, all its tasks there together.
type piece struct {
	sim.Span
	low, high float64 // fractions of the node's CPU
}

// on returns the pieces on a node, cut to the window and not stacked yet.
func (r *Recorder) on(node cluster.NodeID) (pieces []piece) {
	for _, s := range r.spans {
		tasks := 0
		for _, n := range s.Nodes {
			if n == node {
				tasks++
			}
		}
		if tasks > 0 {
			s.From, s.To = max(s.From, r.From), min(s.To, r.Until)
			pieces = append(pieces, piece{Span: s, high: float64(tasks) * float64(s.Share) / float64(workload.UnitCPU)})
		}
	}
	return pieces
}

// stacked puts the pieces of a node on top of each other. It cuts them wherever one of them begins or ends.
func stacked(pieces []piece) (out []piece) {
	slices.SortFunc(pieces, func(a, b piece) int { return cmp.Or(cmp.Compare(a.Job, b.Job), cmp.Compare(a.From, b.From)) })
	var times []cluster.Time
	for _, p := range pieces {
		times = append(times, p.From, p.To)
	}
	slices.Sort(times)
	times = slices.Compact(times)
	for i := 1; i < len(times); i++ {
		floor := 0.
		for _, p := range pieces {
			if p.From < times[i] && p.To > times[i-1] {
				p.From, p.To = times[i-1], times[i]
				p.low, p.high = floor, floor+p.high-p.low
				floor = p.high
				out = append(out, p)
			}
		}
	}
	return joined(out)
}

// joined merges consecutive pieces that differ in time only.
func joined(pieces []piece) (out []piece) {
	slices.SortStableFunc(pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.Job, b.Job), cmp.Compare(a.From, b.From))
	})
	for _, p := range pieces {
		if n := len(out); n > 0 {
			if last := &out[n-1]; last.Job == p.Job && last.To == p.From && last.low == p.low && last.high == p.high &&
				last.Paying == p.Paying {
				last.To = p.To
				continue
			}
		}
		out = append(out, p)
	}
	return out
}

func (r *Recorder) bar(p piece, row int, hues map[int64]int) chart.Bar {
	b := chart.Bar{
		Row: row, From: hours(p.From), To: hours(p.To), Low: p.low, High: p.high, Hue: hues[p.Job], Idle: p.Paying,
		Name: fmt.Sprintf("job %d, %.4g%% of the node", p.Job, 100*(p.high-p.low)),
	}
	if r.Job != nil {
		b.Hue, b.Faint = 0, p.Job != *r.Job
	}
	return b
}

func hours(t cluster.Time) float64 { return t.Seconds() / 3600 }
