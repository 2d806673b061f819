package dfrs

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"aliquot/cluster"
	"aliquot/packing"
	"aliquot/policy"
)

// algorithm maps jobs to nodes at an event.
type algorithm uint8

const (
	none algorithm = iota
	greedy
	greedyP
	greedyPM
	mcb8
	mcb8Stretch
	weighed
)

// combination is a row of Table 1: the algorithm for each event.
type combination struct {
	name                         string
	submission, completion, tick algorithm
}

var table = []combination{
	{"Greedy *", greedy, greedy, none},
	{"GreedyP *", greedyP, greedy, none},
	{"GreedyPM *", greedyPM, greedy, none},
	{"Greedy/per", greedy, none, mcb8},
	{"GreedyP/per", greedyP, none, mcb8},
	{"GreedyPM/per", greedyPM, none, mcb8},
	{"Greedy */per", greedy, greedy, mcb8},
	{"GreedyP */per", greedyP, greedy, mcb8},
	{"GreedyPM */per", greedyPM, greedy, mcb8},
	{"MCB8 *", mcb8, mcb8, none},
	{"MCB8/per", mcb8, none, mcb8},
	{"MCB8 */per", mcb8, mcb8, mcb8},
	{"/per", none, none, mcb8},
	{"/stretch-per", none, none, mcb8Stretch},
	{"GreedyPM */stable", greedyPM, greedy, weighed}, // not in Table 1
}

// Policy is one algorithm of the family with its parameters.
type Policy struct {
	combination
	opt          string       // use of CPU beyond the least yield: min, avg or max
	minvt, minft cluster.Time // bounds below which MCB8 does not move a running job; zero: none
	period       cluster.Time
	// jobs and nodes to examine for exchanges at a tick
	effort int
	// its canonical name
	title string
	// arrivals and departures may concern few jobs
	incremental bool
	// packing.Average, or a test's replacement
	average func(p *packing.Problem, m packing.Mapping, level float64, weights []float64) ([]float64, error)
}

// New returns the algorithm of a row of Table 1 ("GreedyPM */per") with parameters as in the published names
// ("opt=min", "minvt=600", in seconds). period is that of the tick and must be positive for periodic rows. The error
// names the invalid part.
func New(row string, parameters []string, period cluster.Time) (*Policy, error) {
	i := slices.IndexFunc(table, func(c combination) bool { return c.name == row })
	if i < 0 {
		return nil, fmt.Errorf("%q is not in Table 1 of the DFRS algorithms", row)
	}
	p := &Policy{combination: table[i], period: period, effort: effort, average: packing.Average}
	for _, parameter := range parameters {
		if err := p.set(parameter); err != nil {
			return nil, err
		}
	}
	if p.opt == "" {
		p.opt = p.opts()[0]
	}
	if p.tick != none && period <= 0 {
		return nil, fmt.Errorf("%s decides periodically: its period must be above zero", p)
	}
	p.title, p.incremental = p.String(), p.isIncremental()
	return p, nil
}

// opts returns the optimizations of section 4.6, or 4.7, that the row supports, its default first.
func (p *Policy) opts() []string {
	if p.tick == mcb8Stretch {
		return []string{"max", "avg"}
	}
	return []string{"min", "avg"}
}

func (p *Policy) set(parameter string) error {
	key, value, _ := strings.Cut(parameter, "=")
	switch {
	case key == "opt":
		return p.optimize(value)
	case key == "minvt":
		return p.bound(&p.minvt, key, value)
	case key == "minft":
		return p.bound(&p.minft, key, value)
	}
	if parameter == "steady" {
		return fmt.Errorf("steady was replaced by GreedyPM */stable, which weighs the cost of moves")
	}
	if parameter == "" {
		return fmt.Errorf("nothing follows a slash: leave the slash out")
	}
	if meant := policy.Closest(key, []string{"opt", "minvt", "minft"}); meant != "" {
		return fmt.Errorf("unknown parameter %q: did you mean %q?", parameter, strings.Replace(parameter, key, meant, 1))
	}
	return fmt.Errorf("unknown parameter %q: there are opt=%s, minvt=SECONDS and minft=SECONDS", parameter,
		strings.Join(p.opts(), "|"))
}

func (p *Policy) optimize(value string) error {
	if p.opt != "" {
		return fmt.Errorf("opt is given twice")
	}
	if !slices.Contains(p.opts(), value) {
		return fmt.Errorf("opt is %q: %s", value, p.rightOpt(value))
	}
	p.opt = value
	return nil
}

func (p *Policy) rightOpt(value string) string {
	if meant := policy.Closest(value, []string{"min", "avg", "max"}); value != meant && slices.Contains(p.opts(), meant) {
		return fmt.Sprintf("did you mean %q?", "opt="+meant)
	}
	return fmt.Sprintf("%s has opt=%s", p.name, strings.Join(p.opts(), " and opt="))
}

func (p *Policy) bound(b *cluster.Time, key, value string) error {
	seconds, err := strconv.ParseUint(value, 10, 31)
	if err != nil || seconds == 0 {
		return fmt.Errorf("%s is %q, must be a whole number of seconds from 1 to %d", key, value, math.MaxInt32)
	}
	if !p.packs() {
		return fmt.Errorf("%s limits what MCB8 moves, but %s never runs MCB8: leave it out", key, p.name)
	}
	if *b != 0 {
		return fmt.Errorf("%s is given twice", key)
	}
	*b = cluster.Time(seconds) * cluster.Second
	return nil
}

// Ticks reports whether the policy decides periodically, so that its period matters.
func (p *Policy) Ticks() bool { return p.tick != none }

// packs reports whether the row ever maps all jobs anew.
func (p *Policy) packs() bool {
	return p.submission == mcb8 || p.tick == mcb8 || p.tick == mcb8Stretch
}

// String returns the canonical name, "GreedyPM */per/opt=min/minvt=600": the published name if there is one.
func (p *Policy) String() string {
	s := p.name + "/opt=" + p.opt
	if p.minvt > 0 {
		s += fmt.Sprintf("/minvt=%d", p.minvt/cluster.Second)
	}
	if p.minft > 0 {
		s += fmt.Sprintf("/minft=%d", p.minft/cluster.Second)
	}
	return s
}
