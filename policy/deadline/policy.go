package deadline

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"aliquot/cluster"
	"aliquot/policy"
)

// Policy admits jobs with deadlines and keeps them.
type Policy struct {
	theta    float64 // most that a job may cost, in hours of all nodes; 0: jobs may cost anything
	withheld int     // part of the nodes that is not planned, in millionths
	*book
}

// Name is the policy's name without parameters.
const Name = "reserve/shares"

const (
	usualTheta = 0.7
	most       = 1_000_000 // theta
	million    = 1_000_000
)

// New returns the policy. It accepts the parameters theta=HOURS and withheld=PART. The period does not matter.
func New(_ string, parameters []string, _ cluster.Time) (Policy, error) {
	p := Policy{usualTheta, 0, &book{}}
	given := map[string]bool{}
	for _, text := range parameters {
		key, value, _ := strings.Cut(text, "=")
		number, err := strconv.ParseFloat(value, 64)
		switch {
		case given[key]:
			return p, fmt.Errorf("%s is given twice", key)
		case key == "theta" && err == nil && positive(number, most):
			p.theta = number
		case key == "withheld" && err == nil && positive(number, 0.9):
			p.withheld = int(math.Round(number * million))
		case key == "theta":
			return p, fmt.Errorf("theta is %q, must be a number of hours, 0 to admit at any price", value)
		case key == "withheld":
			return p, fmt.Errorf("withheld is %q, must be a number from 0 to 0.9", value)
		default:
			return p, fmt.Errorf("there is no parameter %q; there are theta=HOURS and withheld=PART", text)
		}
		given[key] = true
	}
	return p, nil
}

// positive reports whether a number is from 0 to most, and not -0, of which the name would be another.
func positive(number, most float64) bool {
	return number >= 0 && number <= most && !math.Signbit(number)
}

// String returns the canonical name.
func (p Policy) String() string {
	name := Name
	if p.theta != usualTheta {
		name += "/theta=" + strconv.FormatFloat(p.theta, 'f', -1, 64)
	}
	if p.withheld != 0 {
		name += "/withheld=" + strconv.FormatFloat(float64(p.withheld)/million, 'f', -1, 64)
	}
	return name
}

// Promises reports that the policy needs a cluster that keeps its promises.
func (p Policy) Promises() bool { return true }

// Decide answers the jobs that came and gives all that were admitted their levels.
func (p Policy) Decide(v *cluster.View) policy.Decision {
	d := decision{Draft: policy.Draft{Target: v.TargetAll(), Explains: true}, view: v, Policy: p}
	if v.Promises() == nil {
		for _, id := range v.Pending().Submitted {
			d.Refuse(v.Job(id), cluster.WhyNoPromises)
		}
		return policy.Decision{Target: d.Target, Refuse: d.Refusals}
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.survey()
	d.follow(&d)
	d.admit(d.asking(v.Pending()))
	return policy.Decision{Alarms: d.grant(), Target: d.Target, Refuse: d.Refusals, Promise: d.promises,
		Why: slices.Values(d.Reasons)}
}
