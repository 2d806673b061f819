package reproduce

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// paperText is every number of the report that is compared: its source and section, the set of traces, the algorithm,
// and the measure. The report as published electronically gives no page numbers in its text, sections stand for them.
//
//go:embed paper.csv
var paperText string

// figure is a number of the report.
type figure struct {
	source, section string
	set             Set
	algorithm       string
	measure         string // measure and statistic: degradation mean
	value           float64
}

var paper = mustRead(paperText)

func mustRead(text string) []figure {
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		panic(fmt.Sprint("paper.csv: ", err))
	}
	var figures []figure
	for i, r := range rows[1:] {
		value, err := strconv.ParseFloat(r[5], 64)
		if err != nil || Set(r[2]).size() == 0 {
			panic(fmt.Sprintf("paper.csv, line %d: %q", i+2, r))
		}
		figures = append(figures, figure{r[0], r[1], Set(r[2]), r[3], r[4], value})
	}
	return figures
}

// published returns the report's number, if there is one. Its EASY is the one that never backfills onto reserved
// nodes; the standard EASY is compared with the same number.
func published(source string, set Set, algorithm, measure string) (value float64, ok bool) {
	if algorithm == EASYOfPaper {
		algorithm = EASY
	}
	i := slices.IndexFunc(paper, func(f figure) bool {
		return f.source == source && f.set == set && f.algorithm == algorithm && f.measure == measure
	})
	if i < 0 {
		return 0, false
	}
	return paper[i].value, true
}

// algorithms returns the algorithms of a source in its order.
func algorithms(source string) (names []string) {
	for _, f := range paper {
		if f.source == source && !slices.Contains(names, f.algorithm) {
			names = append(names, f.algorithm)
		}
	}
	return names
}
