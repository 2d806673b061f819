package reproduce

import (
	"encoding/csv"
	"io"
	"strconv"

	"aliquot/sim/report"
	"aliquot/sim/sweep"
)

// WriteCells writes every cell of the tables: our number, the report's, their ratio, and the distribution of ours.
func (b Book) WriteCells(w io.Writer) error {
	out := csv.NewWriter(w)
	// Flush returns the error
	_ = out.Write(append([]string{"source", "traces", "algorithm", "measure", "statistic", "ours", "report", "ratio"},
		spreadHead...))
	b.eachRow(func(row TableRow) {
		for _, c := range row.Cells {
			ours := ""
			if c.Run() {
				ours = sweep.Number(c.Value())
			}
			line := []string{c.Source, string(c.Set), c.Algorithm, c.Words, c.Statistic, ours, optional(c.Published()),
				optional(c.Ratio())}
			_ = out.Write(append(line, spread(c.Ours)...))
		}
	})
	for _, p := range b.Scope.Parts {
		for _, c := range b.Claims(p) {
			line := []string{c.Source, string(c.Set), c.Algorithm, c.Words, map[bool]string{true: "scaled"}[c.Scaled],
				optional(c.Ours), sweep.Number(c.Published), optional(c.Ratio())}
			_ = out.Write(append(line, make([]string, len(spreadHead))...))
		}
	}
	out.Flush()
	return out.Error()
}

// WriteWorst writes the ten worst traces of every distribution of the tables and of every point of the figures, with
// explanations.
func (b Book) WriteWorst(w io.Writer) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{"source", "traces", "algorithm", "measure", "rank", "value", "trace", "why"})
	b.eachRow(func(row TableRow) {
		for _, s := range row.Spreads {
			for rank, e := range s.Worst {
				c := row.Cells[0]
				_ = out.Write([]string{c.Source, string(c.Set), c.Algorithm, s.Title, strconv.Itoa(rank + 1), sweep.Number(e.Value),
					e.Result.Trace, report.Explain(s.Measure, e.Result)})
			}
		}
	})
	for _, p := range b.Scope.Parts {
		for _, plot := range b.Plots(p) {
			for _, point := range plot.Points {
				for rank, e := range point.Worst {
					_ = out.Write([]string{plot.Name, plot.Lines.X.Title + " " + sweep.Number(point.X), point.Series,
						point.measure.Name, strconv.Itoa(rank + 1), sweep.Number(e.Value), e.Result.Trace, point.Explain(e.Result)})
				}
			}
		}
	}
	out.Flush()
	return out.Error()
}

// WritePoints writes every point of the figures.
func (b Book) WritePoints(w io.Writer) error {
	out := csv.NewWriter(w)
	_ = out.Write(append([]string{"figure", "series", "at"}, spreadHead...))
	for _, p := range b.Scope.Parts {
		for _, plot := range b.Plots(p) {
			for _, point := range plot.Points {
				_ = out.Write(append([]string{plot.Name, point.Series, sweep.Number(point.X)}, spread(point.Distribution)...))
			}
		}
	}
	out.Flush()
	return out.Error()
}

func (b Book) eachRow(do func(TableRow)) {
	for _, p := range b.Scope.Parts {
		for _, t := range b.Tables(p) {
			for _, row := range t.Rows {
				do(row)
			}
		}
	}
}

var spreadHead = []string{"n", "mean", "std", "min", "d1", "d2", "d3", "d4", "median", "d6", "d7", "d8", "d9", "max"}

// spread returns the columns of a distribution, empty if nothing was run.
func spread(d sweep.Distribution) []string {
	columns := make([]string, len(spreadHead))
	if columns[0] = strconv.Itoa(d.N); d.N == 0 {
		return columns
	}
	columns[1], columns[2] = sweep.Number(d.Mean), sweep.Number(d.Deviation)
	for i, v := range d.Deciles {
		columns[3+i] = sweep.Number(v)
	}
	return columns
}

func optional(x *float64) string {
	if x == nil {
		return ""
	}
	return sweep.Number(*x)
}
