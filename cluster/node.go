package cluster

// Node is one machine with a hypervisor, as its monitor last described it.
type Node struct {
	ID          NodeID
	Name        string
	Description Description
	Health      Health
	Cordoned    bool // takes no new VMs
	Draining    bool // …and its VMs are to leave
	Since       Time // of the present health
	Boot        string
	FenceAlive  bool // at its last report
	StoreProven bool // reads and writes the cluster's store of saved images
	Foreign     Foreign
	Strays      []RunID // VMs of ours found there that State does not expect there
	Condemned   []RunID // VMs to be destroyed there: an operator gave them up, or they went on elsewhere
	Load        Load    // promised by the Target
	Occupied    Bytes   // memory taken by VMs and by moves on their way here
}

// Description is what a monitor says of its node when it connects.
type Description struct {
	CPU        CPU   // capacity less the reserve
	Memory     Bytes // capacity less the reserve
	Overhead   Bytes // charged per VM on top of its memory
	Platforms  []string
	Hypervisor string // for people: "QEMU 7.2.22, TCG: KVM did not boot the test guest"
	MigrateURI string // where other nodes send VMs to
	Labels     []Pair
}

// Limits on what a node says of itself: it may be broken, or in wrong hands. Sums over all nodes stay within 63 bits,
// and one node's overhead, which is charged everywhere if it is the largest, takes no cluster's memory.
const (
	MaxNodeCPU    CPU   = 1 << 30 // a million cores
	MaxNodeMemory Bytes = 1 << 46 // 64 TiB
	MaxOverhead   Bytes = 4 << 30
	maxStrays           = 4096 // that State keeps of one node; the others stay frozen, and are listed when there is room
)

// Plausible reports whether a node can have what it describes.
func (d *Description) Plausible() bool {
	return d.CPU >= 0 && d.CPU <= MaxNodeCPU && d.Memory >= 0 && d.Memory <= MaxNodeMemory &&
		d.Overhead >= 0 && d.Overhead <= min(d.Memory, MaxOverhead)
}

// Foreign is what VMs that are not ours use of a node.
type Foreign struct {
	CPU    CPU
	Memory Bytes
}

// Health is what the leader knows of a node.
type Health uint8

// The healths of a node.
const (
	Ready  Health = iota // its lease is valid
	Silent               // its lease has run out; its VMs may still run
	Down                 // fenced or confirmed down: nothing of ours runs there
)

func (h Health) String() string { return [...]string{"ready", "silent", "down"}[h] }

// Offer is what a node has for VMs of ours.
type Offer struct {
	CPU    CPU
	Memory Bytes
}

// Capacity is what the node has for VMs of ours, whether or not it takes new ones.
func (n *Node) Capacity() Offer {
	return Offer{
		CPU:    max(0, n.Description.CPU-n.Foreign.CPU),
		Memory: max(0, n.Description.Memory-n.Foreign.Memory),
	}
}

func (n *Node) clone() *Node { c := *n; return &c }

// Allows tells whether a task of the job may run on the node, given the platform its run is bound to ("" is any).
func (n *Node) Allows(s *Spec, platform string) bool {
	return n.named(s.Placement.Nodes) && n.carries(s.Placement.Match) && (platform == "" || n.offers(platform))
}

func (n *Node) named(names []string) bool {
	if len(names) == 0 {
		return true
	}
	for _, name := range names {
		if name == n.Name {
			return true
		}
	}
	return false
}

func (n *Node) carries(match []Pair) bool {
	for _, want := range match {
		if !contains(n.Description.Labels, want) {
			return false
		}
	}
	return true
}

func (n *Node) offers(platform string) bool { return contains(n.Description.Platforms, platform) }

func contains[T comparable](list []T, x T) bool {
	for _, y := range list {
		if x == y {
			return true
		}
	}
	return false
}
