package reproduce

import (
	"fmt"
	"html/template"
	"slices"

	"aliquot/sim/chart"
	"aliquot/sim/sweep"
)

// Table is a table of the report, or the part of it that concerns one set of traces.
type Table struct {
	Title   string
	Note    string
	Columns []Column
	Rows    []TableRow
	Figure  template.HTML // figure of the first column's measure; empty: none
}

// Column is a statistic of a measure, as in the report's tables.
type Column struct{ Title, Words, Statistic string }

// TableRow holds an algorithm's cells, and the distribution of every measure among them.
type TableRow struct {
	Algorithm string
	Cells     []Cell
	Spreads   []Spread
}

// Spread is a measure's distribution, with the report's words for the measure.
type Spread struct {
	Title   string
	Measure sweep.Measure
	sweep.Distribution
}

var (
	degradations = []Column{{"avg.", "degradation", "mean"}, {"std.", "degradation", "deviation"},
		{"max", "degradation", "maximum"}}
	bandwidths = pairs("preemption bandwidth", "migration bandwidth")
	perHour    = pairs("preemptions per hour", "migrations per hour")
	perJob     = pairs("preemptions per job", "migrations per job")
	underused  = []Column{{"avg.", "underutilization", "mean"}}
)

func pairs(preemptions, migrations string) []Column {
	return []Column{
		{"pmtn avg.", preemptions, "mean"}, {"pmtn max", preemptions, "maximum"},
		{"mig avg.", migrations, "mean"}, {"mig max", migrations, "maximum"},
	}
}

// table fills in a table.
func (b Book) table(source, title string, set Set, columns []Column) Table {
	t := Table{Title: title, Columns: columns}
	names := withPair(algorithms(source))
	for _, name := range names {
		row := TableRow{Algorithm: name}
		for _, col := range columns {
			c := b.cell(source, set, name, col.Words, col.Statistic)
			row.Cells = append(row.Cells, c)
			if len(row.Spreads) == 0 || row.Spreads[len(row.Spreads)-1].Title != col.Words {
				row.Spreads = append(row.Spreads, Spread{col.Words, measure(col.Words), c.Ours})
			}
		}
		t.Rows = append(t.Rows, row)
	}
	t.Note = b.coverage(set, t)
	return t
}

// coverage returns the number of traces behind the numbers, in words.
func (b Book) coverage(set Set, t Table) string {
	least, most := set.size(), 0
	for _, row := range t.Rows {
		least, most = min(least, row.Cells[0].Ours.N), max(most, row.Cells[0].Ours.N)
	}
	switch {
	case most == 0:
		return "Not run."
	case least == most:
		return fmt.Sprintf("%d of the report's %d traces.", most, set.size())
	}
	return fmt.Sprintf("%d to %d of the report's %d traces.", least, most, set.size())
}

// withFigure draws the distributions of the first column's measure.
func (t Table) withFigure() Table {
	boxes := chart.Boxes{Title: t.Title, X: chart.Axis{Title: t.Columns[0].Words, Log: true}}
	for _, row := range t.Rows {
		c := row.Cells[0]
		r := chart.Row{Name: row.Algorithm, Deciles: c.Ours.Deciles, Mean: c.Ours.Mean, Empty: !c.Run()}
		for _, e := range c.Ours.Worst {
			r.Extremes = append(r.Extremes, e.Value)
		}
		if p := c.Published(); p != nil {
			r.Reference = *p
		}
		boxes.Rows = append(boxes.Rows, r)
	}
	if slices.ContainsFunc(boxes.Rows, func(r chart.Row) bool { return !r.Empty }) {
		t.Figure = template.HTML(boxes.SVG()) // package chart escapes names
	}
	return t
}

// Tables returns the tables of a part.
func (b Book) Tables(p Part) (tables []Table) {
	switch p {
	case Table2:
		for _, set := range periodicSets {
			tables = append(tables, b.table("Table 2", "Degradation from bound, "+set.Title(), set, degradations).withFigure())
		}
	case Table3:
		for _, kind := range []struct {
			title   string
			columns []Column
		}{{"Bandwidth, GB/s", bandwidths}, {"Occurrences per hour", perHour}, {"Occurrences per job", perJob}} {
			tables = append(tables, b.table("Table 3", kind.title+", "+ScaledHigh.Title(), ScaledHigh, kind.columns))
		}
	case Table4:
		for _, set := range utilizationSet {
			tables = append(tables, b.table("Table 4", "Normalized underutilization, "+set.Title(), set, underused))
		}
	case Table5:
		tables = append(tables, b.table("Table 5", "Degradation from bound, "+Weeks.Title()+", all variants", Weeks,
			degradations))
	}
	return tables
}
