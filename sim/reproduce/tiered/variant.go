package tiered

import (
	"cmp"
	"fmt"
)

// Names of the policies. A blind policy knows nothing of the CPU that tasks use.
const (
	fcfs       = "FCFS"
	easy       = "EASY"
	keasy      = "KEASY"
	measy      = "MEASY"
	reasy      = "REASY"
	reasyProse = "REASY/extra=prose"
	keasyBlind = "KEASY/blind"
	measyBlind = "MEASY/blind"

	attained     = "attained"
	attainedFree = "attained/pay=0.3"
)

// Costs of a migration, in seconds.
const (
	usual     = 20  // the paper's
	expensive = 300 // where images of VMs are large
)

// costs of a migration in Figures 13 and 14, in seconds. The paper names those from 480 on.
var costs = []float64{usual, 60, 120, 300, 480, 900, 1500, 3000}

// Variant is a policy with the conditions under which it runs.
type Variant struct {
	Policy     string  // name in the catalog
	PerProcess bool    // each process has a use of its own, not each job
	Cost       float64 // of a migration, in seconds
}

func plain(policy string) Variant { return Variant{Policy: policy, Cost: usual} }

func perProcess(policy string) Variant { return Variant{policy, true, usual} }

func costing(policy string, seconds float64) Variant { return Variant{Policy: policy, Cost: seconds} }

// String returns the name of the variant in figures.
func (v Variant) String() string {
	name := v.Policy
	if v.PerProcess {
		name += ", use per process"
	}
	if v.Cost != usual {
		name += fmt.Sprintf(", %g s", v.Cost)
	}
	return name
}

// Compare orders variants.
func (v Variant) Compare(o Variant) int {
	return cmp.Or(cmp.Compare(v.Policy, o.Policy), cmp.Compare(v.String(), o.String()), cmp.Compare(v.Cost, o.Cost))
}
