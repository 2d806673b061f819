package gen

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"aliquot/cluster"
	"aliquot/workload"
)

// drawn are the draws of one kind of jobs, as parts of the whole.
type drawn struct{ use, efficiency, loss []float64 }

func twoTiers() (one, several drawn) {
	for _, j := range TwoTiers(NewDice(5, 0), Jann.Draw(NewDice(5, 0), 320, 2*draws)) {
		d := &several
		if j.Tasks == 1 {
			d = &one
		}
		d.use = append(d.use, float64(j.Need)/float64(workload.UnitCPU))
		d.efficiency = append(d.efficiency, float64(j.Efficiency)/float64(cluster.Whole))
		d.loss = append(d.loss, float64(j.Loss)/float64(cluster.Whole))
	}
	return one, several
}

func TestPropertiesOfTheTiersFollowTheirDistributions(t *testing.T) {
	one, several := twoTiers()
	normal := distuv.Normal{Mu: 0.482, Sigma: 0.142}
	low := normal.CDF(0.198)
	cut := func(x float64) float64 { return (normal.CDF(x) - low) / (normal.CDF(0.766) - low) }
	between := func(low, high float64) func(float64) float64 { return distuv.Uniform{Min: low, Max: high}.CDF }
	for name, c := range map[string]struct {
		sample []float64
		cdf    func(float64) float64
	}{
		"efficiency of one task":      {one.efficiency, between(0.80, 0.92)},
		"efficiency of several tasks": {several.efficiency, cut},
		"use of several tasks":        {several.use, between(0.4, 1)},
		"loss of one task":            {one.loss, between(0.005, 0.04)},
		"loss of several tasks":       {several.loss, between(0.005, 0.04)},
	} {
		var uniform []float64
		for _, x := range c.sample {
			uniform = append(uniform, c.cdf(x))
		}
		if d := distance(uniform); d > critical {
			t.Errorf("%s: √n·D = %.2f", name, d)
		}
	}
	for _, use := range one.use {
		if use != 1 {
			t.Fatalf("one task uses %v", use)
		}
	}
}

func TestPropertiesOfTheTiersAreIndependent(t *testing.T) {
	_, d := twoTiers()
	for name, pair := range map[string][2][]float64{
		"use and efficiency": {d.use, d.efficiency}, "use and loss": {d.use, d.loss},
		"efficiency and loss": {d.efficiency, d.loss},
	} {
		if r := stat.Correlation(pair[0], pair[1], nil); math.Abs(r) > 3.3/math.Sqrt(float64(len(d.use))) {
			t.Errorf("%s are correlated: %v", name, r)
		}
	}
}

func TestPropertiesOfTheTiersLeaveTheStreamAsItWas(t *testing.T) {
	plain := Feitelson.Draw(NewDice(1, 0), 320, 200)
	tiered := TwoTiers(NewDice(1, 0), plain)
	for i, j := range tiered {
		if err := j.Check(); err != nil {
			t.Fatal(err)
		}
		j.Need, j.Efficiency, j.Loss = plain[i].Need, 0, 0
		if diff := cmp.Diff(plain[i], j); diff != "" {
			t.Fatal(diff)
		}
	}
	if diff := cmp.Diff(tiered[:50], TwoTiers(NewDice(1, 0), plain[:50])); diff != "" {
		t.Errorf("a shorter stream has other draws:\n%s", diff)
	}
}
