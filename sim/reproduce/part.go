package reproduce

import (
	"cmp"
	"slices"
)

// Part is a table or figure of the report.
type Part string

// The parts; the values are the names that select them.
const (
	Table2    Part = "table2"
	Table3    Part = "table3"
	Table4    Part = "table4"
	Table5    Part = "table5"
	Figure1   Part = "fig1"
	Figure3   Part = "fig3"
	Figure4   Part = "fig4"
	Times     Part = "times"
	AppendixB Part = "appendixb"
)

// Parts lists all parts in the order of the page.
var Parts = []Part{Table2, Figure1, Times, Table3, Table4, Figure3, Figure4, AppendixB, Table5}

// ParseParts parses names of parts in any case; without names it returns all parts.
func ParseParts(names []string) ([]Part, error) { return Choose(names, Parts) }

// The algorithms that the report singles out, and both kinds of EASY: the standard one, and the one of the report's
// numbers, which never backfills onto reserved nodes.
const (
	Best        = "GreedyPM */per/opt=min/minvt=600"
	second      = "GreedyP */per/opt=min/minvt=600"
	EASY        = "EASY"
	EASYOfPaper = "EASY/no-reserved"
	fastest     = "MCB8 */opt=min" // section 6.2: it runs MCB8 most often
)

// family is a group of algorithms that a figure shows together.
type family struct {
	title string
	names []string
}

// figure1 lists the algorithms of Figure 1: its text names the Greedy and GreedyPM versions, all with opt=min.
var figure1 = []family{
	{"Batch scheduling", []string{"FCFS", EASYOfPaper, EASY}},
	{"Greedy, without MCB8", []string{"Greedy */opt=min", "GreedyPM */opt=min"}},
	{"Greedy, and MCB8 at every tick", []string{"Greedy/per/opt=min", "GreedyPM/per/opt=min", "Greedy */per/opt=min",
		"GreedyPM */per/opt=min"}},
	{"The same, where MCB8 spares young jobs", []string{"GreedyPM/per/opt=min/minvt=600", Best}},
	{"MCB8 on events", []string{"MCB8 */opt=min/minvt=600", "MCB8/per/opt=min/minvt=600", "MCB8 */per/opt=min/minvt=600"}},
	{"Only at ticks", []string{"/per/opt=min/minvt=600", "/stretch-per/opt=max/minvt=600"}},
}

func figure1Names() (names []string) {
	for _, f := range figure1 {
		names = append(names, f.names...)
	}
	return names
}

// usual is the period, in seconds, of all figures except those about periods (section 5.1).
const usual = 600

// Periods of Figures 3 and 4, and the further ones of Appendix B. The report names the ends: 900 s, one hour and
// 15,000 s.
var (
	figurePeriods  = []float64{600, 900, 1200, 1800, 2400, 3600, 4800, 6000, 7200, 9000, 12000}
	samplePeriods  = []float64{600, 900, 1200, 1800, 3600, 6000, 12000}
	beyondPeriods  = []float64{15000, 18000, 24000, 36000}
	periodicSets   = []Set{Weeks, Unscaled, Scaled}
	utilizationSet = []Set{Weeks, Unscaled, Scaled, Log}
)

// logPeriods are the periods at which Figure 3 also shows the unsplit log. Under shorter periods jobs pay penalties
// for so long that the cluster falls behind the log's submissions.
var logPeriods = []float64{1800, 3600, 6000, 12000}

// need is a group of experiments that a part requires.
type need struct {
	sets     []Set
	policies []string
	periods  []float64
}

// needs returns the experiments that a part requires.
func (s Scope) needs(p Part) []need {
	periods := samplePeriods
	if s.Full {
		periods = figurePeriods
	}
	pair := []string{EASY, EASYOfPaper}
	now := []float64{usual}
	switch p {
	case Table2:
		return []need{{periodicSets, withPair(algorithms("Table 2")), now}}
	case Table3:
		return []need{{[]Set{ScaledHigh}, withPair(algorithms("Table 3")), now}}
	case Table4:
		return []need{{utilizationSet, withPair(algorithms("Table 4")), now}}
	case Table5:
		return []need{{[]Set{Weeks}, withPair(algorithms("Table 5")), now}}
	case Figure1:
		return []need{{[]Set{Scaled}, figure1Names(), now}}
	case Figure3:
		return []need{{periodicSets, []string{Best}, periods}, {utilizationSet, pair, now},
			{[]Set{Log}, []string{Best}, logPeriods}}
	case Figure4:
		return []need{{periodicSets, []string{Best}, periods}}
	case Times:
		return []need{{[]Set{Unscaled}, []string{fastest}, now}}
	case AppendixB:
		return []need{{periodicSets, []string{Best}, slices.Concat(periods, beyondPeriods)}, {periodicSets, pair, now}}
	}
	return nil
}

// withPair inserts the EASY of the report's numbers in front of the standard one.
func withPair(names []string) (all []string) {
	for _, name := range names {
		if name == EASY {
			all = append(all, EASYOfPaper)
		}
		all = append(all, name)
	}
	return all
}

// Experiment is a trace under an algorithm, named as in the report, with a period in seconds.
type Experiment struct {
	Trace
	Algorithm string
	Period    float64
}

// Compare orders experiments by trace, algorithm and period.
func (e Experiment) Compare(o Experiment) int {
	return cmp.Or(e.Trace.Compare(o.Trace), cmp.Compare(e.Algorithm, o.Algorithm), cmp.Compare(e.Period, o.Period))
}

// Experiments returns the experiments of the scope, each once, trace by trace.
func (s Scope) Experiments() []Experiment {
	traces := s.traces()
	seen := map[Experiment]bool{}
	for _, p := range s.Parts {
		for _, n := range s.needs(p) {
			for _, t := range traces {
				if slices.ContainsFunc(n.sets, t.In) {
					n.add(t, seen)
				}
			}
		}
	}
	all := make([]Experiment, 0, len(seen))
	for e := range seen {
		all = append(all, e)
	}
	slices.SortFunc(all, Experiment.Compare)
	return all
}

func (n need) add(t Trace, seen map[Experiment]bool) {
	for _, policy := range n.policies {
		for _, period := range n.periods {
			seen[Experiment{t, policy, period}] = true
		}
	}
}
