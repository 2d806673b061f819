package reproduce

import (
	"fmt"
	"math"
	"strings"

	"aliquot/sim/sweep"
	"aliquot/wording"
)

// Check is a property that every faithful reproduction has, regardless of how the log was cleaned and of the seeds.
type Check struct {
	What     string `json:"what"`
	Measured string `json:"measured"` // measured value in words; empty: not run
	Sample   bool   `json:"sample"`   // measured on a sample, so a property of all traces is not judged
	Holds    bool   `json:"holds"`    // judged and true
}

// Verdict returns the result of the check in words.
func (c Check) Verdict() string {
	switch {
	case c.Measured == "":
		return "not run"
	case c.Sample:
		return "sample only: judged with --full"
	case c.Holds:
		return "holds"
	}
	return "does not hold"
}

// Checks returns all checks. They concern whole sets of traces, so a sample shows its numbers and decides nothing: a
// few traces hold most of the weight of a heavy tail.
func (b Book) Checks() []Check {
	checks := b.measuredChecks()
	for i := range checks {
		if c := &checks[i]; !b.Scope.Full && c.Measured != "" {
			c.Sample, c.Holds = true, false
		}
	}
	return checks
}

func (b Book) measuredChecks() []Check {
	checks := []Check{
		b.between("Mean degradation of "+Best+", HPC2N weeks", Weeks, Best, "degradation", 4.2, 8.6),
		b.between("Mean degradation of "+Best+", unscaled synthetic traces", Unscaled, Best, "degradation", 3.6, 6.5),
	}
	for _, set := range periodicSets {
		checks = append(checks, b.near(set, "FCFS", "Table 2", "degradation", .3))
	}
	return append(checks,
		b.order(),
		b.ahead(Weeks), b.ahead(Unscaled),
		b.near(Weeks, Best, "Table 4", "underutilization", .15),
		b.near(Unscaled, Best, "Table 4", "underutilization", .15),
		b.near(Weeks, EASYOfPaper, "Table 4", "underutilization", .10),
	)
}

func (b Book) between(what string, set Set, algorithm, words string, low, high float64) Check {
	c := Check{What: fmt.Sprintf("%s: between %g and %g", what, low, high)}
	if d := b.over(set, algorithm, usual, measure(words)); d.N > 0 {
		c.Measured, c.Holds = wording.Number(d.Mean), low <= d.Mean && d.Mean <= high
	}
	return c
}

// near checks the report's mean within a tolerance.
func (b Book) near(set Set, algorithm, source, words string, tolerance float64) Check {
	cell := b.cell(source, set, algorithm, words, "mean")
	c := Check{What: fmt.Sprintf("Mean %s of %s, %s: within %.0f%% of %s", words, algorithm, set.Title(), 100*tolerance,
		wording.Number(cell.paper))}
	if cell.Run() {
		c.Measured = fmt.Sprintf("%s (%+.0f%%)", wording.Number(cell.Value()), 100*(cell.Value()/cell.paper-1))
		c.Holds = math.Abs(cell.Value()/cell.paper-1) <= tolerance
	}
	return c
}

// alike is the greatest ratio of means that count as about equal.
const alike = 1.25

// order checks the report's ranking over the weeks.
func (b Book) order() Check {
	c := Check{What: "Mean degradation, HPC2N weeks: FCFS > EASY > Greedy * > /per ≈ /stretch-per > greedy with /per without minvt > " + Best}
	groups := [][]string{
		{"FCFS"}, {EASY, EASYOfPaper}, {"Greedy */opt=min"}, {"/per/opt=min/minvt=600", "/stretch-per/opt=max/minvt=600"},
		{"Greedy/per/opt=min", "GreedyP/per/opt=min", "GreedyPM/per/opt=min", "Greedy */per/opt=min", "GreedyP */per/opt=min",
			"GreedyPM */per/opt=min"},
		{Best},
	}
	var words []string
	floor := math.Inf(1)
	c.Holds = true
	for i, group := range groups {
		low, high := math.Inf(1), math.Inf(-1)
		for _, name := range group {
			d := b.over(Weeks, name, usual, measure("degradation"))
			if d.N == 0 {
				return Check{What: c.What}
			}
			low, high = min(low, d.Mean), max(high, d.Mean)
		}
		c.Holds = c.Holds && high < floor && (i != 3 || high <= alike*low)
		floor = low
		word := wording.Number(low)
		if len(group) > 1 {
			word += "–" + wording.Number(high)
		}
		words = append(words, word)
	}
	c.Measured = strings.Join(words, " > ")
	return c
}

// ahead checks that the best algorithm's maximum stretch is at most a hundredth of standard EASY's.
func (b Book) ahead(set Set) Check {
	c := Check{What: fmt.Sprintf("%s ahead of standard EASY by 100 times or more, %s", Best, set.Title())}
	mean := func(name string) sweep.Distribution { return b.over(set, name, usual, measure("degradation")) }
	if easy, best := mean(EASY), mean(Best); easy.N > 0 && best.N > 0 {
		c.Measured, c.Holds = wording.Number(easy.Mean/best.Mean)+" times", easy.Mean >= 100*best.Mean
	}
	return c
}
