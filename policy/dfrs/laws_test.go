package dfrs_test

import (
	"fmt"
	"strings"
	"testing"

	"aliquot/cluster"
	"aliquot/policy"
	"aliquot/policy/catalog"
	"aliquot/policy/policytest"
)

const period = 30 * cluster.Second

func parse(t *testing.T, name string) policy.Policy {
	t.Helper()
	p, err := catalog.Parse(name, period)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// combinations maps the rows of Table 1 that divide CPU max-min fairly to their plain form.
var combinations = map[string]plain{
	"Greedy *":               {greedy: true, restart: true},
	"GreedyP *":              {greedy: true, preempt: true, restart: true},
	"GreedyPM *":             {greedy: true, preempt: true, move: true, restart: true},
	"Greedy/per":             {greedy: true, period: period},
	"GreedyP/per":            {greedy: true, preempt: true, period: period},
	"GreedyPM/per":           {greedy: true, preempt: true, move: true, period: period},
	"Greedy */per":           {greedy: true, restart: true, period: period},
	"GreedyP */per/minft=30": {greedy: true, preempt: true, restart: true, period: period, minft: 30 * cluster.Second},
	"GreedyPM */per/minvt=20": {greedy: true, preempt: true, move: true, restart: true, period: period,
		minvt: 20 * cluster.Second},
	"GreedyPM */per/minvt=9": {greedy: true, preempt: true, move: true, restart: true, period: period,
		minvt: 9 * cluster.Second},
	"MCB8 *":              {packOnSubmission: true, packOnEnd: true},
	"MCB8/per":            {packOnSubmission: true, period: period},
	"MCB8 */per/minvt=10": {packOnSubmission: true, packOnEnd: true, period: period, minvt: 10 * cluster.Second},
	"/per":                {period: period},
}

func TestEveryCombinationKeepsTheLawsAndDecidesAsItIsPlainlyWritten(t *testing.T) {
	for name, as := range combinations {
		promises := []policytest.Promise{sharesAreMaxMin, sameAsPlain(as)}
		if name == "GreedyP *" || name == "GreedyPM *" {
			promises = append(promises, submissionsAreAdmitted)
		}
		if as.greedy && as.restart && (as.move || !as.preempt) { // GreedyP pauses whom GreedyPM moves
			promises = append(promises, nobodyWaitsBesideRoom)
		}
		t.Run(name, func(t *testing.T) { policytest.Check(t, parse(t, name), promises...) })
	}
}

func TestThePolicyThatWeighsKeepsTheLaws(t *testing.T) {
	policytest.Check(t, parse(t, "GreedyPM */stable"), sharesAreMaxMin, nobodyWaitsBesideRoom)
	t.Run("opt=avg", func(t *testing.T) { policytest.CheckBriefly(t, parse(t, "GreedyPM */stable/opt=avg"), 4) })
}

func TestOtherOptimizationsKeepTheLaws(t *testing.T) {
	for _, name := range []string{"GreedyPM */per/opt=avg", "/stretch-per/opt=max", "/stretch-per/opt=avg"} {
		t.Run(name, func(t *testing.T) { policytest.Check(t, parse(t, name)) })
	}
}

func TestAll116VariantsOfTheReportGoByTheirNamesAndKeepTheLaws(t *testing.T) {
	names := policytest.Variants()
	if len(names) != 116 {
		t.Fatalf("%d variants", len(names))
	}
	for _, name := range names {
		p := parse(t, name)
		if got := fmt.Sprint(p); got != name {
			t.Errorf("%q calls itself %q", name, got)
		}
		t.Run(name, func(t *testing.T) { policytest.CheckBriefly(t, p, 4) })
	}
}

func TestNoVariantLooksAtRunTimes(t *testing.T) {
	rows := map[string][]policy.Policy{}
	for _, name := range append(policytest.Variants(), "MCB8 */opt=avg/minft=20", "GreedyPM */per/opt=min/minvt=20",
		"GreedyPM */stable") {
		row, _, _ := strings.Cut(name, "/opt=")
		rows[row] = append(rows[row], parse(t, name))
	}
	for row, policies := range rows {
		t.Run(row, func(t *testing.T) { policytest.CheckBlind(t, policies...) })
	}
}

// sharesAreMaxMin checks that every job with less than its need is on a full node where no other job has a larger
// yield, apart from smallest shares and rounding.
func sharesAreMaxMin(v *cluster.View, d policy.Decision) error {
	left, tasks, over := remains(v, d)
	for id, p := range d.Target.All() {
		need := v.Job(id).Spec.Need
		stopped := p.Cap == need || p.Cap == v.Job(id).Spec.MinShare()
		for _, n := range p.Nodes {
			stopped = stopped || n != 0 && p.Cap == v.Node(n).Ceiling(v.Job(id).Spec)
			if n != 0 && (over[n] || left[n] < tasks[n] && !hasLargerYield(v, d, p, need, n)) {
				stopped = true
			}
		}
		if !stopped {
			return fmt.Errorf("%v has %v of %v and could have more", id, p.Cap, need)
		}
	}
	return nil
}

// remains returns, per node, the CPU left by its tasks, the number of its tasks, and whether the tasks' needs exceed
// its CPU.
func remains(v *cluster.View, d policy.Decision) (left, tasks map[cluster.NodeID]cluster.CPU,
	over map[cluster.NodeID]bool) {
	left, tasks, over = map[cluster.NodeID]cluster.CPU{}, map[cluster.NodeID]cluster.CPU{}, map[cluster.NodeID]bool{}
	for n := range v.Nodes() {
		left[n.ID] = n.Capacity().CPU
	}
	for _, p := range d.Target.All() {
		for _, n := range p.Nodes {
			left[n] -= p.Cap
			tasks[n]++
			over[n] = over[n] || left[n] < 0
		}
	}
	return left, tasks, over
}

// hasLargerYield reports whether another job on the node has a larger yield than this placement.
func hasLargerYield(v *cluster.View, d policy.Decision, p *cluster.Placement, need cluster.CPU,
	node cluster.NodeID) bool {
	for id, q := range d.Target.All() {
		s := v.Job(id).Spec
		if q.Cap == s.MinShare() {
			continue
		}
		for _, n := range q.Nodes {
			if n == node && float64(q.Cap) > float64(p.Cap+1)/float64(need)*float64(s.Need)+1 {
				return true
			}
		}
	}
	return false
}

// submissionsAreAdmitted checks that a submitted job waits only if it does not fit beside the jobs of higher priority
// and those that are stuck. It applies when the store has room for all jobs.
func submissionsAreAdmitted(v *cluster.View, d policy.Decision) error {
	if v.Spare() < 1<<40 {
		return nil
	}
	for _, id := range v.Pending().Submitted {
		if j := v.Job(id); d.Target.Get(id) == nil {
			above := func(k *cluster.Job) bool { return v.Stuck(k) || byPriority(k, j, v.At) < 0 }
			if fit := slotsBeside(v, d, j, above); fit >= j.Live() {
				return fmt.Errorf("%v waits, but there is room for %d tasks beside those above it", id, fit)
			}
		}
	}
	return nil
}

// nobodyWaitsBesideRoom checks that no job waits although nodes have the memory for all its tasks beside those that
// hold it, whenever something ended or a node changed.
func nobodyWaitsBesideRoom(v *cluster.View, d policy.Decision) error {
	if why := v.Pending(); !why.Ended && !why.NodesChanged {
		return nil
	}
	for j := range v.Candidates() {
		if d.Target.Get(j.ID) == nil {
			if fit := slotsBeside(v, d, j, func(*cluster.Job) bool { return true }); fit >= j.Live() {
				return fmt.Errorf("%v waits, but there is room for %d of its tasks", j.ID, fit)
			}
		}
	}
	return nil
}

// slotsBeside returns how many tasks of the job fit beside the jobs that count.
func slotsBeside(v *cluster.View, d policy.Decision, j *cluster.Job, counts func(*cluster.Job) bool) (slots int) {
	for n := range v.Nodes() {
		c := n.Capacity()
		for id, p := range d.Target.All() {
			k := v.Job(id)
			for _, at := range p.Nodes {
				if at == n.ID && counts(k) {
					c.Memory -= v.Charge(k.Spec)
					c.CPU -= k.Spec.MinShare()
				}
			}
		}
		fit := max(0, min(int(c.Memory/v.Charge(j.Spec)), int(c.CPU/j.Spec.MinShare())))
		if !v.Allowing(j)(n) {
			fit = 0
		}
		if v.Condition(n) != cluster.NodeOpen {
			fit = min(fit, stayers(v, j, n))
		}
		if j.Spec.Placement.Spread {
			fit = min(fit, 1)
		}
		slots += fit
	}
	return slots
}
