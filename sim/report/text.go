package report

import (
	"strconv"

	"aliquot/sim/sweep"
	"aliquot/wording"
)

// Summary returns a table of every group's means. The first row is the heading, with short names for
// narrow terminals.
func (c Comparison) Summary() [][]string {
	short := map[string]string{
		"degradation": "DEGRADATION", "max_bounded_stretch": "MAX STRETCH", "avg_bounded_stretch": "AVG STRETCH",
		"normalized_underutilization": "UNDERUTIL", "preemptions_per_job": "PMTN/JOB", "migrations_per_job": "MIG/JOB",
	}
	head := []string{"POLICY", "TRACES"}
	var measures []sweep.Measure
	for _, m := range c.Known() {
		if name, ok := short[m.Name]; ok {
			head, measures = append(head, name), append(measures, m)
		}
	}
	rows := [][]string{head}
	for _, g := range c.Groups {
		row := []string{g.Name, strconv.Itoa(len(g.Results))}
		for _, m := range measures {
			row = append(row, mean(sweep.Distribute(g.Results, m)))
		}
		rows = append(rows, row)
	}
	return rows
}

func mean(d sweep.Distribution) string {
	if d.N == 0 {
		return "-"
	}
	return wording.Number(d.Mean)
}

// Spread returns a table of one measure with its deciles.
func (c Comparison) Spread(m sweep.Measure) [][]string {
	rows := [][]string{{"POLICY", "TRACES", "MEAN", "STD", "D1", "D2", "D3", "D4", "MEDIAN", "D6", "D7", "D8",
		"D9", "MAX"}}
	for _, l := range c.Lines(m) {
		row := []string{l.Name, strconv.Itoa(l.N)}
		if l.N > 0 {
			row = append(row, wording.Number(l.Mean), wording.Number(l.Deviation))
			for i, v := range l.Deciles {
				switch {
				case i == 0:
				case l.Few() && i != 5 && i != 10:
					row = append(row, "-")
				default:
					row = append(row, wording.Number(v))
				}
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// Extremes returns a table of one measure's worst traces, at most ten per group, each with its
// explanation.
func (c Comparison) Extremes(m sweep.Measure) [][]string {
	rows := [][]string{{"POLICY", "VALUE", "TRACE", "WHY"}}
	for _, l := range c.Lines(m) {
		for i, e := range l.Worst {
			name := l.Name
			if i > 0 {
				name = ""
			}
			rows = append(rows, []string{name, wording.Number(e.Value), e.Result.Trace, Explain(m, e.Result)})
		}
	}
	return rows
}
