package site

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"aliquot/policy/hetero"
)

// rowHeader names the columns of WriteRows: those of any simulation, and the family's own at the end.
var rowHeader = []string{"id", "submit", "start", "end", "outcome", "tier", "kills", "migrations", "preemptions",
	"foreground", "swaps", "kind", "resource", "bumps"}

// WriteRows writes a row of CSV with the fate of each job, in the order of the stream. Times are in seconds.
func (s *Site) WriteRows(w io.Writer, fates []Fate) error {
	out := csv.NewWriter(w)
	err := out.Write(rowHeader)
	for i := 0; i < len(fates) && err == nil; i++ {
		err = out.Write(s.row(fates[i]))
	}
	if out.Flush(); err == nil {
		err = out.Error()
	}
	return err
}

func (s *Site) row(f Fate) []string {
	if f.Skipped {
		return []string{f.ID, seconds(f.Submit), "", "", "skipped", "foreground", "0", "0", "0", "", "0", "", "", "0"}
	}
	start, p := seconds(f.Start), hetero.Pair{Parallel: f.Parallel}
	return []string{f.ID, seconds(f.Submit), start, seconds(f.End), "ended", "foreground", strconv.Itoa(f.Kills), "0",
		strconv.Itoa(f.Preemptions), start, "0", p.Kind(), s.Resource(f.Parallel, f.Resource), strconv.Itoa(f.Bumps)}
}

// seconds formats a time exactly.
func seconds(t hetero.Ticks) string { return fmt.Sprintf("%d.%03d000", t/1000, t%1000) }
