// Package experiments turns the experiments of a published report into trials, pairs them with their results, and
// writes the report's files. It runs nothing itself.
//
// Invariant: the same experiments give trials with the same keys, so an interrupted reproduction continues where it
// stopped.
//
// Reference: docs/reproduction.md.
package experiments

import (
	"fmt"
	"io"
	"path/filepath"

	"aliquot/cluster"
	"aliquot/internal/file"
	"aliquot/sim"
	"aliquot/sim/reproduce"
	"aliquot/sim/sweep"
	"aliquot/sim/trials"
	"aliquot/workload"
)

// penaltyOfPaper is the report's rescheduling penalty.
const penaltyOfPaper = 300 * cluster.Second

// Entries returns the trials of the experiments, in the same order.
func Entries(log reproduce.HPC2N, experiments []reproduce.Experiment) ([]trials.Entry, error) {
	all := make([]trials.Entry, len(experiments))
	var from *trials.Source
	for i, e := range experiments {
		if from == nil || from.Name != e.Name() {
			from = sourceOf(log, e.Trace)
		}
		digest, err := from.Identify()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", from.Name, err)
		}
		t, err := sweep.New(from.Name, digest, e.Nodes(), e.Algorithm, cluster.Time(e.Period)*cluster.Second, penaltyOfPaper,
			sim.Terms{})
		if err != nil {
			return nil, err
		}
		all[i] = trials.Entry{Trial: t, Source: from}
	}
	return all, nil
}

func sourceOf(log reproduce.HPC2N, t reproduce.Trace) *trials.Source {
	return &trials.Source{Name: t.Name(), Kind: kindOf(t), Load: func() ([]workload.Job, error) { return log.Jobs(t) }}
}

// kindOf returns the kind of a trace. Traces of different kinds take a policy a different time per job.
func kindOf(t reproduce.Trace) string {
	switch {
	case t.Whole:
		return trials.Unforetold
	case t.Real:
		return "week"
	case t.Tenth > 0:
		return fmt.Sprintf("load 0.%d", t.Tenth)
	}
	return "unscaled"
}

// Findings pairs the experiments that have results with them.
func Findings(results *trials.File, experiments []reproduce.Experiment,
	jobs []trials.Entry) (found []reproduce.Finding) {
	for i, e := range experiments {
		if r, ok := results.Get(jobs[i].Trial); ok {
			found = append(found, reproduce.Finding{Experiment: e, Result: r})
		}
	}
	return found
}

// WriteReport writes the report and its tables and figures into a folder.
func WriteReport(folder string, book reproduce.Book, about reproduce.About) error {
	return writeFiles(folder, map[string]func(io.Writer) error{
		"report.html": func(w io.Writer) error { return book.WriteHTML(w, about) },
		"cells.csv":   book.WriteCells, "worst.csv": book.WriteWorst, "points.csv": book.WritePoints,
	}, book.Figures())
}

// writeFiles writes files by their names, and figures by their names without extension.
func writeFiles(folder string, files map[string]func(io.Writer) error, figures map[string]string) error {
	for name, write := range files {
		if err := file.Write(filepath.Join(folder, name), write); err != nil {
			return err
		}
	}
	for name, svg := range figures {
		if err := file.Write(filepath.Join(folder, "figures", name+".svg"), func(w io.Writer) error {
			_, err := io.WriteString(w, svg)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}
