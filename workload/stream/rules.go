package stream

import (
	"errors"
	"fmt"

	"aliquot/cluster"
	"aliquot/workload/prepare"
	"aliquot/workload/swf"
)

// Rules define the meaning of a log's records, in the words of a user.
type Rules struct {
	Name       string // generic or hpc2n
	Cores      int64  // generic: processors of a node; 0: as the log says, or 1
	NodeMemory string // generic: memory of a node, like 2Gi; "": jobs take 10 % of a node
}

// For returns the selected rules. The log's header supplies missing values.
func (r Rules) For(h swf.Header) (prepare.Rules, error) {
	switch {
	case r.Name == "hpc2n" && (r.Cores != 0 || r.NodeMemory != ""):
		return prepare.Rules{},
			errors.New("the rules hpc2n know the node: use --cores and --node-memory with --rules generic only")
	case r.Name == "hpc2n":
		return prepare.HPC2N(), nil
	case r.Name != "generic":
		return prepare.Rules{}, fmt.Errorf("there are no rules %q: use generic or hpc2n", r.Name)
	case r.Cores < 0:
		return prepare.Rules{}, errors.New("--cores must be at least 1")
	}
	var memory cluster.Bytes
	if r.NodeMemory != "" {
		var err error
		if memory, err = cluster.ParseBytes(r.NodeMemory); err != nil || memory < 1024 {
			return prepare.Rules{}, fmt.Errorf("--node-memory: %q is not an amount of memory like 2Gi", r.NodeMemory)
		}
	}
	cores := r.Cores
	if processors, nodes := h.Number("MaxProcs"), h.Number("MaxNodes"); cores == 0 && nodes > 0 {
		cores = processors / nodes
	}
	return prepare.Generic(prepare.Node{Processors: max(1, cores), Memory: memory}), nil
}
