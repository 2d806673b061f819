package experiments

import (
	"fmt"

	"aliquot/cluster"
	"aliquot/sim"
	"aliquot/sim/reproduce/reserve"
	"aliquot/sim/sweep"
	"aliquot/sim/trials"
)

// ReserveEntries returns the trials of the experiments on reservations, in the same order.
func ReserveEntries(experiments []reserve.Experiment) ([]trials.Entry, error) {
	all := make([]trials.Entry, len(experiments))
	var from *trials.Source
	for i, e := range experiments {
		if from == nil || from.Name != e.Name() {
			from = &trials.Source{Name: e.Name(), Kind: "reservations", Load: e.Draw}
		}
		digest, err := from.Identify()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", from.Name, err)
		}
		t, err := sweep.New(from.Name, digest, reserve.Processors, "reserve/"+e.Policy, 0,
			cluster.Time(e.Cost)*cluster.Second, sim.Terms{})
		if err != nil {
			return nil, err
		}
		all[i] = trials.Entry{Trial: t, Source: from}
	}
	return all, nil
}
