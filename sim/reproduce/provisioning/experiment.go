package provisioning

import "aliquot/sim/reproduce"

// Part is a chapter of the thesis.
type Part string

// The parts with experiments of their own.
const (
	slots  Part = "slots"  // chapter 3: what is advertised
	plans  Part = "plans"  // chapters 4 and 7: MOGA and greedy provisioning against best effort
	prices Part = "prices" // chapter 5: prices of single reservations
	ours   Part = "ours"   // the methods of this program
)

// Parts lists all parts in order.
func Parts() []Part { return []Part{slots, plans, prices, ours} }

// ParseParts parses names of parts in any case. Without names it returns all parts.
func ParseParts(names []string) ([]Part, error) { return reproduce.Choose(names, Parts()) }

// Experiment is one run of a setting.
type Experiment struct {
	Part   Part
	Kind   string // of ours: small, queries or large
	Procs  int    // of the machine
	Load   int    // of the machine, in percent
	Tasks  int    // of the workflow
	Mean   int    // of plans: processors of a task on average
	Alpha  int    // of prices: in quarters
	Share  int    // of prices: percent of the tasks that reserve
	Rule   string // of prices: the queue's: conservative or aggressive
	Number int    // of the stream
}

// Scope selects the part of the thesis to reproduce.
type Scope struct {
	Full  bool   // all streams, or a sample
	Parts []Part // in order
}

// Streams returns the number of streams of each setting.
func (s Scope) Streams() int {
	if s.Full {
		return 10
	}
	return 2
}

// Instances returns the number of instances for the goals of ours.
func (s Scope) Instances() int {
	if s.Full {
		return 50
	}
	return 4
}

const (
	conservative = "conservative"
	aggressive   = "aggressive"

	small   = "small"
	queries = "queries"
	large   = "large"
)

// The settings that figures vary, each beginning with the usual one.
var (
	loads  = []int{63, 76, 88}
	means  = []int{22, 3, 10, 30}
	counts = []int{100, 200}
	shares = []int{10, 50, 90}
)

// The settings of the experiments.
func planOf(load, mean, tasks int) Experiment {
	return Experiment{Part: plans, Procs: 430, Load: load, Mean: mean, Tasks: tasks}
}

func priceOf(load, alpha, share int, rule string) Experiment {
	return Experiment{Part: prices, Procs: 128, Load: load, Alpha: alpha, Share: share, Rule: rule}
}

func slotsOf(procs, load int) Experiment { return Experiment{Part: slots, Procs: procs, Load: load} }

func oursOf(kind string) Experiment { return Experiment{Part: ours, Kind: kind} }

// settings returns those of a part.
func settings(p Part) (all []Experiment) {
	switch p {
	case slots:
		return []Experiment{slotsOf(430, 63), slotsOf(128, 70)}
	case ours:
		return []Experiment{oursOf(small), oursOf(queries), oursOf(large)}
	case plans:
		for _, load := range loads {
			all = append(all, planOf(load, means[0], counts[0]))
		}
		for _, mean := range means[1:] {
			all = append(all, planOf(loads[0], mean, counts[0]))
		}
		for _, n := range counts[1:] {
			all = append(all, planOf(loads[0], means[0], n))
		}
		return all
	}
	for alpha := range 5 {
		for _, load := range loads {
			all = append(all, priceOf(load, alpha, shares[0], conservative))
		}
		all = append(all, priceOf(loads[0], alpha, 50, conservative), priceOf(loads[0], alpha, shares[0], aggressive))
	}
	return append(all, priceOf(loads[0], 0, 90, conservative))
}

// numbers returns the runs of a setting.
func (s Scope) numbers(e Experiment) (all []Experiment) {
	n := s.Streams()
	if e.Part == ours {
		n = s.Instances()
	}
	for number := range n {
		e.Number = number
		all = append(all, e)
	}
	return all
}

// Experiments returns the experiments of the scope.
func (s Scope) Experiments() (all []Experiment) {
	for _, p := range s.Parts {
		for _, e := range settings(p) {
			all = append(all, s.numbers(e)...)
		}
	}
	return all
}
