package host

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"aliquot/cluster"
)

func TestRoundIsTheSameWorkEveryTime(t *testing.T) {
	next := ring()
	seen := make([]bool, len(next))
	for at, n := uint32(0), 0; n < len(next); n++ {
		at = next[at]
		if seen[at] {
			t.Fatalf("the walk is back at %d after %d of %d places", at, n, len(next))
		}
		seen[at] = true
	}
	if x, at := calculate(1), walk(next, 0); x != 0xdd6540027fdf31c2 || at != 0 {
		t.Errorf("the results are %#x and %d: the benchmark has changed, and what nodes keep means something else", x, at)
	}
}

func TestMeasuredSpeedsAreTwentiethsOfTheReference(t *testing.T) {
	for took, want := range map[time.Duration]cluster.Speed{
		reference: 1000, reference * 100 / 98: 1000, reference * 100 / 102: 1000, reference * 100 / 96: 950,
		2 * reference: 500, reference / 2: 2000, reference * 100: cluster.MinSpeed, reference / 100: cluster.MaxSpeed,
		0: cluster.MaxSpeed,
	} {
		if got := speedOf(took); got != want {
			t.Errorf("a round of %v is the speed %d, not %d", took, got, want)
		}
	}
}

// A figure that is kept counts until the processor or the benchmark is another.
func TestSpeedIsMeasuredOnce(t *testing.T) {
	m := newMachine(t)
	data := t.TempDir()
	path := filepath.Join(data, SpeedFile)
	m.write("cpuinfo", "processor : 0\nvendor_id : AuthenticAMD\nmodel name : AMD EPYC 9004\n")
	speed := func() cluster.Speed {
		t.Helper()
		v, err := Speed(m.proc, data)
		if err != nil || v < cluster.MinSpeed || v > cluster.MaxSpeed || v%coarse != 0 {
			t.Fatalf("the speed is %d, %v", v, err)
		}
		return v
	}
	keep := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	speed()
	const odd = `{"Benchmark":4370000,"Processor":"AMD EPYC 9004","Speed":333}`
	keep(odd)
	if got, err := Speed(m.proc, data); got != 333 || err != nil {
		t.Errorf("the kept figure is 333, and the speed is %d, %v", got, err)
	}
	keep(`{"Benchmark":1,"Processor":"AMD EPYC 9004","Speed":333}`)
	speed()
	keep(`{"Benchmark":46`)
	speed()
	keep(odd)
	m.write("cpuinfo", "processor : 0\nvendor_id : GenuineIntel\nmodel name : Intel Xeon\n")
	speed()
}
