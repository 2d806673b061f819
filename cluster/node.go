package cluster

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Node is one machine with a hypervisor. Apply keeps it as its monitor last described it. The fields that decisions
// read of every node come first, next to each other, so that few lines of the cache hold them.
type Node struct {
	ID     NodeID // given by the first Join, from 1; never reused
	Health Health // written by Join, SetHealth and SetNode with ConfirmDown
	// The node has no machine: it was removed, or only invited. Invariant: Health is Down and nothing uses it.
	Absent      bool
	Cordoned    bool // takes no new VMs; written by SetNode
	Draining    bool // its VMs must leave, too; written by SetNode. Invariant: Draining implies Cordoned
	FenceAlive  bool // at its last Report, its fence was alive
	StoreProven bool // at its last Report, it could read and write the cluster's store of saved images
	// At its last Report, its hypervisor did not answer: VMs there go on, but none can be started, stopped or moved.
	HypervisorSilent bool
	// When its link to the leader broke, while it has none: its VMs go on, but nobody can start, stop or move one there,
	// and what is known of it is as old. 0: it has a link. Written by SetLink.
	Unlinked Time
	// Revision that the orders behind its next report must have, because it may have VMs whose memory nobody counts: it
	// came back, and its runs may have been given up meanwhile, or a migration to it failed and may have left a copy.
	// Until then it takes no new VMs. 0: it takes them. Written by Join, SetHealth, Import and Report.
	Awaited uint64

	Load        Load          // sum of what the Target places there
	Astray      Bytes         // memory of VMs of ours that its orders do not mention, in bytes
	Foreign     Foreign       // use by VMs of others, by its last Report
	Description Description   // written by Join
	Occupied    Bytes         // memory of its VMs and of moves on their way here, in bytes
	Name        string        // unique; the key by which a Join finds its node
	Since       Time          // when Health last changed, in microseconds
	Boot        string        // boot id of its machine at the last Join
	Strays      []RunID       // VMs of ours that it reported but State does not expect. Invariant: sorted by run
	Condemned   []RunID       // runs whose copies there must be destroyed. Invariant: sorted by run
	Joined      uint64        // revision of its last Join; reports of earlier links do not count; 0: before Format 3
	Admission   uint64        // revision of its last Admit or RemoveNode; 0: it joined before Format 3
	Maintenance []Maintenance // planned, by start, without overlap. Invariant: the first alone may have begun
	Invitation  *Invitation   // last one, until a machine has joined by it; it may be open, used or expired; nil: none
}

// Description is a monitor's description of its node, sent when it connects.
type Description struct {
	CPU        CPU      // capacity less the reserve, in reference millicores
	Cores      int      // processors that it can bind VMs to, numbered from 1; 0: none
	Memory     Bytes    // capacity less the reserve, in bytes
	Overhead   Bytes    // charged per VM on top of its memory, in bytes
	Platforms  []string // that its VMs can run on; a run stays on the platform of its first start
	Hypervisor string   // for people: "QEMU 7.2.22, TCG: KVM did not boot the test guest"
	MigrateURI string   // destination that other nodes migrate VMs to; "": it cannot migrate
	Labels     []Pair   // that constraints match
	Program    string   // the monitor's version, for people; "": the release is too old to report it
	Speed      Speed    // of its processors; CPU is counted with it
	Bridged    bool     // it has a bridge that VMs can be on
	Isolates   bool     // it keeps the segments on its bridge apart; monitors before Format 10 do not
	Limits     bool     // it can limit the network cards of VMs; monitors before Format 10 do not say
	Diskless   bool     // its VMs boot no images of kind disk; monitors before Format 10 do not say
	Immobile   bool     // its VMs move nowhere alive, and none come so; monitors before Format 10 do not say
	Measured   Speed    // by the monitor's benchmark; 0: it ran none, because a speed is declared
	Class      string   // of nodes on which work is equally fast, for people to choose; "": none is known
}

// Limits on a node's description of itself, because a node may be broken or compromised. They keep sums over all nodes
// within 63 bits. The largest overhead is charged on every node; MaxOverhead keeps one node from using up the memory of
// the whole cluster that way.
const (
	MaxNodeCPU    CPU   = 1 << 30 // a million cores
	MaxNodeMemory Bytes = 1 << 46 // 64 TiB
	MaxOverhead   Bytes = 4 << 30
	MaxNodeCores        = 4096
	maxStrays           = 4096 // kept per node; further strays stay frozen, and are listed when there is room
)

// Limits on what a node is called and how it is labelled.
const (
	MaxNodeName   = 63 // bytes
	MaxNodeLabels = 64
	MaxNodeClass  = 64 // bytes
)

var nodeNameForm = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$`)

// CheckNodeName returns an error unless a node may be given the name. Join takes others too, as earlier logs may hold
// them.
func CheckNodeName(name string) error {
	if len(name) > MaxNodeName || !nodeNameForm.MatchString(name) {
		return fmt.Errorf("%q is not a node name: use 1 to %d lower-case letters, digits, dots and hyphens", name, MaxNodeName)
	}
	return nil
}

// CheckNodeClass returns an error unless a node's class may be called so.
func CheckNodeClass(class string) error {
	control := func(r rune) bool { return !unicode.IsPrint(r) }
	if len(class) > MaxNodeClass || !utf8.ValidString(class) || strings.ContainsFunc(class, control) {
		return fmt.Errorf("%q is not a class of nodes: use up to %d bytes of printable text", class, MaxNodeClass)
	}
	return nil
}

// Plausible reports whether a node can have what it describes.
func (d *Description) Plausible() bool {
	return d.CPU >= 0 && d.CPU <= MaxNodeCPU && d.Memory >= 0 && d.Memory <= MaxNodeMemory &&
		d.Overhead >= 0 && d.Overhead <= min(d.Memory, MaxOverhead) && d.Cores >= 0 && d.Cores <= MaxNodeCores &&
		d.Speed.plausible() && d.Measured.plausible() && CheckNodeClass(d.Class) == nil
}

// Slots returns the number of processors of the node that policies of two tiers fill, each with a foreground and a
// background task: its cores that are offered whole. A node that offers less than two, or that cannot bind VMs, counts
// as one processor. Its VMs are bound to none.
func (d *Description) Slots() int { return max(1, min(d.Cores, int(d.Speed.Own(d.CPU)/Core))) }

// binds reports whether tasks can be bound to the processor of the node.
func (d *Description) binds(core CoreID) bool {
	return core == 0 || d.Slots() > 1 && int(core) <= d.Slots()
}

// Foreign is the part of a node that VMs of others use.
type Foreign struct {
	CPU    CPU   // in millicores
	Memory Bytes // in bytes
}

// Health is the leader's knowledge of a node.
type Health uint8

// The healths of a node.
const (
	Ready  Health = iota // its lease is valid
	Silent               // its lease has run out; its VMs may still run
	Down                 // fenced or confirmed down: nothing of ours runs there
)

func (h Health) String() string { return [...]string{"ready", "silent", "down"}[h] }

// Offer is the part of a node that is available to VMs of ours.
type Offer struct {
	CPU    CPU   // in millicores
	Memory Bytes // in bytes
}

// Capacity returns what the node has for VMs of ours, whether or not it takes new ones.
func (n *Node) Capacity() Offer {
	return Offer{
		CPU:    max(0, n.Description.CPU-n.Foreign.CPU),
		Memory: max(0, n.Description.Memory-n.Foreign.Memory-n.Astray),
	}
}

// Reachable reports whether VMs on the node can be started, stopped and moved now.
func (n *Node) Reachable() bool { return n.Health == Ready && !n.HypervisorSilent && n.Unlinked == 0 }

// silent reports whether jobs must stay on the node because nobody can move them.
func (n *Node) silent() bool { return n.Health == Silent || n.Health == Ready && !n.Reachable() }

// Offer returns what the node has for VMs of ours now: nothing if it is down. View.Allowing decides which jobs may use
// it.
func (n *Node) Offer() Offer {
	if n.Health == Down {
		return Offer{}
	}
	return n.Capacity()
}

func (n *Node) clone() *Node { c := *n; return &c }

// Allows reports whether a task of the job may run on the node, given the platform that its run is bound to ("" is
// any). A node that is too slow for the job's floor may not, nor one that boots no disks if its image is one, nor one
// that LacksLimit.
func (s *State) Allows(n *Node, spec *Spec, platform string) bool {
	return n.allows(spec, platform) && s.limits(n, spec.Network)
}

// LacksLimit reports whether a task of the job may not run on the node for no other reason than that its network card
// has a limit, and the node cannot limit cards.
func (s *State) LacksLimit(n *Node, spec *Spec) bool {
	return n.allows(spec, "") && !s.limits(n, spec.Network)
}

// allows reports what Allows does, apart from the limit of network cards.
func (n *Node) allows(s *Spec, platform string) bool {
	return n.named(s.Placement.Nodes) && n.carries(s.Placement.Match) && (platform == "" || n.offers(platform)) &&
		(s.MinYield == 0 || n.Ceiling(s) >= s.MinShare()) &&
		n.connects(s.Network) && !(s.BootsDisk && n.Description.Diskless)
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
