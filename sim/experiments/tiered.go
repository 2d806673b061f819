package experiments

import (
	"fmt"

	"aliquot/cluster"
	"aliquot/sim"
	"aliquot/sim/reproduce/tiered"
	"aliquot/sim/sweep"
	"aliquot/sim/trials"
)

// TieredEntries returns the trials of the experiments on two tiers, in the same order.
func TieredEntries(experiments []tiered.Experiment) ([]trials.Entry, error) {
	all := make([]trials.Entry, len(experiments))
	var from *trials.Source
	for i, e := range experiments {
		if from == nil || from.Name != e.Name() {
			from = &trials.Source{Name: e.Name(), Kind: fmt.Sprintf("%s at load 0.%d", e.Workload, e.Tenth), Load: e.Draw}
		}
		digest, err := from.Identify()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", from.Name, err)
		}
		terms := sim.Terms{Estimates: "trace"}
		if e.PerProcess {
			terms.Uses = "process"
		}
		t, err := sweep.New(from.Name, digest, tiered.Processors, e.Policy, tiered.Period,
			cluster.Time(e.Cost)*cluster.Second, terms)
		if err != nil {
			return nil, err
		}
		all[i] = trials.Entry{Trial: t, Source: from}
	}
	return all, nil
}
