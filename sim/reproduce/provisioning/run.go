package provisioning

import (
	"fmt"
	"slices"
	"time"

	"aliquot/policy/market"
)

// Result has the numbers of an experiment by name.
type Result struct {
	Numbers map[string]float64
	Seconds float64 // of work on one core
}

// Run runs an experiment. The clock measures its time.
func Run(e Experiment, clock func() time.Duration) (Result, error) {
	from := clock()
	r := Result{Numbers: map[string]float64{}}
	var err error
	switch e.Part {
	case slots:
		e.advertise(r.Numbers)
	case plans:
		err = e.plan(r.Numbers)
	case prices:
		e.trade(r.Numbers)
	default:
		err = e.compare(r.Numbers, clock)
	}
	if err != nil {
		return r, fmt.Errorf("%+v: %w", e, err)
	}
	r.Seconds = (clock() - from).Seconds()
	return r, nil
}

// alphas are the weights of the figures.
var alphas = market.Alphas

// plan compares MOGA and greedy provisioning with best effort on one machine.
func (e Experiment) plan(numbers map[string]float64) error {
	dice := e.dice()
	site, later := snapshot(e.Procs, e.arrivals(dice), begin)
	w := workflow(dice, e.Tasks, e.Mean)
	q := &market.Queried{Workflow: w, Sites: []market.Site{site}}
	a := &market.Advertised{Workflow: w, Sites: 1, Slots: market.Open(&site).Advertise(0)}
	effort, _ := q.BestEffortAmid(later)
	front := a.MOGA(1)
	add := func(name string, i int, p market.Plan) {
		numbers[fmt.Sprint(name, " makespan ", i)] = float64(p.Makespan) / float64(effort.Makespan)
		numbers[fmt.Sprint(name, " cost ", i)] = float64(p.Cost) / float64(effort.Cost)
	}
	for i, alpha := range alphas {
		p := front.Choose(alpha)
		if err := a.Check(p); err != nil {
			return err
		}
		add("moga", i, p)
		g, _ := q.Greedy(alpha)
		add("greedy", i, g)
	}
	return nil
}

// advertise counts the slots of a machine every six hours, and the tasks that figure 2 of the thesis begins later than
// conservative backfilling.
func (e Experiment) advertise(numbers map[string]float64) {
	all := e.arrivals(e.dice())
	var counts, present []float64
	narrow, total := 0, 0
	for now := market.Time(2 * day); now < finish-day; now += day / 4 {
		s, _ := snapshot(e.Procs, all, now)
		offered := market.Open(&s).Advertise(0)
		counts, present = append(counts, float64(len(offered))), append(present, float64(len(s.Running)+len(s.Queue)))
		for _, slot := range offered {
			if total++; slot.Procs <= 10 {
				narrow++
			}
		}
	}
	numbers["slots"], numbers["correlation"] = mean(counts), correlation(counts, present)
	numbers["narrow"] = float64(narrow) / float64(total)
	numbers["missed"] = float64(missed(e.Procs, all)) / float64(len(all))
}

// missed returns the number of tasks that figure 2 begins later than is possible by the count of processors.
func missed(procs int, all []market.Arrival) (n int) {
	provider, free := market.NewProvider(procs), market.NewProfile(procs)
	for _, a := range all {
		possible := free.Earliest(a.At, a.Run, a.Procs)
		start := provider.Place(a.Procs, a.Run, a.At)
		free.Take(start, start+a.Run, a.Procs)
		if start > possible {
			n++
		}
	}
	return n
}

// trade lets a part of a stream's tasks reserve slots at a weight.
func (e Experiment) trade(numbers map[string]float64) {
	dice := e.dice()
	all := e.arrivals(dice)
	all = all[:min(len(all), 600)]
	b := bank{rule: map[string]market.Discipline{conservative: market.Conservative, aggressive: market.Aggressive}[e.Rule],
		procs: e.Procs}
	for _, a := range all {
		b.pass(a.At)
		if dice.IntN(100) < e.Share {
			b.reserve(a, alphas[e.Alpha])
		} else {
			b.queue = append(b.queue, a)
		}
		b.schedule()
	}
	b.pass(finish * 100)
	numbers["price"] = mean(b.prices) / 3600
	numbers["reserved wait"], numbers["queued wait"] = mean(b.reservedWaits)/3600, mean(b.queuedWaits)/3600
}

// bank is a machine in the course of time.
type bank struct {
	rule   market.Discipline
	procs  int
	now    market.Time
	held   []market.Lease // from the present on, at times of the stream
	queue  []market.Arrival
	starts []market.Time // of the queue, at times of the stream

	prices, reservedWaits, queuedWaits []float64
}

// pass lets time pass: tasks of the queue begin.
func (b *bank) pass(now market.Time) {
	var waiting []market.Arrival
	for i, a := range b.queue {
		if b.starts[i] > now {
			waiting = append(waiting, a)
			continue
		}
		b.held = append(b.held, market.Lease{Procs: a.Procs, Start: b.starts[i], End: b.starts[i] + a.Run})
		b.queuedWaits = append(b.queuedWaits, float64(b.starts[i]-a.At))
	}
	b.queue, b.now = waiting, now
	b.held = slices.DeleteFunc(b.held, func(l market.Lease) bool { return l.End <= now })
	b.schedule()
}

// open returns the machine as a market, whose times count from the present.
func (b *bank) open() *market.Market {
	s := market.Site{Procs: b.procs}
	for _, l := range b.held {
		from := max(0, l.Start-b.now)
		s.Reservations = append(s.Reservations, market.Lease{Procs: l.Procs, Start: from, End: l.End - b.now})
	}
	for _, a := range b.queue {
		s.Queue = append(s.Queue, a.Job)
	}
	return market.OpenUnder(&s, b.rule)
}

// schedule plans the queue.
func (b *bank) schedule() {
	b.starts = nil
	for _, start := range b.open().Starts() {
		b.starts = append(b.starts, b.now+start)
	}
}

// reserve buys the slot for a task that weighs least.
func (b *bank) reserve(a market.Arrival, alpha market.Fraction) {
	o := market.Pick(b.open().Query(0, a.Run, a.Procs), alpha)
	b.held = append(b.held, market.Lease{Procs: a.Procs, Start: b.now + o.Start, End: b.now + o.Start + a.Run})
	b.prices = append(b.prices, float64(o.Price))
	b.reservedWaits = append(b.reservedWaits, float64(o.Start))
}
