package market

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// figureOne are the tasks A, B, C and D of figure 1 of the thesis, on 5 processors.
var figureOne = []Job{{2, 3}, {4, 1}, {1, 2}, {3, 2}}

func TestFigureOneHasItsStartsAndSlots(t *testing.T) {
	p, free := NewProvider(5), NewProfile(5)
	var starts []Time
	for _, j := range figureOne {
		at := p.Place(j.Procs, j.Run, 0)
		starts = append(starts, at)
		free.Take(at, at+j.Run, j.Procs)
	}
	if want := []Time{0, 3, 0, 4}; !slices.Equal(starts, want) {
		t.Errorf("starts %v, want %v", starts, want)
	}
	want := []Slot{NewSlot(0, 0, 3, 1), NewSlot(0, 0, Ever, 1), NewSlot(0, 2, 3, 1), NewSlot(0, 4, Ever, 1),
		NewSlot(0, 6, Ever, 3)}
	if diff := cmp.Diff(want, slotsOf(p)); diff != "" {
		t.Errorf("slots of figure 2 (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, free.Advertise(0)); diff != "" {
		t.Errorf("slots of the sweep (-want +got):\n%s", diff)
	}
}

// The thesis claims that figure 2 equals conservative backfilling. Its processors are nailed to slots, so a task can
// miss a start.
func TestFigureTwoMissesAStartOfConservativeBackfilling(t *testing.T) {
	queue := []Job{{2, 2}, {2, 1}, {4, 1}, {1, 2}, {1, 2}}
	p := NewProvider(5)
	var nailed []Time
	for _, j := range queue {
		nailed = append(nailed, p.Place(j.Procs, j.Run, 0))
	}
	counted := Conservative(NewProfile(5), queue)
	if !slices.Equal(nailed[:4], counted[:4]) || nailed[4] != 2 || counted[4] != 1 {
		t.Errorf("figure 2: %v, conservative backfilling: %v", nailed, counted)
	}
}

func TestTableOneSaysWhatASlotCosts(t *testing.T) {
	for _, c := range []struct {
		divisible, extensible bool
		end                   Time // of the only task, 2 processors from 10 on
		want                  Price
	}{
		{false, false, 15, 4*20*3 + 7},
		{false, true, 15, 4*20*3 + 7},
		{false, true, 35, 4*25*3 + 7},
		{true, false, 15, 2*5*3 + 7},
		{true, true, 35, 2*25*3 + 7},
	} {
		s := Slot{Start: 10, End: 30, Procs: 4, Divisible: c.divisible, Extensible: c.extensible, Charge: 3, Fixed: 7}
		var u use
		u.add(2, 10, c.end)
		if got := s.price(u); got != c.want {
			t.Errorf("%+v until %d costs %d, want %d", s, c.end, got, c.want)
		}
		if s.price(use{}) != 0 {
			t.Error("an unused slot costs something")
		}
	}
}

// machine is the machine of figure 21, with C first in the queue.
func machine(a, b, r int, c, d Time) *Site {
	return &Site{Procs: 5, Running: []Lease{{a, 0, 2}, {b, 0, 3}}, Reservations: []Lease{{r, 4, 6}},
		Queue: []Job{{2, c}, {2, d}}}
}

func TestFigureTwentyOneHasThePricesThatAreWithinReach(t *testing.T) {
	got := Open(machine(2, 3, 1, 5, 2)).Query(0, 3, 2)
	want := []Quotation{{2, 6}, {3, 6}, {4, 8}, {5, 0}, {6, 0}, {7, 0}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("table 3 (-want +got):\n%s", diff)
	}
}

// Table 3 of the thesis says that X delays C by 1 at its first three starts, and D by 2, 3 and 4. If X is admissible at
// these and C begins between them, two processors are free all the time, so that C begins before the later ones.
func TestRowsOfTableThreeCannotOccur(t *testing.T) {
	printed := [][]Time{{1, 2}, {1, 3}, {1, 4}}
	tried, first := 0, 0
	for a := range 6 {
		for b := range 6 - a {
			for r := range 4 {
				for c := Time(1); c < 7; c++ {
					for d := Time(1); d < 7; d++ {
						for _, rule := range []Discipline{Conservative, Aggressive} {
							rows := rowsOfTableThree(OpenUnder(machine(a, b, r, c, d), rule))
							if rows == nil {
								continue
							}
							if tried++; slices.Equal(rows[0], printed[0]) {
								first++
							}
							if slices.Equal(rows[1], printed[1]) || slices.Equal(rows[2], printed[2]) {
								t.Errorf("the machine %d %d %d %d %d has a row of the table: %v", a, b, r, c, d, rows)
							}
						}
					}
				}
			}
		}
	}
	if tried < 1000 || first == 0 {
		t.Errorf("X is admissible at three starts on %d machines, of which %d have the first row", tried, first)
	}
}

// rowsOfTableThree returns the delays of C and D by X at its first three starts, or nil if one is not admissible.
func rowsOfTableThree(m *Market) (rows [][]Time) {
	for _, x := range []Time{2, 3, 4} {
		if _, open := m.Quote(x, 3, 2); !open {
			return nil
		}
		with := m.displaced(x, 3, 2)
		rows = append(rows, []Time{with[0] - m.starts[0], with[1] - m.starts[1]})
	}
	return rows
}

func TestChoiceFollowsTheWeight(t *testing.T) {
	front := Front{{Cost: 10, Makespan: 100}, {Cost: 12, Makespan: 40}, {Cost: 30, Makespan: 20}}
	for text, want := range map[string]Price{"0": 30, "0.5": 12, "1": 10, "1/3": 12} {
		alpha, err := ParseFraction(text)
		if err != nil || front.Choose(alpha).Cost != want {
			t.Errorf("α=%s chooses %d, want %d: %v", text, front.Choose(alpha).Cost, want, err)
		}
	}
	tie := Front{{Cost: 1, Makespan: 2}, {Cost: 2, Makespan: 1}}
	if tie.Choose(Fraction{1, 2}).Cost != 1 {
		t.Error("the tie at ½ is not given to the cheaper plan")
	}
	for _, bad := range []string{"", "-0.1", "1.01", "x", "1e-9", "0.1234567", "NaN"} {
		if _, err := ParseFraction(bad); err == nil {
			t.Errorf("%q is taken for a weight", bad)
		}
	}
}

func TestQuotationsAreChosenByPriceAndStart(t *testing.T) {
	list := Open(machine(2, 3, 1, 5, 2)).Query(0, 3, 2)
	first, free := Pick(list, Fraction{0, 1}), Pick(list, Fraction{1, 1})
	if first.Start != 2 || free != (Quotation{5, 0}) {
		t.Errorf("α=0 takes %v, α=1 %v", first, free)
	}
}

func TestAggressiveBackfillingPromisesTheFirstJobOnly(t *testing.T) {
	free := NewProfile(4)
	free.Take(0, 4, 2)
	queue := []Job{{4, 2}, {3, 2}, {2, 4}, {1, 7}, {1, 1}}
	if got, want := Aggressive(free.copy(), queue), []Time{4, 6, 0, 6, 8}; !slices.Equal(got, want) {
		t.Errorf("starts %v, want %v", got, want)
	}
	if got, want := Conservative(free, queue), []Time{4, 6, 0, 6, 8}; !slices.Equal(got, want) {
		t.Errorf("conservative: %v, want %v", got, want)
	}
}

func TestRanksCountTransfersOnSeveralSitesOnly(t *testing.T) {
	w := chain(t, 2, 3, 4)
	if one, two := w.ranks(1), w.ranks(2); !slices.Equal(one, []Time{9, 7, 4}) || !slices.Equal(two, []Time{29, 17, 4}) {
		t.Errorf("ranks %v and %v", one, two)
	}
}

func TestTasksWithoutRunTimeStandBehindTheirParents(t *testing.T) {
	w, err := NewWorkflow(named(0, 0, 5, 5), []Edge{{From: 1, To: 0}, {From: 0, To: 2}, {From: 1, To: 3}})
	if err != nil {
		t.Fatal(err)
	}
	if got := w.order(w.ranks(1)); !slices.Equal(got, []int{1, 0, 3, 2}) {
		t.Errorf("order %v", got)
	}
}

func TestCyclesAreRefusedByName(t *testing.T) {
	edges := []Edge{{From: 0, To: 1}, {From: 1, To: 2}, {From: 2, To: 1}, {From: 2, To: 3}}
	_, err := NewWorkflow(named(1, 1, 1, 1), edges)
	if err == nil || err.Error() != "the tasks wait for each other: t2 → t1 → t2" {
		t.Errorf("%v", err)
	}
}

// named returns tasks of one processor with names t0, t1 and so on.
func named(runs ...Time) (tasks []Task) {
	for i, run := range runs {
		tasks = append(tasks, Task{fmt.Sprint("t", i), 1, run})
	}
	return tasks
}

// chain returns tasks that follow each other, with transfers of 10.
func chain(t *testing.T, runs ...Time) *Workflow {
	t.Helper()
	var edges []Edge
	for i := range len(runs) - 1 {
		edges = append(edges, Edge{i, i + 1, 10})
	}
	w, err := NewWorkflow(named(runs...), edges)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// slotsOf returns the holes of a provider as slots.
func slotsOf(p *Provider) (slots []Slot) {
	for _, h := range p.holes {
		slots = append(slots, NewSlot(0, h.start, h.end, h.procs))
	}
	return slots
}
