package reserve

import (
	"sync"

	"aliquot/cluster"
	"aliquot/policy/calendar"
)

// ledger is a calendar of the promises of the last view. For a later view of the same promises it is brought up to date
// by their changes; for any other it is built anew, with the same result. It is no memory: a decision with a new ledger
// is the same.
type ledger struct {
	Finder
	mutex    sync.Mutex
	calendar *calendar.Calendar
	of       *cluster.Promises
	seen     int // number of their changes
	nodes    int
	rebuilt  int // number of times that it was built
}

// follow makes the ledger that of the view.
func (l *ledger) follow(v *cluster.View) {
	promises, nodes := v.Promises(), int(v.NodeBound())-1
	changes, now, known := promises.Changes(l.seen)
	if !known || l.of != promises || l.nodes != nodes || l.calendar.Begins() > v.At {
		l.calendar, l.of, l.nodes = calendar.New(v.At, nodes), promises, nodes
		l.rebuilt++
		for p := range promises.All() {
			l.book(p)
		}
	} else {
		l.calendar.Advance(v.At)
		l.apply(changes)
	}
	l.seen = now
}

func (l *ledger) apply(changes []cluster.PromiseChange) {
	for _, c := range changes {
		if c.Made {
			l.book(c.Promise)
		} else {
			l.release(c.Promise, c.Ended)
		}
	}
}

// book books what is not past of a promised interval.
func (l *ledger) book(p *cluster.Promise) {
	if from := max(p.From, l.calendar.Begins()); from < p.Until {
		l.calendar.Book(from, p.Until, calendar.SetOf(p.Nodes...))
	}
}

// release gives back what a job that ended did not use of its interval.
func (l *ledger) release(p *cluster.Promise, ended cluster.Time) {
	if from := max(p.From, ended, l.calendar.Begins()); from < p.Until {
		l.calendar.Release(from, p.Until, calendar.SetOf(p.Nodes...))
	}
}
