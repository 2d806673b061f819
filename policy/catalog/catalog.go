package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"aliquot/cluster"
	"aliquot/policy"
	"aliquot/policy/backfill"
	"aliquot/policy/deadline"
	"aliquot/policy/dfrs"
	"aliquot/policy/harvest"
	"aliquot/policy/reserve"
	"aliquot/policy/tiered"
)

// constructor returns the policy of a row with the parameters of its name.
type constructor func(row string, parameters []string, period cluster.Time) (policy.Policy, error)

// family is a package of policies.
type family struct {
	name      string
	construct constructor
}

var (
	batch      = family{"backfill", harvesting(from(backfill.New))}
	fractional = family{"dfrs", harvesting(from(dfrs.New))}
	twoTiers   = family{"tiered", from(tiered.New)}
	advance    = family{"reserve", harvesting(from(reserve.New))}
	shared     = family{"reserve", harvesting(from(deadline.New))}
	ranked     = family{"tiered", from(tiered.NewAttained)}
)

// row describes a name without parameters: its family, and its effect in one line.
type row struct {
	family
	about string
}

var rows = map[string]row{
	"FCFS":                         {batch, "jobs get whole nodes in the order of submission; no job overtakes another"},
	"EASY":                         {batch, "like FCFS, but a job may overtake if the first in the queue is not delayed"},
	"EASY/no-reserved":             {batch, "like EASY, but nothing overtakes on nodes kept for the first in the queue"},
	"conservative":                 {batch, "like FCFS, but a job may overtake if no earlier job is delayed"},
	"FCFS/cores":                   {batch, "like FCFS, but tasks take whole cores, and jobs share nodes"},
	"EASY/cores":                   {batch, "like EASY, but tasks take whole cores, and jobs share nodes"},
	"conservative/cores":           {batch, "like conservative, but tasks take whole cores, and jobs share nodes"},
	"FCFS/cores/exclusive":         {batch, "like FCFS/cores, but all tasks on a node are of one job"},
	"EASY/cores/exclusive":         {batch, "like EASY/cores, but all tasks on a node are of one job"},
	"conservative/cores/exclusive": {batch, "like conservative/cores, but all tasks on a node are of one job"},
	"KEASY": {twoTiers,
		"like EASY, with waiting jobs in the background, killed there when they may start"},
	"MEASY":          {twoTiers, "like KEASY, but jobs move from the background instead of being killed"},
	"REASY":          {twoTiers, "like KEASY, but jobs stay on their nodes until these are free"},
	"reserve/FF":     {advance, "in simulations: nodes are reserved until a deadline; at the earliest start"},
	"reserve/PE_B":   {advance, "like reserve/FF, but at the start with the fewest free nodes"},
	"reserve/PE_W":   {advance, "like reserve/FF, but at the start with the most free nodes"},
	"reserve/Du_B":   {advance, "like reserve/FF, but where nodes are free for the shortest time"},
	"reserve/Du_W":   {advance, "like reserve/FF, but where nodes are free for the longest time"},
	"reserve/PEDu_B": {advance, "like reserve/FF, but where nodes times their free time is least"},
	"reserve/PEDu_W": {advance, "like reserve/FF, but where nodes times their free time is greatest"},
	deadline.Name:    {shared, "in simulations: jobs are done by their deadlines on shares of nodes that change"},
	"attained": {ranked,
		"jobs that have run least are in the foreground, others below; no estimates"},
	"Greedy *":       {fractional, "a job goes to the least loaded nodes that fit; none is paused or moved for it"},
	"GreedyP *":      {fractional, "like Greedy *, but jobs of lower priority may be paused to make room"},
	"GreedyPM *":     {fractional, "like GreedyP *, but a job that would be paused moves if it fits elsewhere"},
	"Greedy/per":     {fractional, "Greedy for new jobs; every period, all jobs are placed anew"},
	"GreedyP/per":    {fractional, "GreedyP for new jobs; every period, all jobs are placed anew"},
	"GreedyPM/per":   {fractional, "GreedyPM for new jobs; every period, all jobs are placed anew"},
	"Greedy */per":   {fractional, "like Greedy *; and every period, all jobs are placed anew"},
	"GreedyP */per":  {fractional, "like GreedyP *; and every period, all jobs are placed anew"},
	"GreedyPM */per": {fractional, "like GreedyPM *; and every period, all jobs are placed anew"},
	"GreedyPM */stable": {fractional,
		"like GreedyPM *; every period, jobs move where that gains more than it costs"},
	"MCB8 *":     {fractional, "all jobs are placed anew whenever one comes or ends"},
	"MCB8/per":   {fractional, "all jobs are placed anew whenever one comes, and every period"},
	"MCB8 */per": {fractional, "all jobs are placed anew whenever one comes or ends, and every period"},
	"/per":       {fractional, "all jobs are placed anew every period; new jobs wait for it"},
	"/stretch-per": {fractional,
		"like /per, but for the least slowdown of the worst-off job (stretch)"},
}

func from[P policy.Policy](construct func(string, []string, cluster.Time) (P, error)) constructor {
	return func(row string, parameters []string, period cluster.Time) (policy.Policy, error) {
		return construct(row, parameters, period)
	}
}

// harvesting adds a rule for jobs of other classes than standard to a family that has none.
func harvesting(construct constructor) constructor {
	return func(row string, parameters []string, period cluster.Time) (policy.Policy, error) {
		p, err := construct(row, parameters, period)
		if err != nil {
			return nil, err
		}
		return harvest.Policy{Policy: p}, nil
	}
}

// Parse returns the policy with that published name. period is the period of its tick, if it has one. The error for
// an unknown name suggests the closest name, or lists all.
func Parse(name string, period cluster.Time) (policy.Policy, error) {
	head, parameters := split(name)
	r, ok := rows[head]
	if !ok {
		return nil, fmt.Errorf("there is no policy %q: %s", name, advice(head))
	}
	p, err := r.construct(head, parameters, period)
	if err != nil {
		return nil, fmt.Errorf("policy %q: %w", name, err)
	}
	return policy.Keeper{Policy: p}, nil
}

// ParseLive is Parse for a cluster of real nodes. It refuses policies that run in simulations only.
func ParseLive(name string, period cluster.Time) (policy.Policy, error) {
	p, err := Parse(name, period)
	if err == nil && simulated(p) {
		return nil, fmt.Errorf(
			"%v runs in simulations of streams only: it makes promises of whole nodes, which only simulations keep", p)
	}
	return p, err
}

// simulated reports whether the policy needs promises, so that it runs in simulations only.
func simulated(p policy.Policy) bool {
	promising, ok := published(p).(interface{ Promises() bool })
	return ok && promising.Promises()
}

// Refusal returns why the policy with that name would refuse the job once it may be placed; nil: it would not.
func Refusal(name string, v *cluster.View, j *cluster.Job) *cluster.Reason {
	p, err := Parse(name, cluster.Second)
	if err != nil {
		return nil
	}
	if list := policy.Refusals(p, v, []*cluster.Job{j}); len(list) > 0 {
		return &list[0].Reason
	}
	return nil
}

// published returns the policy that decides on standard jobs without a promise.
func published(p policy.Policy) policy.Policy {
	if k, wrapped := p.(policy.Keeper); wrapped {
		p = k.Policy
	}
	if h, wrapped := p.(harvest.Policy); wrapped {
		return h.Policy
	}
	return p
}

// Live reports whether the policy with that name runs in a live cluster.
func Live(name string) bool {
	_, err := ParseLive(name, cluster.Second)
	return err == nil
}

// Ticks reports whether the policy with that name decides periodically, so that its period matters.
func Ticks(name string) bool {
	p, err := Parse(name, cluster.Second)
	periodic, ok := p.(interface{ Ticks() bool })
	return err == nil && ok && periodic.Ticks()
}

// Names lists the names without parameters, in order.
func Names() []string { return slices.Sorted(maps.Keys(rows)) }

// About describes the policy of a name without parameters in one line; "" for any other name.
func About(name string) string { return rows[name].about }

// Family returns the family of a name without parameters, like its document in docs/policies: backfill, dfrs, reserve
// or tiered; "" for any other name.
func Family(name string) string { return rows[name].family.name }

// split splits a name into its row, with canonical blanks and case, and its parameters. The row is the longest prefix
// that names one; for an unknown name, everything before the first "=".
func split(name string) (row string, parameters []string) {
	parts := strings.Split(name, "/")
	unknown := len(parts)
	for i, part := range parts {
		part = strings.TrimSpace(part)
		if base, starred := strings.CutSuffix(part, "*"); starred {
			part = strings.TrimSpace(base) + " *"
		}
		if strings.Contains(part, "=") {
			unknown = min(unknown, i)
		}
		parts[i] = part
	}
	for n := len(parts); n > 0; n-- {
		if head, ok := spelt(strings.Join(parts[:n], "/")); ok && !longer(head, parts[n:]) {
			return head, parts[n:]
		}
	}
	return strings.Join(parts[:unknown], "/"), parts[unknown:]
}

// spelt returns the row with that name, ignoring case.
func spelt(name string) (row string, ok bool) {
	for row := range rows { // no two rows differ by case alone
		if strings.EqualFold(row, name) {
			return row, true
		}
	}
	return "", false
}

// longer reports whether the text behind a row looks like the misspelt rest of another row.
func longer(row string, rest []string) bool {
	if len(rest) == 0 || strings.Contains(rest[0], "=") {
		return false
	}
	var ends []string
	for name := range rows {
		if end, ok := strings.CutPrefix(name, row+"/"); ok {
			ends = append(ends, end)
		}
	}
	return policy.Closest(rest[0], ends) != ""
}

// elsewhere maps names used in papers and in conversation to the names used here.
var elsewhere = map[string]string{
	"MCB8-stretch": "/stretch-per", "stretch": "/stretch-per", "per": "/per",
	"EASY backfilling": "EASY", "backfilling": "EASY", "conservative backfilling": "conservative",
	"first come first served": "FCFS", "FIFO": "FCFS",
}

func advice(row string) string {
	closest := policy.Closest(row, append(Names(), slices.Sorted(maps.Keys(elsewhere))...))
	if meant, ok := elsewhere[closest]; ok {
		closest = meant
	}
	if closest != "" {
		return fmt.Sprintf("did you mean %q?", closest)
	}
	return "there are " + strings.Join(Names(), ", ")
}
