package experiments

import (
	"fmt"
	"io"

	"aliquot/sim"
	"aliquot/sim/reproduce"
	"aliquot/sim/reproduce/reserve"
	"aliquot/sim/sweep"
	"aliquot/sim/trials"
)

// ReserveEntries returns the trials of the experiments on reservations, in the same order.
func ReserveEntries(experiments []reserve.Experiment) ([]trials.Entry, error) {
	all := make([]trials.Entry, len(experiments))
	var from *trials.Source
	for i, e := range experiments {
		if from == nil || from.Name != e.Name() {
			from = &trials.Source{Name: e.Name(), Kind: "reservations", Load: e.Draw}
		}
		digest, err := from.Identify()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", from.Name, err)
		}
		t, err := sweep.New(from.Name, digest, reserve.Processors, "reserve/"+e.Policy, 0, 0, sim.Terms{})
		if err != nil {
			return nil, err
		}
		all[i] = trials.Entry{Trial: t, Source: from}
	}
	return all, nil
}

// ReserveFindings pairs the experiments that have results with them.
func ReserveFindings(results *trials.File, experiments []reserve.Experiment,
	entries []trials.Entry) (found []reserve.Finding) {
	for i, e := range experiments {
		if r, ok := results.Get(entries[i].Trial); ok {
			found = append(found, reserve.Finding{Experiment: e, Result: r})
		}
	}
	return found
}

// WriteReserve writes the report on reservations, its numbers and figures into a folder.
func WriteReserve(folder string, book reserve.Book, about reproduce.About) error {
	return writeFiles(folder, map[string]func(io.Writer) error{
		"report.html": func(w io.Writer) error { return book.WriteHTML(w, about) },
		"claims.csv":  book.WriteClaims, "points.csv": book.WritePoints,
	}, book.Figures())
}
