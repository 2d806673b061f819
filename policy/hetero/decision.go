package hetero

import "slices"

// Decision is the answer of a policy: what is given up, and what runs where from when on.
type Decision struct {
	Runs      []Run // new ones
	Preempted []Run // begun runs that end without result for others
	Bumped    []Run // planned runs that did not begin and lose their place to others
	Withdrawn []Run // planned runs that did not begin and are planned anew
}

// Decide places waiting jobs on the machines of the table. held are all runs that have not ended. Jobs that were
// preempted, bumped or withdrawn are placed again by the same decision. A waiting job without a run waits on.
func (p Policy) Decide(t *Table, now Ticks, held []Run, waiting []Work) Decision {
	d := deciding{Policy: p, table: t, now: now, held: held, load: len(held)}
	for _, w := range waiting {
		d.enqueue(w)
	}
	if p.replans() {
		d.withdraw()
	}
	for level := range d.queues {
		slices.SortFunc(d.queues[level], Work.before)
		d.process(Level(level))
	}
	return d.Decision
}

// deciding is a decision in the making.
type deciding struct {
	Decision
	Policy
	table  *Table
	now    Ticks
	load   int   // number of runs that had not ended
	held   []Run // those that stay
	queues [len(levelNames)][]Work
}

// enqueue adds a job to its queue. Without levels there is one.
func (d *deciding) enqueue(w Work) {
	level := w.Level
	if !d.Priority {
		level = High
	}
	d.queues[level] = append(d.queues[level], w)
}

// withdraw takes back all planned runs that have not begun.
func (d *deciding) withdraw() {
	d.held = slices.DeleteFunc(slices.Clone(d.held), func(r Run) bool {
		if !r.Begun {
			d.Withdrawn = append(d.Withdrawn, r)
			d.enqueue(r.Work)
		}
		return !r.Begun
	})
}

// process schedules one queue. High jobs that may preempt do not see low ones.
func (d *deciding) process(level Level) {
	queue := d.queues[level]
	if len(queue) == 0 {
		return
	}
	if d.Algorithm == OLB {
		d.add(idle(d.table, d.now, d.held, queue))
		return
	}
	preempts := d.Preempt && level == High
	b := newBatch(d.table, queue, d.available(preempts))
	var runs []Run
	if d.IsParallel() {
		runs = b.parallel(d.terms(level))
	} else {
		runs = b.alone()
	}
	d.add(runs)
	if preempts {
		d.preempt(runs)
	}
}

// The price of machines under Priced, in thousandths: it grows with the runs that have not ended per machine that is
// up, to a limit. High jobs have a lower one.
const (
	pricePerRun   = 300
	greatestPrice = 500
	highPrice     = 100
)

// Priced tries that many plans for small changes, fewer for few jobs and for many. It does so on an empty site only: on
// a busy one, jobs that are still to come pay for what the present ones gain.
const (
	mostChanges = 3_000
	eachChanges = 100     // for each job
	manyChanges = 200_000 // over the number of jobs
)

// longQueue is the number of jobs above which Priced, too, stops at the first candidate that does not pay: few would,
// and each costs a plan of all jobs.
const longQueue = 1_000

// terms returns what the policy may do beyond the paper for jobs of a level.
func (d *deciding) terms(level Level) terms {
	if d.Algorithm != Priced {
		return terms{literal: d.Literal, further: d.Further, price: Ticks(d.Price)}
	}
	n := len(d.queues[level])
	t := terms{further: n <= longQueue, price: Ticks(min(greatestPrice, pricePerRun*d.load/max(1, d.table.Up)))}
	if d.Priority && level == High {
		t.price = min(t.price, highPrice)
	}
	if d.load == 0 {
		t.budget = min(mostChanges, eachChanges*n, manyChanges/n)
	}
	return t
}

// alone returns the runs of SJS.
func (b *batch) alone() []Run {
	s := search{batch: b, taken: make([]int, len(b.lanes))}
	return s.runs(b.sequential(s.taken, b.newPair()))
}

func (d *deciding) add(runs []Run) {
	d.Runs = append(d.Runs, runs...)
	d.held = append(slices.Clip(d.held), runs...)
}

// available returns from when on each machine has no run, low ones left out if they do not count.
func (d *deciding) available(withoutLow bool) []Ticks {
	from := make([]Ticks, len(d.table.Sequential[0]))
	for m := range from {
		from[m] = d.now
	}
	for _, r := range d.held {
		if withoutLow && r.Level == Low {
			continue
		}
		for _, m := range d.table.Machines(r) {
			from[m] = max(from[m], r.End)
		}
	}
	return from
}

// preempt takes the machines that new high runs want from low runs. A low run that would end after a high one starts
// on one of its machines loses all of them.
func (d *deciding) preempt(high []Run) {
	wanted := map[int]Ticks{} // by machine: the first start of a new high run
	for _, r := range high {
		for _, m := range d.table.Machines(r) {
			if at, known := wanted[m]; !known || r.Start < at {
				wanted[m] = r.Start
			}
		}
	}
	coveted := func(r Run) bool {
		return r.Level == Low && slices.ContainsFunc(d.table.Machines(r), func(m int) bool {
			at, known := wanted[m]
			return known && r.End > at
		})
	}
	var kept []Run
	for _, r := range d.held {
		if coveted(r) {
			d.evict(r)
		} else {
			kept = append(kept, r)
		}
	}
	d.held = kept
}

// evict puts a low run back into its queue.
func (d *deciding) evict(r Run) {
	if r.Begun {
		if d.Suspends() {
			r.Done = r.Saved
		}
		d.Preempted = append(d.Preempted, r)
	} else {
		d.Bumped = append(d.Bumped, r)
	}
	d.enqueue(r.Work)
}

// After returns what is done of the job after a part of a run that takes the given time.
func (w Work) After(had, takes Ticks) Part {
	if w.Done > 0 {
		takes, had = takes-resumption, max(0, had-resumption)
	}
	done := w.Done
	if takes > 0 {
		done += Part(Ticks(whole-w.Done) * min(had, takes) / takes)
	}
	return min(done, whole-1)
}
