package benchmark

import (
	"math"
	"runtime"
	"time"

	"aliquot/packing"
	"aliquot/packing/study/instance"
)

// Speed is how long the search for the yield by MCB8 takes on a family.
type Speed struct {
	Family       string  `json:"family"`
	Tasks        int     `json:"tasks"`
	Memory       float64 `json:"memory"` // required by all tasks, as a fraction of the nodes'
	Need         float64 `json:"need"`   // CPU need of all tasks, likewise
	Milliseconds float64 `json:"milliseconds"`
	Probes       int     `json:"probes"`
	Dropped      int     `json:"dropped"`
	Yield        float64 `json:"yield"`
	Distinct     bool    `json:"-"` // all tasks differ
}

// Time returns the fastest of a few runs on the instance of seed 1, since other programs may use the machine too. The
// result is void once stop returns true.
func Time(f instance.Family, workers int, stop func() bool) Speed {
	p, order := f.Draw(1)
	s := Speed{Family: f.String(), Milliseconds: math.Inf(1), Distinct: f.PerJob == 1 && !f.Discrete && f.Memory == 0.7}
	s.Need, s.Memory = instance.Sums(p)
	for i := range p.Items {
		s.Tasks += p.Items[i].Count
	}
	for runs := 0; runs < max(3, 200_000/s.Tasks) && !stop(); runs++ {
		begun := time.Now()
		r := packing.Options{Workers: min(workers, runtime.NumCPU())}.Search(p, order)
		s.Milliseconds = min(s.Milliseconds, float64(time.Since(begun).Nanoseconds())/1e6)
		s.Probes, s.Dropped, s.Yield = r.Probes, len(r.Dropped), r.Yield
	}
	return s
}
