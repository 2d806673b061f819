package hetero

import (
	"fmt"
	"math"
	"math/rand/v2"

	"aliquot/policy/hetero"
	"aliquot/sim/site"
)

// Sites is the number of sites: number 0 is the synthetic campus, the others differ from it at random.
const Sites = 13

// kind is a class of jobs of the paper with its times on the campus.
type kind struct {
	name    string
	speedup float64    // of eight machines; 0: runs on one machine only
	seconds [9]float64 // by class of machines
}

// The paper's times are lost; these are invented. The speedups were chosen so that PJS saves nearly 50 % for five jobs
// at once, as the text claims; no other claim was fitted.
var kinds = []kind{
	{"vector-matrix", 3.0, [9]float64{420, 340, 270, 210, 150, 460, 370, 290, 220}},
	{"integration", 4.5, [9]float64{640, 520, 410, 310, 220, 560, 430, 310, 190}},
	{"sort", 1.4, [9]float64{300, 250, 210, 170, 140, 230, 180, 140, 105}},
	{"statistics", 0, [9]float64{410, 340, 280, 230, 180, 350, 270, 200, 140}},
	{"conjugate-gradient", 2.4, [9]float64{480, 390, 300, 220, 150, 590, 470, 360, 270}},
}

var classes = [9]string{"sparc-1", "sparc-2", "sparc-3", "sparc-4", "sparc-5", "pentium-1", "pentium-2", "pentium-3",
	"pentium-4"}

// Campus returns a site with 142 machines in 18 clusters, two of each class: 17 of eight machines and one of six.
func Campus(number int) *site.Site {
	s := &site.Site{}
	for c := range 2 * len(classes) {
		size := 8
		if c == 2*len(classes)-1 {
			size = 6
		}
		cluster := hetero.Cluster{Name: fmt.Sprint("c", c+1), Class: classes[c/2], Least: size}
		for range size {
			cluster.Members = append(cluster.Members, len(s.Machines))
			s.Machines = append(s.Machines, hetero.Machine{Name: fmt.Sprint("m", len(s.Machines)+1), Class: classes[c/2]})
		}
		s.Clusters = append(s.Clusters, cluster)
	}
	s.Times = times(s, rand.New(rand.NewPCG(2001, uint64(number))), number > 0)
	return s
}

// times returns the times of all kinds on the site. Those of another site than the campus are multiplied by exp(N/4)
// with N normal, and its speedups by 0.7 to 1.5.
func times(s *site.Site, dice *rand.Rand, another bool) *hetero.Table {
	var names []string
	for _, k := range kinds {
		names = append(names, k.name)
	}
	t := hetero.NewTable(&s.Site, names)
	for i, k := range kinds {
		speedup := k.speedup
		if another {
			speedup *= 0.7 + 0.8*dice.Float64()
		}
		for class, seconds := range k.seconds {
			if another {
				seconds *= math.Exp(dice.NormFloat64() / 4)
			}
			for c := 2 * class; c < 2*class+2; c++ {
				members := s.Clusters[c].Members
				for _, m := range members {
					t.Sequential[i][m] = hetero.Ticks(1000 * seconds)
				}
				if k.speedup > 0 { // a cluster of six speeds up by less
					part := 1 + (speedup-1)*float64(len(members)-1)/7
					t.Parallel[i][c] = hetero.Ticks(1000 * seconds / max(part, 0.5))
				}
			}
		}
	}
	return t
}

// overhead returns a table of random times for case 1: of as many types as there are jobs, of which a part may run in
// parallel, in a third of the time on average.
func overhead(e Experiment) *hetero.Table {
	dice := rand.New(rand.NewPCG(2001, uint64(e.Jobs)))
	s := &hetero.Site{Machines: make([]hetero.Machine, e.Machines)}
	if e.Policy == pjs {
		for c := range 5 {
			s.Clusters = append(s.Clusters, hetero.Cluster{Members: []int{4 * c, 4*c + 1, 4*c + 2, 4*c + 3}})
		}
	}
	t := hetero.NewTable(s, make([]string, e.Jobs))
	for k := range t.Types {
		for m := range t.Sequential[k] {
			t.Sequential[k][m] = hetero.Ticks(1000 + dice.IntN(199_000))
		}
		if dice.IntN(100) < e.Percent {
			for c := range t.Parallel[k] {
				t.Parallel[k][c] = hetero.Ticks(1000 + dice.IntN(66_000))
			}
		}
	}
	return t
}
