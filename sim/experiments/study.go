package experiments

import (
	"io"

	"aliquot/sim/reproduce"
	"aliquot/sim/reproduce/study"
	"aliquot/sim/sweep"
	"aliquot/sim/trials"
)

// StudyFindings pairs the experiments of a study that have results with them.
func StudyFindings[E any](results *trials.File, experiments []E,
	entries []trials.Entry) (found []study.Finding[E, sweep.Result]) {
	for i, e := range experiments {
		if r, ok := results.Get(entries[i].Trial); ok {
			found = append(found, study.Finding[E, sweep.Result]{Experiment: e, Result: r})
		}
	}
	return found
}

// WriteStudy writes the report of a study, its numbers and figures into a folder.
func WriteStudy(folder string, report study.Report, about reproduce.About) error {
	return writeFiles(folder, map[string]func(io.Writer) error{
		"report.html": func(w io.Writer) error { return report.WriteHTML(w, about) },
		"claims.csv":  report.WriteClaims, "points.csv": report.WritePoints,
	}, report.Figures())
}
