package protocol

import (
	"fmt"
	"net"
	"net/netip"
	"strings"
)

// A Network is what a task with a network card is told. The tasks of its job have addresses in a row.
type Network struct {
	MAC   string `json:"mac"`
	First string `json:"first"` // IPv4 address of task 0
	Bits  int    `json:"bits"`  // length of the prefix of the subnet
}

// MaxConnected is the most tasks of a job with a network.
const MaxConnected = 4096

func (n Network) check(tasks int) error {
	first, err := netip.ParseAddr(n.First)
	if err != nil || !first.Is4() || n.Bits < 1 || n.Bits > 30 || tasks > MaxConnected {
		return fmt.Errorf("task has the network %s/%d for %d tasks", n.First, n.Bits, tasks)
	}
	if _, err := net.ParseMAC(n.MAC); err != nil {
		return fmt.Errorf("task has a network with the hardware address %q", n.MAC)
	}
	return nil
}

// Addresses returns the addresses of the tasks of the job, by index; nil without a network.
func (t Task) Addresses() []netip.Addr {
	if t.Network == nil {
		return nil
	}
	all := make([]netip.Addr, t.Count)
	at, _ := netip.ParseAddr(t.Network.First) // check has read it
	for i := range all {
		all[i], at = at, at.Next()
	}
	return all
}

// Hosts returns lines for /etc/hosts that name the tasks of the job: task-0 and j17-0.
func (t Task) Hosts() string {
	var b strings.Builder
	for i, a := range t.Addresses() {
		fmt.Fprintf(&b, "%v task-%d %s-%d\n", a, i, t.Job, i)
	}
	return b.String()
}

// peers returns the variables that tell a task the addresses of its job, its own among them.
func (t Task) peers() map[string]string {
	all := t.Addresses()
	if all == nil {
		return nil
	}
	words := make([]string, len(all))
	for i, a := range all {
		words[i] = a.String()
	}
	return map[string]string{"ALIQUOT_ADDRESS": words[t.Index], "ALIQUOT_PEERS": strings.Join(words, " ")}
}
