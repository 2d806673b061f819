package cluster

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The world's own checks look for promises that are not kept. Jobs of minutes find room between reservations.
func TestWhatIsPromisedInPartsIsKeptUntilItIsSaidThatItCannotBe(t *testing.T) {
	inParts, sums := 0, 0
	enough := func() bool { return inParts >= 10 && sums >= 1000 }
	heardOf(t, func(w *world) map[string]func(*rapid.T) {
		for range 12 {
			w.reserveMinutes()
		}
		for range 4 {
			w.promiseHours()
		}
		some := w.promising()
		some["reserve minutes"] = func(t *rapid.T) { w.T = t; w.reserveMinutes() }
		some["promise an end in hours"] = func(t *rapid.T) { w.T = t; w.promiseHours() }
		some["pass the end of a part"] = func(t *rapid.T) { w.T = t; w.passPart() }
		some["wait minutes"] = func(t *rapid.T) { w.T = t; w.wait(Time(w.int(1, 10, "minutes")) * Minute) }
		some[""] = func(t *rapid.T) {
			w.T = t
			for p := range w.s.Promised() {
				inParts += len(p.Later)
			}
			sums += w.checkBookings(0) + w.checkBookings(w.someJob())
		}
		return some
	}, enough, JobPromised, JobRepromised, JobPromiseBroken, JobOverran, OfferMade, OfferAccepted)
	if !enough() {
		t.Errorf("promises had %d later parts, and %d nodes had promises", inParts, sums)
	}
}

// passPart lets the time pass until a second after the end of the first part that ends, without a decision.
func (w *world) passPart() {
	end := Time(math.MaxInt64)
	for p := range w.s.Promised() {
		if len(p.Later) > 0 && p.Until > w.s.Now {
			end = min(end, p.Until)
		}
	}
	if end < w.s.Now+4*Hour {
		w.wait(end + Second - w.s.Now)
	}
}

// reserveMinutes asks for an interval of minutes within two hours.
func (w *world) reserveMinutes() {
	spec := w.spec()
	spec.Class, spec.Tasks, spec.Need = StandardClass, w.evenly(1, 3), 1500
	spec.Reserve = &Reservation{w.s.Now + w.s.lead(spec) + Time(w.evenly(0, 120))*Minute, Time(w.evenly(1, 10)) * Minute}
	w.apply(Submit{Spec: spec})
}

// promiseHours asks for work of minutes within some hours.
func (w *world) promiseHours() {
	spec := w.spec()
	spec.Class, spec.Tasks, spec.Need = StandardClass, w.evenly(1, 3), 1500
	spec.Deadline = &Deadline{By: w.s.Now + Time(w.evenly(60, 150))*Minute, Lasts: Time(w.evenly(10, 50)) * Minute,
		Pausable: w.evenly(0, 2) > 0}
	w.apply(Submit{spec, Time(w.evenly(0, 2)) * 30 * Second})
}

// evenly draws a number between two others. Those near the first are not more frequent.
func (w *world) evenly(low, high int) int {
	x := rapid.Uint64().Draw(w.T, "evenly") * 0x9e3779b97f4a7c15
	return low + int(x>>32)%(high-low+1)
}

// Plain sums: of all gaps in which all tasks fit, second by second, the last ones that are long enough are taken.
func TestPartsArePromisedIfAndOnlyIfTheLastGapsTogetherAreLongEnough(t *testing.T) {
	promised, refused, inParts := 0, 0, 0
	for seed := range uint64(300) {
		dice, w := rand.New(rand.NewPCG(seed, 1)), newPromised(t)
		w.s.StoreFree = 1 << 40
		draw := func(low, high int) int { return low + dice.IntN(high-low+1) }
		for i := range draw(1, 3) {
			w.node(fmt.Sprint("n", i), 1000*CPU(draw(1, 2)))
		}
		for range draw(2, 15) {
			spec := w.spec(draw(1, 2), 500*CPU(draw(1, 2)), &Reservation{
				Time(draw(40, 8000)) * Second, Time(draw(1, 600)) * Second})
			w.s.Apply(w.s.Revision+1, w.command(Submit{Spec: spec}))
		}
		spec := w.spec(draw(1, 3), 500*CPU(draw(1, 2)), nil)
		spec.Deadline = &Deadline{By: Time(draw(4000, 8000)) * Second, Lasts: Time(draw(1000, 4000)) * Second}
		stretch := w.unbookable(spec) == nil
		if spec.Deadline.Pausable = true; w.s.lead(spec)+w.s.padded(spec.Deadline.Lasts) > spec.Deadline.By {
			continue // it is too long by itself
		}
		p, r := w.s.promiseOf(spec)
		want := w.gapsFit(spec)
		switch {
		case (p != nil) != (stretch || want):
			t.Fatalf("%d: at a stretch %v, in gaps %v, promised %+v: %v", seed, stretch, want, p, r)
		case p == nil:
			refused++
		case stretch != (len(p.Later) == 0):
			t.Fatalf("%d: there is a stretch: %v, and promised is %+v", seed, stretch, p)
		case stretch:
			promised++
		default:
			inParts++
			w.s.Apply(w.s.Revision+1, w.command(Submit{Spec: spec}))
			if err := w.s.Check(); err != nil {
				t.Fatalf("%d: %v", seed, err)
			}
		}
	}
	if promised < 10 || refused < 10 || inParts < 10 {
		t.Errorf("%d were promised at a stretch, %d in parts, %d refused", promised, inParts, refused)
	}
}

func (w *promised) command(a Action) Command {
	return Command{At: w.s.Now, TimeSet: w.s.TimeSet, Actor: root, Epoch: w.s.Epoch, Action: a}
}

// gapsFit takes the last gaps in which all tasks of the spec fit, second by second, and reports whether they are long
// enough together.
func (w *promised) gapsFit(spec *Spec) bool {
	lead := w.s.lead(spec)
	free := func(from, until Time) bool {
		room := 0
		for n := range w.s.Nodes() {
			taken := peak(w.s.plain(spec, n.ID, 0), from, until)
			room += max(0, int((n.Capacity().CPU-taken.CPU)/spec.Need))
		}
		return room >= spec.Tasks
	}
	missing, least := w.s.padded(spec.Deadline.Lasts), max(Minute, 10*lead)
	for end, found := spec.Deadline.By, 0; end-least-lead >= w.s.Now && found < 8; {
		if !free(end-least-lead, end) {
			end -= Second
			continue
		}
		due := end - least - lead
		for due > w.s.Now && free(due-Second, end) {
			due -= Second
		}
		missing, found, end = missing-(end-due-lead), found+1, due
	}
	return missing <= 0
}

func TestPartsOfAPromiseAreDroppedAsTheirWorkIsDone(t *testing.T) {
	p := Promise{From: 100, Until: 151, Work: 200, Later: []Part{{From: 300, Until: 351}, {From: 400, Until: 502}},
		Nodes: []NodeID{1}}
	j := &Job{Spec: &Spec{Need: Core}}
	for done, want := range map[Time][]Time{0: {100, 300, 400}, 25: {125, 300, 400}, 50: {300, 400}, 99: {349, 400},
		100: {400}, 150: {451}, 200: {501}} {
		p.Base = -done
		var begins []Time
		for _, part := range p.at(j, 0).Parts() {
			begins = append(begins, part.From)
		}
		if !slices.Equal(begins, want) {
			t.Errorf("with %d done, parts begin at %d, not %d", done, begins, want)
		}
	}
}

func TestTheMostWorkOfAnIntervalIsTheInverseOfItsLength(t *testing.T) {
	for _, margin := range []Parts{0, leastMargin, 123_456, mostMargin} {
		p := &Promise{Margin: margin}
		for length := range Time(1000) {
			if w := p.unpadded(length); p.padded(w) > length || p.padded(w+1) <= length {
				t.Errorf("%d holds %d with %v", length, w, margin)
			}
		}
	}
}
