package calendar

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"aliquot/cluster"
)

// twin is a calendar and a table that must agree.
type twin struct {
	t interface {
		Helper()
		Fatalf(format string, args ...any)
	}
	*Calendar
	plain  *plain
	booked []booking
}

type booking struct {
	from, until cluster.Time
	nodes       Set
}

func newTwin(t interface {
	Helper()
	Fatalf(string, ...any)
}, nodes int, horizon cluster.Time) *twin {
	return &twin{t: t, Calendar: New(0, nodes), plain: newPlain(nodes, horizon)}
}

// book books up to wanted nodes that are free in the interval, beginning with a given one.
func (w *twin) book(from, until cluster.Time, wanted, first int) {
	free := slices.Collect(w.plain.free(from, until).All())
	if wanted = min(wanted, len(free), w.plain.least(from, until)); wanted < 1 {
		return
	}
	var nodes Set
	for i := range wanted {
		nodes.Add(free[(first+i)%len(free)])
	}
	w.Book(from, until, nodes)
	w.plain.set(from, until, nodes, true)
	w.booked = append(w.booked, booking{from, until, nodes})
}

// release releases the part of a booking between two times.
func (w *twin) release(which int, from, until cluster.Time) {
	if len(w.booked) == 0 {
		return
	}
	which %= len(w.booked)
	b := w.booked[which]
	from, until = max(from, b.from, w.Begins()), min(until, b.until)
	if from >= until {
		return
	}
	w.Release(from, until, b.nodes)
	w.plain.set(from, until, b.nodes, false)
	w.booked = slices.Delete(w.booked, which, which+1)
	if b.from < from {
		w.booked = append(w.booked, booking{b.from, from, b.nodes})
	}
	if until < b.until {
		w.booked = append(w.booked, booking{until, b.until, b.nodes})
	}
}

func (w *twin) bookAny(from, until cluster.Time, wanted int) {
	if wanted = min(wanted, w.plain.least(from, until)); wanted < 1 {
		return
	}
	w.BookAny(from, until, wanted)
	w.plain.bookAny(from, until, wanted)
}

// ask compares all answers about an interval.
func (w *twin) ask(a Ask) {
	w.t.Helper()
	until := After(a.From, a.Lasts)
	if got, want := w.Least(a.From, until), w.plain.least(a.From, until); got != want {
		w.t.Fatalf("from %d until %d at least %d, want %d", a.From, until, got, want)
	}
	if got, want := w.Next(a.From), w.plain.next(a.From); got != want {
		w.t.Fatalf("after %d next %d, want %d", a.From, got, want)
	}
	if got, want := w.EarliestAny(a.From, a.Lasts, a.Nodes), w.plain.earliestAny(a.From, a.Lasts, a.Nodes); got != want {
		w.t.Fatalf("%d nodes from %d for %d: at %d, want %d", a.Nodes, a.From, a.Lasts, got, want)
	}
	if got, want := w.Free(a.From, until), w.plain.free(a.From, until); !same(got, want) {
		w.t.Fatalf("from %d until %d free %x, want %x", a.From, until, got, want)
	}
	at, free := w.Earliest(a)
	if wantAt, want := w.plain.earliest(a); at != wantAt || !same(free, want) {
		w.t.Fatalf("%+v: at %d %x, want at %d %x", a, at, free, wantAt, want)
	}
	if until < w.plain.horizon {
		w.askAround(a.From, until)
	}
}

// askAround compares the steps of an interval, and how long the nodes that are free in it are free around it.
func (w *twin) askAround(from, until cluster.Time) {
	w.t.Helper()
	var steps Steps
	w.Steps(from, until, nil, &steps)
	for i, at := range steps.At {
		next := w.plain.next(at)
		if at > from && w.plain.next(at-1) != at || i+1 < len(steps.At) && steps.At[i+1] != next ||
			i+1 == len(steps.At) && next < until {
			w.t.Fatalf("from %d until %d the steps are %d", from, until, steps.At)
		}
		for n, busy := range w.plain.busy[at] {
			if Set(steps.Busy(i)).Has(cluster.NodeID(n+1)) != busy {
				w.t.Fatalf("at %d node %d is busy: %v", at, n+1, busy)
			}
		}
	}
	free := w.plain.free(from, until)
	if free.Len() == 0 {
		return
	}
	busy := func(at cluster.Time) bool {
		for n := range free.All() {
			if w.plain.busy[at][n-1] {
				return true
			}
		}
		return false
	}
	since, end := from, until
	for since > w.Begins() && !busy(since-1) {
		since--
	}
	for end < w.plain.horizon && !busy(end) {
		end++
	}
	if end == w.plain.horizon {
		end = Never
	}
	if a, b := w.FreeSince(from, free), w.FreeUntil(until, free); a != since || b != end {
		w.t.Fatalf("%x, free from %d until %d, are free from %d until %d, want %d and %d",
			free, from, until, a, b, since, end)
	}
}

// verify compares the calendar with the table and checks the tree's invariants.
func (w *twin) verify() {
	w.t.Helper()
	steps, _, err := w.check()
	if err != nil {
		w.t.Fatalf("%v", err)
	}
	want := 1
	for at := w.plain.next(w.Begins()); at != Never; at = w.plain.next(at) {
		want++
	}
	if steps != want {
		w.t.Fatalf("%d steps, want %d", steps, want)
	}
	for at := w.Begins(); at < w.plain.horizon; at++ {
		if got, want := w.Least(at, at+1), w.plain.count(int(at)); got != want {
			w.t.Fatalf("at %d free %d, want %d", at, got, want)
		}
		if got, want := w.Free(at, at+1), w.plain.free(at, at+1); !same(got, want) {
			w.t.Fatalf("at %d free %x, want %x", at, got, want)
		}
	}
}

// operate performs one operation, if it is possible, and returns its interval.
func (w *twin) operate(kind, from, lasts, wanted, pick int) (at, until cluster.Time) {
	last := w.plain.horizon - 1
	at = w.Begins() + cluster.Time(from)%(last-w.Begins())
	until = min(at+cluster.Time(lasts), last)
	if lasts == 0 {
		until = Never
	}
	switch kind {
	case 0, 1, 2, 3:
		w.book(at, until, wanted, pick)
	case 4, 5:
		w.release(pick, at, until)
	case 6:
		w.release(pick, 0, Never)
	case 7:
		w.bookAny(at, until, min(wanted, 2))
	case 8:
		if next := w.Begins() + cluster.Time(lasts%4); next < last/2 {
			w.Advance(next)
		}
	}
	return max(at, w.Begins()), max(until, w.Begins()+1)
}

// act performs one operation and asks about its interval.
func (w *twin) act(kind, from, lasts, wanted, pick int) {
	w.t.Helper()
	at, until := w.operate(kind, from, lasts, wanted, pick)
	a := Ask{From: at, Latest: Never, Lasts: until - at, Nodes: wanted}
	if until == Never {
		a.Lasts = Never
	}
	if pick%3 == 0 {
		a.Latest = at + cluster.Time(pick%50)
	}
	for n := 1; pick%4 == 0 && n <= w.nodes; n += 1 + pick%2 {
		a.Among.Add(cluster.NodeID(n))
	}
	w.ask(a)
}

func TestCalendarAnswersLikeATableOfAllInstants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.SampledFrom([]int{1, 2, 5, 20, 63, 64, 130}).Draw(t, "nodes")
		w := newTwin(t, nodes, 90)
		for range rapid.IntRange(1, 120).Draw(t, "operations") {
			kind := rapid.IntRange(0, 8).Draw(t, "kind")
			from, lasts := rapid.IntRange(0, 90).Draw(t, "from"), rapid.IntRange(0, 30).Draw(t, "lasts")
			w.act(kind, from, lasts, rapid.IntRange(1, nodes).Draw(t, "wanted"), rapid.IntRange(0, 40).Draw(t, "pick"))
		}
		w.verify()
	})
}

// It tries all sequences of three bookings and releases on two nodes.
func TestAllSmallCalendarsAnswerLikeATable(t *testing.T) {
	type step struct {
		book        bool
		from, until cluster.Time
		nodes       Set
	}
	var steps []step
	for from := cluster.Time(0); from < 3; from++ {
		for _, until := range []cluster.Time{from + 1, 3, Never} {
			for _, nodes := range []Set{SetOf(1), SetOf(2), SetOf(1, 2)} {
				steps = append(steps, step{true, from, until, nodes}, step{false, from, until, nodes})
			}
		}
	}
	possible := func(w *twin, s step) bool {
		for _, at := range w.plain.instants(s.from, s.until) {
			for n := range s.nodes.All() {
				if w.plain.busy[at][n-1] == s.book {
					return false
				}
			}
		}
		return true
	}
	for pick := range len(steps) * len(steps) * len(steps) {
		w, done := newTwin(t, 2, 5), 0
		for rest := pick; done < 3 && possible(w, steps[rest%len(steps)]); done, rest = done+1, rest/len(steps) {
			s := steps[rest%len(steps)]
			if s.book {
				w.Book(s.from, s.until, s.nodes)
			} else {
				w.Release(s.from, s.until, s.nodes)
			}
			w.plain.set(s.from, s.until, s.nodes, s.book)
		}
		for from := cluster.Time(0); from < 4 && done == 3; from++ {
			w.ask(Ask{From: from, Latest: Never, Lasts: 1 + from%2, Nodes: 1 + int(from)/2})
		}
	}
}

// The tree has three levels; it is built and taken down again.
func TestCalendarOfManyStepsAnswersLikeATable(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 1))
	w := newTwin(t, 70, 3000)
	highest := 0
	for _, kinds := range [][]int{{0, 0, 0, 0, 7}, {0, 4, 6, 6, 8}, {6, 6, 6, 6, 4}} {
		for i := range 3000 {
			from, lasts, wanted, pick := dice.IntN(3000), 1+dice.IntN(40), 1+dice.IntN(8), dice.IntN(1<<20)
			if i%100 == 0 {
				w.act(kinds[dice.IntN(5)], from, lasts, wanted, pick)
				continue
			}
			w.operate(kinds[dice.IntN(5)], from, lasts, wanted, pick)
		}
		w.verify()
		_, height, _ := w.check()
		highest = max(highest, height)
	}
	if highest < 3 {
		t.Errorf("the tree was no higher than %d", highest)
	}
}

// The work of an operation is bounded by what is booked in its window, and by the height of the tree.
func TestWorkDoesNotDependOnBookingsOutsideTheWindow(t *testing.T) {
	for _, w := range widths {
		for _, bookings := range []int{1_000, 20_000} {
			c, horizon := w.filled(bookings)
			_, height, _ := c.check()
			dice, list := rand.New(rand.NewPCG(3, 0)), Steps{}
			for range 1000 {
				a := w.draw(dice, horizon)
				steps := 0
				for at := a.From; at < a.Latest+a.Lasts; at = c.Next(at) {
					steps++
				}
				bound := 10*height + steps/2
				visited := func(operation string) {
					if c.visits > bound {
						t.Errorf("%s with %d bookings, of which %d steps in the window, visits %d branches, bound %d",
							operation, bookings, steps, c.visits, bound)
					}
					c.visits = 0
				}
				c.visits = 0
				start, free := c.Earliest(a)
				visited("Earliest")
				c.EarliestAny(a.From, a.Lasts, 1)
				visited("EarliestAny")
				c.Steps(a.From, a.Latest+a.Lasts, nil, &list)
				visited("Steps")
				if start == Never {
					continue
				}
				c.FreeSince(start, free)
				c.FreeUntil(start+a.Lasts, free)
				visited("FreeSince and FreeUntil")
				nodes := free.First(a.Nodes)
				c.Book(start, start+a.Lasts, nodes)
				visited("Book")
				c.Release(start, start+a.Lasts, nodes)
				visited("Release")
			}
		}
	}
}

func FuzzCalendar(f *testing.F) {
	f.Add([]byte("any thirty bytes are six operations"))
	f.Fuzz(func(t *testing.T, data []byte) {
		w := newTwin(t, 70, 90)
		for ; len(data) >= 5 && len(w.booked) < 100; data = data[5:] {
			w.act(int(data[0]%9), int(data[1]), int(data[2])%40, 1+int(data[3])%70, int(data[4]))
		}
		w.verify()
	})
}

func TestLoadedCountsAnswerLikeATable(t *testing.T) {
	var c Calendar // its memory is reused
	rapid.Check(t, func(t *rapid.T) {
		const horizon = 90
		p := newPlain(200, horizon)
		var steps []Step
		for at := cluster.Time(0); at < horizon; at += cluster.Time(rapid.IntRange(1, 3).Draw(t, "after")) {
			free := rapid.IntRange(0, 20).Draw(t, "free")
			steps = append(steps, Step{at, free})
			for i := at; i < horizon; i++ {
				p.extra[i] = p.nodes - free
			}
		}
		c.Load(steps)
		for range rapid.IntRange(0, 60).Draw(t, "jobs") {
			from := cluster.Time(rapid.IntRange(0, horizon-1).Draw(t, "from"))
			lasts := cluster.Time(rapid.IntRange(1, 30).Draw(t, "lasts"))
			if lasts == 30 {
				lasts = Never
			}
			nodes := rapid.IntRange(1, 20).Draw(t, "nodes")
			start := c.EarliestAny(from, lasts, nodes)
			if want := p.earliestAny(from, lasts, nodes); start != want {
				t.Fatalf("%d nodes from %d for %d: at %d, want %d", nodes, from, lasts, start, want)
			}
			if start != Never && After(start, lasts) <= horizon-1 {
				c.BookAny(start, After(start, lasts), nodes)
				p.bookAny(start, After(start, lasts), nodes)
			}
		}
		if _, _, err := c.check(); err != nil {
			t.Fatal(err)
		}
		for at := range cluster.Time(horizon) {
			if got, want := c.Least(at, at+1), p.count(int(at)); got != want {
				t.Fatalf("at %d free %d, want %d", at, got, want)
			}
		}
	})
}

func TestTimesThatOverflowAreNever(t *testing.T) {
	for _, c := range []struct{ at, lasts, want cluster.Time }{
		{5, Never, Never}, {Never, 1, Never}, {Never - 1, 1, Never}, {Never - 2, 1, Never - 1}, {5, 6, 11},
	} {
		if got := After(c.at, c.lasts); got != c.want {
			t.Errorf("%d after %d is %d, want %d", c.lasts, c.at, got, c.want)
		}
	}
}

func TestBrokenRulesPanicWithTheNumbers(t *testing.T) {
	counts := new(Calendar)
	counts.Load([]Step{{10, 3}})
	for want, wrong := range map[string]func(c *Calendar){
		"there are to be 0 nodes":                                   func(*Calendar) { New(0, 0) },
		"node 2 is booked from 15 until 25, but is busy then":       func(c *Calendar) { c.Book(15, 25, SetOf(1, 2)) },
		"node 1 is released from 20 until 40, but is free then":     func(c *Calendar) { c.Release(20, 40, SetOf(1, 2)) },
		"node 2 is released from 20 until 40, but is free then":     func(c *Calendar) { c.Release(20, 40, SetOf(2)) },
		"2 nodes are booked from 12 until 21, but 1 are free at 20": func(c *Calendar) { c.BookAny(12, 21, 2) },
		"0 nodes are booked":                                        func(c *Calendar) { c.BookAny(12, 21, 0) },
		"from 9 until 12, in a calendar from 10 on":                 func(c *Calendar) { c.Book(9, 12, SetOf(1)) },
		"from 12 until 12, in a calendar from 10 on":                func(c *Calendar) { c.Release(12, 12, SetOf(2)) },
		"node 4 is booked or released, of 3 known":                  func(c *Calendar) { c.Book(12, 14, SetOf(1, 4)) },
		"the nodes [] are booked or released":                       func(c *Calendar) { c.Book(12, 14, nil) },
		"the nodes [1] are booked or released":                      func(c *Calendar) { c.Book(12, 14, SetOf(0)) },
		"node 1 is booked or released, of 0 known":                  func(*Calendar) { counts.Book(12, 14, SetOf(1)) },
		"0 of 3 nodes are wanted from 12": func(c *Calendar) {
			c.Earliest(Ask{From: 12, Lasts: 5})
		},
		"1 of 3 nodes are wanted from 9 for 5": func(c *Calendar) {
			c.Earliest(Ask{From: 9, Lasts: 5, Nodes: 1})
		},
		"1 of 0 nodes are wanted": func(*Calendar) {
			counts.Earliest(Ask{From: 12, Lasts: 5, Nodes: 1})
		},
		"of 3 nodes, the free ones are wanted from 15 until 15": func(c *Calendar) { c.Free(15, 15) },
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, want) {
					t.Errorf("panics with %q, want %q", got, want)
				}
			}()
			c := New(10, 3)
			c.Book(20, 30, SetOf(2, 3))
			wrong(c)
		}()
	}
}
