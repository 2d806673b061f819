package model

import (
	"hash/fnv"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"aliquot/cluster"
	"aliquot/monitor"
)

// Pace is the speed of the modelled hardware.
type Pace struct {
	Boot time.Duration // CPU time that a guest needs to boot, on average
	Save cluster.Bytes // memory written to or read from the store in a second, per VM
	Send cluster.Bytes // memory sent to another node in a second, per VM
}

// Usual is the pace of small guests on ordinary machines.
var Usual = Pace{Boot: 400 * time.Millisecond, Save: 512 * cluster.MiB, Send: 1024 * cluster.MiB}

// HandOver is how a migration ends at its switch-over.
type HandOver uint8

// The ends of a migration.
const (
	Released HandOver = iota // the peer has the VM, paused
	Kept                     // it goes on here; the peer has nothing
	Torn                     // it goes on here; the peer keeps a paused copy, which must never run
	Held                     // it is paused on both nodes, and neither knows which copy counts
)

// Fleet is a set of nodes that can send VMs to each other.
type Fleet struct {
	// HandOver chooses how the migration between two nodes ends, and may take time. It is set before any node is added.
	// nil: each VM is released.
	HandOver func(vm monitor.VM, from, to string) HandOver

	pace Pace
	log  zerolog.Logger

	mu    sync.Mutex
	nodes map[string]*Node // by migration URI
}

// NewFleet returns a fleet without nodes.
func NewFleet(pace Pace, log zerolog.Logger) *Fleet {
	return &Fleet{pace: pace, log: log, nodes: map[string]*Node{}}
}

// Add makes a node of the given capacity at the reference speed. Each name may be used once.
func (f *Fleet) Add(name string, cpu cluster.CPU) *Node { return f.AddAt(name, cpu, 0) }

// AddAt makes a node of the given capacity, in reference millicores, and speed.
func (f *Fleet) AddAt(name string, cpu cluster.CPU, speed cluster.Speed) *Node {
	n := &Node{fleet: f, name: name, cpu: cpu, speed: speed, changes: make(chan struct{}, 1),
		domains: map[monitor.VM]*domain{}, ended: map[monitor.VM]death{}}
	n.timer = time.AfterFunc(time.Hour, n.tick)
	n.timer.Stop()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.nodes[n.uri()] = n
	return n
}

// node returns the node with the migration URI, or nil.
func (f *Fleet) node(uri string) *Node {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.nodes[uri]
}

// handOver returns how the VM's migration ends.
func (f *Fleet) handOver(vm monitor.VM, from, to string) HandOver {
	if f.HandOver == nil {
		return Released
	}
	return f.HandOver(vm, from, to)
}

// variety returns a number from 0 to 1 that is fixed for the VM.
func variety(vm monitor.VM) float64 {
	h := fnv.New32a()
	h.Write([]byte(vm.Run.String()))
	return float64(h.Sum32()*2654435761) / (1 << 32)
}
