package xentest

import (
	"encoding/json"
	"testing"
)

// BenchmarkRound measures the CPU time of an emulated dom0 for one round of a monitor that has no VMs, or thirty which
// write nothing: a listing and a sample, with what they cost libvirt. It runs once only: -count 1.
func BenchmarkRound(b *testing.B) {
	for name, vms := range map[string]string{"empty": "0", "thirty": "30"} {
		b.Run(name, func(b *testing.B) {
			s := newScene(b)
			s.Cleanup(func() {
				s.node("xn1", "end")
				s.sh("xn1", "losetup --detach-all")
			})
			var cost []float64
			if err := json.Unmarshal([]byte(s.node("xn1", "crowd", vms)), &cost); err != nil {
				b.Fatal(err)
			}
			sum := 0.0
			for _, ms := range cost {
				sum += ms
			}
			b.ReportMetric(sum/float64(len(cost)), "ms/round")
		})
	}
}
