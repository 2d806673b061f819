package market

import "testing"

// snapshot draws the holes of a busy machine of 430 processors, and a workflow of 100 tasks of 22 on average.
func snapshot(seed int) *Advertised {
	d := newDraw(seed)
	free := NewProfile(430)
	for range 200 {
		n, run := 1<<d.from(0, 7), Time(d.from(60, 3600))
		if d.IntN(4) == 0 {
			run = Time(d.from(3600, 40000))
		}
		start := free.Earliest(0, run, n)
		free.Take(start, start+run, n)
	}
	return &Advertised{Workflow: d.workflow(100, 43, 1500, 0), Sites: 1, Slots: free.Advertise(0)}
}

func BenchmarkMOGA(b *testing.B) {
	a := snapshot(1)
	for b.Loop() {
		a.MOGA(1)
	}
}

func BenchmarkBestOnSlots(b *testing.B) {
	a := snapshot(1)
	for b.Loop() {
		a.Best()
	}
}

func BenchmarkSweepOnSlots(b *testing.B) {
	a := snapshot(1)
	for b.Loop() {
		a.Sweep()
	}
}
