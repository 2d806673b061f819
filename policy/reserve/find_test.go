package reserve

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"aliquot/cluster"
	"aliquot/policy/calendar"
)

// decisions is the number of random decisions on which the calendar and the list of the paper must agree.
const decisions = 105_000

// pair is a calendar and the paper's list, with the same bookings.
type pair struct {
	list availRectList
	*calendar.Calendar
	Finder
	now  cluster.Time
	held []booking
}

type booking struct {
	from, until cluster.Time
	nodes       uint64
}

func newPair(nodes int) *pair {
	return &pair{list: availRectList{nodes: nodes}, Calendar: calendar.New(0, nodes)}
}

// setOf returns the set of the nodes of a mask, in which node 1 is bit 0.
func setOf(mask uint64) (s calendar.Set) {
	for n := range 64 {
		if mask>>n&1 != 0 {
			s.Add(cluster.NodeID(n + 1))
		}
	}
	return s
}

func maskOf(s calendar.Set) (mask uint64) {
	for n := range s.All() {
		mask |= 1 << (n - 1)
	}
	return mask
}

// pass lets time pass and bookings end, some of them early.
func (p *pair) pass(dice *rand.Rand) {
	p.now += cluster.Time(dice.IntN(4))
	p.Advance(p.now)
	kept := p.held[:0]
	for _, b := range p.held {
		if b.until > p.now && dice.IntN(12) > 0 {
			kept = append(kept, b)
		} else if from := max(b.from, p.now); from < b.until {
			p.list.change(from, b.until, b.nodes, false)
			p.Release(from, b.until, setOf(b.nodes))
		}
	}
	p.held = kept
}

func (p *pair) draw(dice *rand.Rand) Request {
	lasts := cluster.Time(1 + dice.IntN(9))
	ready := p.now + cluster.Time(dice.IntN(12))
	return Request{Ready: ready, Lasts: lasts, Deadline: ready + lasts + cluster.Time(dice.IntN(30)),
		Nodes: 1 + dice.IntN(p.list.nodes)/(1+dice.IntN(3))}
}

// fits reports whether the request fits at any start at all.
func (p *pair) fits(q Request) bool {
	for s := q.Ready; s+q.Lasts <= q.Deadline; s++ {
		if bits.OnesCount64(p.list.free(s, s+q.Lasts)) >= q.Nodes {
			return true
		}
	}
	return false
}

func TestTheCalendarDecidesAsThePapersListDoes(t *testing.T) {
	accepted, refused := 0, 0
	for number := range decisions / 105 {
		dice := rand.New(rand.NewPCG(1, uint64(number)))
		rule := Rules[number%len(Rules)]
		p := newPair(1 + dice.IntN(12))
		for range 105 {
			p.pass(dice)
			q := p.draw(dice)
			want, mask := p.list.find(p.now, rule.String(), q)
			start, nodes := p.Find(p.Calendar, rule, q)
			if maskOf(nodes) != mask || mask != 0 && start != want || (start == calendar.Never) != (mask == 0) {
				t.Fatalf("sequence %d, %v at %d: %+v starts at %d on %b, and by the list at %d on %b", number, rule, p.now, q,
					start, maskOf(nodes), want, mask)
			}
			if (mask != 0) != p.fits(q) {
				t.Fatalf("sequence %d, %v at %d: %+v: accepted is %v, but it fits: %v", number, rule, p.now, q, mask != 0, mask == 0)
			}
			if mask == 0 {
				refused++
				continue
			}
			accepted++
			p.list.change(start, start+q.Lasts, mask, true)
			p.Book(start, start+q.Lasts, nodes)
			p.held = append(p.held, booking{start, start + q.Lasts, mask})
		}
	}
	if accepted < decisions/4 || refused < decisions/10 {
		t.Errorf("%d requests were accepted and %d refused: that tests too little", accepted, refused)
	}
}

// figure1 is the situation of the paper's Figure 1: t1 = 10, t3 = 30, t8 = 80, t10 = 100. Job 2 runs on nodes 4 to 6
// until t1, job 1 on nodes 1 to 3 until t3, job 3 has nodes 1 to 4 from t8 to t10.
func figure1() *calendar.Calendar {
	c := calendar.New(0, 9)
	c.Book(0, 10, setOf(0b000111000))
	c.Book(0, 30, setOf(0b000000111))
	c.Book(80, 100, setOf(0b000001111))
	return c
}

// figureRequest arrives at t0 with t2 = 20, t4 = 40 and t9 = 90.
var figureRequest = Request{Ready: 20, Lasts: 20, Deadline: 90, Nodes: 3}

func TestTheFourStartsOfFigure1AreTheCandidates(t *testing.T) {
	c, q := figure1(), figureRequest
	var f Finder
	c.Steps(q.Ready, q.Deadline, nil, &f.steps)
	var starts []cluster.Time
	for t := begin(&f.steps, &q); t.next != calendar.Never; t.advance() {
		starts = append(starts, t.next)
	}
	want := []cluster.Time{20, 30, 60, 70} // t2, t3, t6 = t8 - duration, t7 = t9 - duration
	if !slices.Equal(starts, want) {
		t.Errorf("%v, want %v", starts, want)
	}
}

// The rectangle of t2 has 6 nodes from t1 to t8, that of t3 and t6 all 9 from t3 to t8, and that of t7 has 5 from t1 to
// t10, the last record.
func TestEachRuleChoosesItsRectangleOfFigure1(t *testing.T) {
	var f Finder
	for rule, want := range map[Rule]cluster.Time{FF: 20, PEB: 70, PEW: 30, DuB: 30, DuW: 70, PEDuB: 20, PEDuW: 30} {
		if start, _ := f.Find(figure1(), rule, figureRequest); start != want {
			t.Errorf("%v starts at %d, want %d", rule, start, want)
		}
	}
}

func TestAnImmediateDeadlineHasOneStart(t *testing.T) {
	var f Finder
	for _, rule := range Rules {
		q := Request{Ready: 5, Deadline: 25, Lasts: 20, Nodes: 3}
		if start, nodes := f.Find(figure1(), rule, q); start != 5 || maskOf(nodes) != 0b111000000 {
			t.Errorf("%v: at %d on %b", rule, start, maskOf(nodes))
		}
		q.Nodes = 4
		if start, _ := f.Find(figure1(), rule, q); start != calendar.Never {
			t.Errorf("%v: 4 nodes from %d on", rule, start)
		}
	}
}

func TestWithoutADeadlineEveryRuleTakesTheFirstFit(t *testing.T) {
	var f Finder
	for _, rule := range Rules {
		q := Request{Deadline: calendar.Never, Lasts: 70, Nodes: 7}
		if start, _ := f.Find(figure1(), rule, q); start != 100 {
			t.Errorf("%v: at %d", rule, start)
		}
	}
}

func TestOnlyAcceptableNodesAreTaken(t *testing.T) {
	var f Finder
	for _, rule := range Rules {
		q := Request{Ready: 0, Deadline: 100, Lasts: 10, Nodes: 2, Among: setOf(0b110)}
		if start, nodes := f.Find(figure1(), rule, q); start < 30 || maskOf(nodes) != 0b110 {
			t.Errorf("%v: at %d on %b", rule, start, maskOf(nodes))
		}
	}
}
