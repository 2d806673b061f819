package tiered

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"

	"aliquot/sim/reproduce"
	"aliquot/sim/sweep"
)

// WritePoints writes every point of the diagrams.
func (b Book) WritePoints(w io.Writer) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{"figure", "series", "at", "streams", "mean", "low", "high"}) // Flush returns the error
	for _, part := range b.Scope.Parts {
		for _, plot := range b.Plots(part) {
			for _, p := range plot.Points {
				_ = out.Write(append([]string{plot.Name, p.Series, sweep.Number(p.X)}, columns(p.Mean)...))
			}
		}
	}
	out.Flush()
	return out.Error()
}

// WriteClaims writes the paper's claims with our results.
func (b Book) WriteClaims(w io.Writer) error { return reproduce.WriteChecks(w, b.Checks()) }

// columns returns the number of streams, the mean, and both ends of the interval, empty for one stream.
func columns(m reproduce.Mean) []string {
	if math.IsInf(m.Half, 0) {
		return []string{strconv.Itoa(m.N), sweep.Number(m.Value), "", ""}
	}
	return []string{fmt.Sprint(m.N), sweep.Number(m.Value), sweep.Number(m.Low()), sweep.Number(m.High())}
}
