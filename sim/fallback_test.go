package sim

import (
	"errors"
	"strings"
	"testing"

	"aliquot/cluster"
	"aliquot/policy"
	"aliquot/workload"
)

// fallible is a policy whose solver gives up.
type fallible struct{ script }

func (f fallible) Decide(v *cluster.View) policy.Decision {
	d := f.script.Decide(v)
	d.Fallback = errors.New("the solver gave up")
	return d
}

func TestAPolicyThatFallsBackIsNotSimulatedAsIfItDidNot(t *testing.T) {
	jobs := []workload.Job{{ID: 1, Tasks: 1, Need: workload.UnitCPU, Memory: workload.UnitMemory, Runtime: cluster.Minute}}
	if _, err := Run(Setup{Nodes: Units(1), Policy: fallible{}}, jobs); err == nil ||
		!strings.Contains(err.Error(), "at 0 s the policy does not decide by its own rule: the solver gave up") {
		t.Error(err)
	}
}
