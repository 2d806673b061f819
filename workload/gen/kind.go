package gen

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"
)

// Kind is a population of jobs with the parameters that Lublin and Feitelson fitted. Sizes are in log2
// of tasks, times in log of seconds.
type Kind struct {
	Name string

	Serial   float64 // probability of one task
	PowerOf2 float64 // probability of a power of two, jobs of one task excluded
	Low      float64 // least size of a parallel job
	Bend     float64 // distance of the bend of the distribution below the largest size
	Margin   float64 // distance of the largest size below the machine's size
	LowProb  float64 // probability of a size below the bend

	Short, Long Gamma   // the two stages of run times
	Slope       float64 // probability of Short by tasks:
	Intercept   float64 // Slope·tasks + Intercept, clamped to 0…1

	Gap   Gamma   // time between jobs at rush hour
	Ratio float64 // mean rate over rush-hour rate, applied to the shape of Gap
	Day   Gamma   // time of arrivals in the day, in half hours from midnight; the fitted day starts at 5:00
}

// Gamma is a gamma distribution with shape and scale, as in the paper.
type Gamma struct{ Shape, Scale float64 }

func (g Gamma) over(src source) distuv.Gamma {
	return distuv.Gamma{Alpha: g.Shape, Beta: 1 / g.Scale, Src: src}
}

// The published populations: batch and interactive jobs, which run side by side, and one fitted to all
// jobs.
var (
	Batch = Kind{
		Name: "batch", Serial: 0.2927, PowerOf2: 0.6686, Low: 1.2, Bend: 2, Margin: 0, LowProb: 0.875,
		Short: Gamma{6.57, 0.823}, Long: Gamma{639.1, 0.0156}, Slope: -0.003, Intercept: 0.6986,
		Gap: Gamma{6.0415, 0.8531}, Ratio: 1.0519, Day: Gamma{6.1271, 5.2740},
	}
	Interactive = Kind{
		Name: "interactive", Serial: 0.1541, PowerOf2: 0.625, Low: 1, Bend: 2.5, Margin: 1.5, LowProb: 0.705,
		Short: Gamma{3.8351, 0.6605}, Long: Gamma{7.073, 0.6856}, Slope: -0.0118, Intercept: 0.9156,
		Gap: Gamma{6.5510, 0.6621}, Ratio: 0.9797, Day: Gamma{8.9186, 3.6680},
	}
	All = Kind{
		Name: "all", Serial: 0.244, PowerOf2: 0.576, Low: 0.8, Bend: 2.5, Margin: 0, LowProb: 0.86,
		Short: Gamma{4.2, 0.94}, Long: Gamma{312, 0.03}, Slope: -0.0054, Intercept: 0.78,
		Gap: Gamma{10.2303, 0.4871}, Ratio: 1.0225, Day: Gamma{8.1737, 3.9631},
	}
)

// ParseKinds returns the kinds of a list such as "batch,interactive".
func ParseKinds(list string) ([]Kind, error) {
	known := []Kind{Batch, Interactive, All}
	var kinds []Kind
	for name := range strings.SplitSeq(list, ",") {
		i := slices.IndexFunc(known, func(k Kind) bool { return k.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no kind of jobs %q; there are batch, interactive and all", name)
		}
		kinds = append(kinds, known[i])
	}
	return kinds, nil
}
