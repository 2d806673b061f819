package monitor

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"aliquot/cluster"
)

// VM names the virtual machine of a run.
type VM struct {
	Cluster [16]byte
	Run     cluster.RunID
}

const namePrefix = "aliquot-"

// Name returns the name shown by the hypervisor: aliquot-CLUSTER-JOB-INDEX-NUMBER, with the first 8
// hexadecimal digits of the cluster.
func (vm VM) Name() string {
	return namePrefix + hex.EncodeToString(vm.Cluster[:4]) + "-" + strings.ReplaceAll(vm.Run.String(), "/", "-")
}

// UUID returns the version 5 UUID of the run in the cluster's name space.
func (vm VM) UUID() string {
	return uuid.NewSHA1(uuid.UUID(vm.Cluster), []byte(vm.Run.String())).String()
}

func runOf(name string) (cluster.RunID, error) {
	part := strings.Split(name, "-")
	if len(part) != 5 || part[0]+"-" != namePrefix {
		return cluster.RunID{}, fmt.Errorf("%q is not named like a VM of a cluster", name)
	}
	run, err := cluster.ParseRunID(strings.Join(part[2:], "/"))
	if err != nil {
		return cluster.RunID{}, fmt.Errorf("%q is not named like a VM of a cluster: %w", name, err)
	}
	return run, nil
}

// ParseVM returns the VM with the name and UUID shown by a hypervisor. It returns an error if the VM
// does not belong to the cluster.
func ParseVM(of [16]byte, name, id string) (VM, error) {
	run, err := runOf(name)
	if err != nil {
		return VM{}, err
	}
	vm := VM{of, run}
	if vm.Name() != name || vm.UUID() != strings.ToLower(id) {
		return VM{}, fmt.Errorf("%q with UUID %s is no VM of cluster %s", name, strconv.Quote(id), hex.EncodeToString(of[:]))
	}
	return vm, nil
}
