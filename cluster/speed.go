package cluster

import (
	"fmt"
	"strconv"
)

// Speed is how fast a processor of a node works, in thousandths of the reference. 0 stands for the reference itself.
type Speed int64

// ReferenceSpeed is the speed of the processor of which CPU counts millicores.
const ReferenceSpeed Speed = 1000

// Limits on what a node may say of itself. At the highest speed, the smallest share of a vCPU is still one that
// hypervisors can enforce.
const (
	MinSpeed Speed = 50
	MaxSpeed Speed = 10_000
)

// plausible reports whether a node can have the speed.
func (v Speed) plausible() bool { return v == 0 || MinSpeed <= v && v <= MaxSpeed }

// Known returns the speed with 0 replaced by what it stands for.
func (v Speed) Known() Speed {
	if v == 0 {
		return ReferenceSpeed
	}
	return v
}

// String returns the speed as ParseSpeed reads it: 1 is the reference.
func (v Speed) String() string { return strconv.FormatFloat(float64(v.Known())/1000, 'f', -1, 64) }

// ParseSpeed reads a speed with up to three decimals, like 0.8. 1 is the reference.
func ParseSpeed(s string) (Speed, error) {
	v, err := fixed(s)
	if err != nil || v == 0 || !Speed(v).plausible() {
		return 0, fmt.Errorf("%q is no speed: write a number from %v to %v like 0.8, where 1 is the reference", s, MinSpeed,
			MaxSpeed)
	}
	return Speed(v), nil
}

// Reference returns what the node's own millicores are in reference millicores, rounded down.
func (v Speed) Reference(own CPU) CPU { return own * CPU(v.Known()) / CPU(ReferenceSpeed) }

// Own is the inverse of Reference.
func (v Speed) Own(reference CPU) CPU { return reference * CPU(ReferenceSpeed) / CPU(v.Known()) }

// Ceiling returns the most that a task with the given need can use at the speed, in reference millicores: what its
// vCPUs can do, if that is less than the need.
func (v Speed) Ceiling(need CPU) CPU {
	if v == 0 || v >= ReferenceSpeed {
		return need
	}
	return min(need, v.Reference(vcpus(need)*Core))
}

// vcpus returns the number of virtual CPUs of a task with the given need: the need rounded up to whole cores.
func vcpus(need CPU) CPU { return (need + Core - 1) / Core }

// A SpeedSource tells where a node's speed comes from.
type SpeedSource uint8

// The sources of speeds.
const (
	Declared SpeedSource = iota // by the monitor's settings
	Assumed                     // to be the reference: nobody has said
	Measured                    // by the monitor's benchmark
)

func (v SpeedSource) String() string { return [...]string{"declared", "assumed", "measured"}[v] }

// SpeedSource returns where the node's speed comes from.
func (d *Description) SpeedSource() SpeedSource {
	switch {
	case d.Speed == 0:
		return Assumed
	case d.Speed == d.Measured:
		return Measured
	}
	return Declared
}

// Processor returns what one of the node's processors does, in reference millicores.
func (d *Description) Processor() CPU { return d.Speed.Reference(Core) }

// Ceiling returns the most that a task of the job can use on the node, in reference millicores.
func (n *Node) Ceiling(s *Spec) CPU { return n.Description.Speed.Ceiling(s.Need) }
