package cluster

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
)

// start lets a task of a job of the spec start on the node and run after a time. It returns the job.
func (w *promised) start(spec *Spec, on NodeID, took Time) JobID {
	w.Helper()
	id := w.submit(spec)
	given := Placement{Grant: Foreground.Grant(spec.Need), Nodes: []NodeID{on}}
	w.do(Adopt{Basis: w.s.Revision, Set: []Holding{{id, given}}})
	w.do(StartMoves{Moves: []Move{{Task: TaskID{id, 0}, Kind: Start, To: on, CPU: spec.Need}}})
	w.later(took)
	w.sees(id, on, Observation{Seen: SeenRunning, Cap: spec.Need})
	return id
}

// later lets time pass.
func (w *promised) later(d Time) { w.s.Now += d }

// sees reports the first run of the job's task.
func (w *promised) sees(id JobID, on NodeID, o Observation) {
	w.Helper()
	o.Run = RunID{Job: id, Index: 0, Number: w.s.Job(id).Tasks[0].Run}
	if m := w.s.Move(o.Run.Task()); m != nil {
		o.Run.Number = m.Run
	}
	w.do(Report{Node: on, FenceAlive: true, StoreProven: true, StoreFree: 1 << 40, Observations: []Observation{o}})
}

// image adds an image and returns its reference.
func (w *promised) image(n int) string {
	i := Image{Name: fmt.Sprint("image", n), Digest: fmt.Sprintf("%064x", n), Kind: "kernel", Size: 1}
	w.do(PutImage{i})
	return i.Reference()
}

// of returns a small specification of the image.
func (w *promised) of(image string) *Spec {
	s := w.spec(1, 10, nil)
	s.Image = image
	return s
}

func TestVMsAreGivenTheTimeThatNineOfTenStartsTook(t *testing.T) {
	w := newPromised(t)
	if got := w.s.startTime(w.of("x@sha256:unknown")); got != bootTime {
		t.Errorf("before any start: %v s", got.Seconds())
	}
	for i := range fewStarts + maxStarts {
		tx := &transaction{State: w.s}
		w.s.Now = Hour
		tx.measureStart(fmt.Sprint(i), Hour-Time(i%10+1)*2*Second)
	}
	if got := w.s.startTime(w.of("x@sha256:unknown")); got != 18*Second || len(w.s.starts) != maxStarts {
		t.Errorf("of 2 s to 20 s: %v s, of %d starts", got.Seconds(), len(w.s.starts))
	}
	if got := w.s.lead(w.spec(1, 100, nil)); got != 19*Second {
		t.Errorf("with the time to save 16 MiB: %v s", got.Seconds())
	}
}

func TestAnImageThatBootsSlowlyIsStartedEarlierThanAFastOne(t *testing.T) {
	w := newPromised(t)
	on := w.node("a", 8000)
	w.do(Report{Node: on, FenceAlive: true, StoreProven: true, StoreFree: 1 << 40})
	w.later(Hour)
	slow, fast, unknown := w.image(1), w.image(2), w.image(3)
	for range fewOfImage {
		w.start(w.of(slow), on, 60*Second)
		w.start(w.of(fast), on, 4*Second)
	}
	for image, want := range map[string]Time{slow: Minute, fast: leastStart, unknown: Minute} {
		if got := w.s.startTime(w.of(image)); got != want {
			t.Errorf("%s is given %v s, not %v", image, got.Seconds(), want.Seconds())
		}
	}
	reserved := func(image string) *Promise {
		s := w.of(image)
		s.Reserve = &Reservation{w.s.Now + Hour, Hour}
		return w.s.PromiseTo(w.submit(s))
	}
	if early, late := reserved(slow).Lead, reserved(fast).Lead; early-late != 55*Second {
		t.Errorf("their VMs are started %v s and %v s before", early.Seconds(), late.Seconds())
	}
}

func TestRestoresCountForJobsThatMayBePausedAlone(t *testing.T) {
	w := newPromised(t)
	for range fewStarts {
		tx := &transaction{State: w.s}
		w.s.Now = Hour
		tx.measureStart("digest", Hour-7*Second)
		tx.measureRestore(Hour - 40*Second)
	}
	spec := w.of("x@sha256:digest")
	if got := w.s.startTime(spec); got != 7*Second {
		t.Errorf("a new VM is given %v s", got.Seconds())
	}
	spec.Deadline = &Deadline{By: 3 * Hour, Lasts: Hour}
	if got := w.s.startTime(spec); got != 40*Second {
		t.Errorf("one that may be resumed is given %v s", got.Seconds())
	}
}

func TestStartsOfSixtyFourImagesAreKept(t *testing.T) {
	w := newPromised(t)
	for i := range maxBoots + 2 {
		for range maxOfImage + 1 {
			tx := &transaction{State: w.s}
			w.s.Now = Time(i+1) * Minute
			tx.measureStart(fmt.Sprint(i), w.s.Now-Second)
			tx.measureStart("2", w.s.Now-Second)
		}
	}
	if w.s.boots.Len() != maxBoots || w.s.bootsOf("0") != nil || w.s.bootsOf("1") != nil && w.s.bootsOf("3") == nil {
		t.Errorf("%d are kept", w.s.boots.Len())
	}
	if got := len(w.s.bootsOf("2")); got != maxOfImage {
		t.Errorf("%d starts of one image are kept", got)
	}
	if err := w.s.Check(); err != nil {
		t.Error(err)
	}
}

func TestStartsAreReadBackAndHashed(t *testing.T) {
	w := newPromised(t)
	w.s.restores = []Time{Second, Minute}
	first := Boots{"digest", 5 * Second, []Time{Second, 2 * Second}}
	w.s.boots.ReplaceOrInsert(&first)
	hash := w.s.Hash()
	back, err := Decode(bytes.NewReader(written(t, w.s)))
	if err != nil || back.Hash() != hash || !slices.Equal(back.bootsOf("digest"), first.Latest) ||
		!slices.Equal(back.restores, w.s.restores) {
		t.Errorf("read back: %v, %v, %v", back.bootsOf("digest"), back.restores, err)
	}
	for _, other := range []Boots{{"other", first.Last, first.Latest}, {"digest", 1, first.Latest},
		{"digest", first.Last, []Time{Second}}} {
		back.boots.Clear(false)
		if back.boots.ReplaceOrInsert(&other); back.Hash() == hash {
			t.Errorf("%+v has the hash of %+v", other, first)
		}
	}
	for _, wrong := range [][]Time{nil, {-1}, {maxLead + 1}, slices.Repeat([]Time{Second}, maxOfImage+1)} {
		w.s.boots.ReplaceOrInsert(&Boots{"digest", 1, wrong})
		if _, err := Decode(bytes.NewReader(written(t, w.s))); err == nil || w.s.Check() == nil {
			t.Errorf("%v: read back, or an invariant holds", wrong)
		}
	}
}

// Below the format that knows them, restores are among the starts, as earlier programs put them there.
func TestBelowTheirFormatStartsAreNotMeasuredByImage(t *testing.T) {
	w := newPromised(t)
	w.s.Format, w.s.Now = learns-1, Hour
	tx := &transaction{State: w.s}
	tx.measureStart("digest", Hour-Second)
	tx.measureRestore(Hour - Minute)
	if !slices.Equal(w.s.starts, []Time{Second, Minute}) || w.s.boots.Len() > 0 || w.s.restores != nil {
		t.Errorf("starts %v, restores %v, %d images", w.s.starts, w.s.restores, w.s.boots.Len())
	}
}
