package cluster

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Network is the network that the VMs of a job are on.
type Network uint8

// The networks.
const (
	NoNetwork Network = iota // loopback only
	Bridged                  // the bridge of their node, with an address of the cluster's subnet
	Isolated                 // the same, and VMs of other projects do not reach them: Submit makes it of Bridged
)

func (n Network) String() string { return [...]string{"none", "bridge", "bridge"}[n] }

// ParseNetwork reads the name of a network; "" is none.
func ParseNetwork(name string) (Network, error) {
	for n := range Bridged + 1 {
		if name == n.String() {
			return n, nil
		}
	}
	if name == "" {
		return NoNetwork, nil
	}
	return 0, fmt.Errorf("must be none or bridge")
}

// MaxConnected is the most tasks of a job with a network: each is told the addresses of all.
const MaxConnected = 4096

// Address is an IPv4 address as a number; zero: none.
type Address uint32

func (a Address) String() string {
	return fmt.Sprintf("%d.%d.%d.%d", a>>24, a>>16&255, a>>8&255, a&255)
}

// parseAddress reads an address in the form of String.
func parseAddress(text string) (a Address, ok bool) {
	for part := range strings.SplitSeq(text, ".") {
		n, err := strconv.ParseUint(part, 10, 8)
		if err != nil {
			return 0, false
		}
		a = a<<8 | Address(n)
	}
	return a, a.String() == text
}

// Subnet is the range of addresses that VMs get, and the rules for their network cards. Its first address is left to a
// router. The zero value is none.
type Subnet struct {
	Base Address
	Bits int  // length of the prefix
	Open bool // VMs of different projects reach each other; it counts for jobs that are submitted from now on
	Rate int  // the most that the card of a VM sends, and the most that it gets, in Mbit/s; 0: no limit
}

// MaxRate is the highest limit of the cards of VMs, in Mbit/s.
const MaxRate = 100_000

// Limits of the length of a subnet's prefix.
const (
	leastBits = 16
	mostBits  = 29
)

// ParseSubnet reads a subnet like 10.77.0.0/16.
func ParseSubnet(text string) (Subnet, error) {
	address, length, _ := strings.Cut(text, "/")
	base, ok := parseAddress(address)
	bits, err := strconv.Atoi(length)
	s := Subnet{Base: base, Bits: bits}
	if !ok || err != nil || !s.sound() || s.String() != text {
		return Subnet{}, fmt.Errorf("must be an IPv4 subnet from /%d to /%d without further bits, like 10.77.0.0/16",
			leastBits, mostBits)
	}
	return s, nil
}

// sound reports whether VMs can have addresses of the subnet: it is neither loopback nor multicast. Its addresses
// differ in their last two bytes.
func (s Subnet) sound() bool {
	return s.Bits >= leastBits && s.Bits <= mostBits && s.Base&(1<<(32-s.Bits)-1) == 0 &&
		s.Base>>24 > 0 && s.Base>>24 != 127 && s.Base>>24 < 224
}

func (s Subnet) String() string {
	if s.Bits == 0 {
		return ""
	}
	return fmt.Sprintf("%v/%d", s.Base, s.Bits)
}

// Text returns the subnet with its rules, as events and the audit log tell it.
func (s Subnet) Text() string {
	text := cmp.Or(s.String(), "none")
	if s.Open {
		text += ", open"
	}
	if s.Rate > 0 {
		text += fmt.Sprintf(", %d Mbit/s", s.Rate)
	}
	return text
}

// with returns the subnet with the rules of another.
func (s Subnet) with(rules Subnet) Subnet {
	s.Open, s.Rate = rules.Open, rules.Rate
	return s
}

// first returns the first address for VMs, and end the one after the last.
func (s Subnet) first() Address { return s.Base + 2 }
func (s Subnet) end() Address   { return s.Base + 1<<(32-s.Bits) - 1 }

// Size returns how many addresses there are for VMs.
func (s Subnet) Size() int {
	if s == (Subnet{}) {
		return 0
	}
	return int(s.end() - s.first())
}

// Segment is a part of the network whose VMs reach each other: those of the jobs of one project, from 1 to MaxSegment.
// Zero is that of jobs that are not isolated: they were submitted while the subnet was open, or before Format 10.
type Segment uint32

// MaxSegment is the highest segment. There are as many as a subnet can have addresses.
const MaxSegment Segment = 1<<16 - 1

// block is an entry of the index of addresses: those of a job that has not ended.
type block struct {
	from    Address
	count   int
	project string
	segment Segment
}

func (b block) less(c block) bool { return b.from < c.from }

// blockOf returns the addresses of the job.
func (j *Job) blockOf() block { return block{j.Address, len(j.Tasks), j.Spec.Project, j.Segment} }

// AddressOf returns the address of the job's task; zero: it has none.
func (j *Job) AddressOf(task int) Address {
	if j.Address == 0 {
		return 0
	}
	return j.Address + Address(task)
}

// Addresses returns how many addresses jobs have that have not ended.
func (s *State) Addresses() (n int) {
	for b := range s.blocks.all() {
		n += b.count
	}
	return n
}

// freeBlock returns the first of n addresses in a row that no job has, or zero.
func (s *State) freeBlock(n int) Address {
	if s.Subnet == (Subnet{}) {
		return 0
	}
	at := s.Subnet.first()
	for b := range s.blocks.all() {
		if int(b.from)-int(at) >= n {
			return at
		}
		at = b.from + Address(b.count)
	}
	if int(s.Subnet.end())-int(at) >= n {
		return at
	}
	return 0
}

// Unconnectable returns why the job cannot have the network that it asks for, or nil.
func (s *State) Unconnectable(spec *Spec) *Rejection {
	switch {
	case spec.Network == NoNetwork:
		return nil
	case s.Subnet == (Subnet{}):
		return reject(CodeConflict, "network",
			"the cluster has no subnet; an admin sets one: aliquot network set 10.77.0.0/16").Rejection
	case s.freeBlock(spec.Tasks) == 0:
		return reject(CodeLimit, "network", "%d of the %d addresses of %v are taken; the job needs %d in a row",
			s.Addresses(), s.Subnet.Size(), s.Subnet, spec.Tasks).Rejection
	}
	return nil
}

// anyConnects reports whether VMs on the network can be on a node.
func (s *State) anyConnects(to Network) bool {
	for n := range s.Nodes() {
		if n.connects(to) {
			return true
		}
	}
	return false
}

// Bridge returns the network that jobs get which ask for a bridge now.
func (s *State) Bridge() Network {
	if s.Format >= isolates && !s.Subnet.Open {
		return Isolated
	}
	return Bridged
}

// connect gives the tasks of a new job their addresses, which they keep until the job ends.
func (t *transaction) connect(j *Job) {
	if j.Spec.Network == NoNetwork {
		return
	}
	j.Address = t.freeBlock(j.Spec.Tasks)
	if j.Spec.Network == Isolated {
		j.Segment = t.segmentFor(j)
	}
	t.blocks.ReplaceOrInsert(j.blockOf())
}

// segmentFor returns the segment of the project's jobs that have not ended. If it has none, the job's number chooses
// one that is free: a VM that a lost node still runs must not soon find another project in its segment.
func (s *State) segmentFor(j *Job) Segment {
	taken := map[Segment]bool{}
	for b := range s.blocks.all() {
		if b.segment != 0 && b.project == j.Spec.Project {
			return b.segment
		}
		taken[b.segment] = true
	}
	at := Segment(j.ID % JobID(MaxSegment))
	for taken[at+1] {
		at = (at + 1) % MaxSegment
	}
	return at + 1
}

// Connects reports whether VMs that ask for a bridge now can be on the node.
func (s *State) Connects(n *Node) bool { return n.connects(s.Bridge()) && s.limits(n, Bridged) }

// limits reports whether the node can limit the card of a VM on the network, or need not.
func (s *State) limits(n *Node, to Network) bool {
	return to == NoNetwork || s.Subnet.Rate == 0 || n.Description.Limits
}

// connects reports whether VMs on the network can be on the node, apart from the limit of their cards.
func (n *Node) connects(to Network) bool {
	return to == NoNetwork || to == Bridged && n.Description.Bridged || to == Isolated && n.Description.Isolates
}

// reindexBlocks makes the index of addresses anew.
func (s *State) reindexBlocks() {
	s.blocks = newTree(block.less)
	for j := range s.Jobs() {
		if j.Address != 0 {
			s.blocks.ReplaceOrInsert(j.blockOf())
		}
	}
}

func (a SetSubnet) apply(t *transaction) Result {
	if r := t.Unready(a); r != nil {
		return Result{Rejection: r}
	}
	if a.Subnet != (Subnet{}) && !a.Subnet.sound() {
		return Result{Rejection: invalid("subnet", "%s is no subnet for VMs", cmp.Or(a.Subnet.String(), "none"))}
	}
	if a.Subnet.Rate < 0 || a.Subnet.Rate > MaxRate {
		return Result{Rejection: invalid("bandwidth", "must be from 0 to %d Mbit/s", MaxRate)}
	}
	if n := t.Addresses(); n > 0 && a.Subnet != t.Subnet.with(a.Subnet) {
		return reject(CodeConflict, "subnet", "jobs that have not ended have %d addresses of %v", n, t.Subnet)
	}
	toggled := (t.Subnet.Rate == 0) != (a.Subnet.Rate == 0)
	t.Subnet = a.Subnet
	if toggled {
		t.markNodesChanged() // other nodes may take jobs with a network now
		for j := range t.Clone().Jobs() {
			t.uproot(t.Job(j.ID))
		}
	}
	t.emit(Event{Kind: SubnetSet, Task: -1, Cause: Cause{Text: a.Subnet.Text()}})
	return Result{}
}

// uproot takes the job's placement away if it runs nowhere, and a task is to start or to resume on a node that cannot
// limit its card.
func (t *transaction) uproot(j *Job) {
	p := t.Target(j.ID)
	if p == nil || slices.ContainsFunc(j.Tasks, func(task Task) bool { return task.Present() }) {
		return
	}
	for _, id := range p.Nodes {
		if id != 0 && !t.limits(t.Node(id), j.Spec.Network) {
			t.unplace(t.edit(j.ID), Reason{Job: j.ID, Code: WhyNotDecided})
			return
		}
	}
}

// checkBlocks verifies that addresses are within the subnet, that no two jobs have the same, and that a segment is
// that of one project.
func (s *State) checkBlocks(fail failFunc) {
	var before Address
	projects := map[Segment]string{}
	for b := range s.blocks.all() {
		if b.from < max(before, s.Subnet.first()) || b.from+Address(b.count) > s.Subnet.end() {
			fail("%d addresses from %v on are not in %v, or taken twice", b.count, b.from, s.Subnet)
		}
		before = b.from + Address(b.count)
		if of, known := projects[b.segment]; b.segment > MaxSegment || b.segment != 0 && known && of != b.project {
			fail("the segment %d is of the projects %q and %q", b.segment, of, b.project)
		}
		projects[b.segment] = b.project
	}
}
