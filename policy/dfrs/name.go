package dfrs

import (
	"fmt"
	"strconv"
	"strings"

	"aliquot/cluster"
)

// algorithm is what maps jobs to nodes when something happens.
type algorithm uint8

const (
	none algorithm = iota
	greedy
	greedyP
	greedyPM
	mcb8
)

// combination is a row of Table 1: what is done on which event.
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
}

// Policy is one algorithm of the family with its parameters.
type Policy struct {
	combination
	minvt, minft cluster.Time // bounds below which MCB8 does not move a running job; zero: none
	period       cluster.Time
}

// New returns the algorithm of that row of Table 1 ("GreedyPM */per") with parameters as in
// the published names ("opt=min", "minvt=600", in seconds). The period, that of the tick,
// must be above zero for the periodic ones. An error says which part is wrong.
func New(row string, parameters []string, period cluster.Time) (*Policy, error) {
	p := &Policy{period: period}
	for _, c := range table {
		if c.name == row {
			p.combination = c
		}
	}
	if p.name == "" {
		return nil, fmt.Errorf("%q is not in Table 1 of the DFRS algorithms", row)
	}
	for _, parameter := range parameters {
		if err := p.set(parameter); err != nil {
			return nil, err
		}
	}
	if p.tick != none && period <= 0 {
		return nil, fmt.Errorf("%s decides periodically: its period must be above zero", p)
	}
	return p, nil
}

func (p *Policy) set(parameter string) error {
	key, value, _ := strings.Cut(parameter, "=")
	switch key {
	case "opt":
		return checkOpt(value)
	case "minvt":
		return p.bound(&p.minvt, key, value)
	case "minft":
		return p.bound(&p.minft, key, value)
	}
	return fmt.Errorf("unknown parameter %q: there are opt=min, minvt=SECONDS and minft=SECONDS", parameter)
}

func checkOpt(value string) error {
	switch value {
	case "min":
		return nil
	case "avg":
		return fmt.Errorf("opt=avg is not available yet: use opt=min")
	}
	return fmt.Errorf("opt is %q: use opt=min", value)
}

func (p *Policy) bound(b *cluster.Time, key, value string) error {
	seconds, err := strconv.ParseUint(value, 10, 31)
	if err != nil || seconds == 0 {
		return fmt.Errorf("%s is %q, must be a whole number of seconds above zero", key, value)
	}
	if p.submission != mcb8 && p.tick != mcb8 {
		return fmt.Errorf("%s limits what MCB8 moves, but %s never runs MCB8: leave it out", key, p.name)
	}
	if *b != 0 {
		return fmt.Errorf("%s is given twice", key)
	}
	*b = cluster.Time(seconds) * cluster.Second
	return nil
}

// String is the canonical published name: "GreedyPM */per/opt=min/minvt=600".
func (p *Policy) String() string {
	s := p.name + "/opt=min"
	if p.minvt > 0 {
		s += fmt.Sprintf("/minvt=%d", p.minvt/cluster.Second)
	}
	if p.minft > 0 {
		s += fmt.Sprintf("/minft=%d", p.minft/cluster.Second)
	}
	return s
}
