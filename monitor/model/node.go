package model

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"aliquot/cluster"
	"aliquot/monitor"
	"aliquot/monitor/reconcile"
)

// Node is the hypervisor of one modelled node.
type Node struct {
	fleet   *Fleet
	name    string
	cpu     cluster.CPU // in reference millicores
	speed   cluster.Speed
	changes chan struct{}
	timer   *time.Timer // fires when the next guest's stage ends

	mu      sync.Mutex
	now     time.Time // time up to which all domains are settled
	domains map[monitor.VM]*domain
	ended   map[monitor.VM]death
}

var _ monitor.Hypervisor = (*Node)(nil)

// death is how a VM ended.
type death struct {
	at  time.Time
	end reconcile.End
}

const (
	platform      = "model/1"
	overhead      = 32 * cluster.MiB
	rememberDeath = time.Hour
)

func (n *Node) uri() string { return "model://" + n.name }

// Describe returns a description that says that the VMs are modelled.
func (n *Node) Describe(context.Context) (monitor.Platform, error) {
	return monitor.Platform{
		Names: []string{platform}, Overhead: overhead, MigrateURI: n.uri(),
		Text: "modelled: nothing runs in these VMs", Cores: int(n.speed.Own(n.cpu) / cluster.Core),
	}, nil
}

// Changes signals that a guest has reported or a VM has ended.
func (n *Node) Changes() <-chan struct{} { return n.changes }

func (n *Node) changed() {
	select {
	case n.changes <- struct{}{}:
	default:
	}
}

// List returns the cluster's VMs. There are no foreign VMs.
func (n *Node) List(_ context.Context, of [16]byte) (monitor.Listing, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	l := monitor.Listing{Domains: map[cluster.RunID]reconcile.Domain{}, Ended: map[cluster.RunID]reconcile.End{}}
	for vm, d := range n.domains {
		if vm.Cluster == of {
			l.Domains[vm.Run] = reconcile.Domain{State: d.state, Cap: d.cap, Tier: d.tier, Core: d.core, Platform: platform,
				Memory: d.memory, Moving: d.job != nil}
		}
	}
	for vm, d := range n.ended {
		if vm.Cluster == of {
			l.Ended[vm.Run] = d.end
		}
	}
	return l, nil
}

// Sample measures the VMs since the previous call.
func (n *Node) Sample(_ context.Context, of [16]byte) ([]monitor.Usage, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.settle()
	var samples []monitor.Usage
	for _, d := range n.sorted() {
		if d.vm.Cluster != of || n.now == d.sampledAt {
			continue
		}
		u := monitor.Usage{Run: d.vm.Run, At: n.now, Interval: n.now.Sub(d.sampledAt), Memory: d.resident()}
		u.CPU = cluster.CPU(float64(d.used-d.sampled) / float64(u.Interval) * float64(cluster.Core))
		if d.job != nil {
			u.Progress = d.job.progress(n.now)
		}
		d.sampled, d.sampledAt = d.used, n.now
		samples = append(samples, u)
	}
	return samples, nil
}

// Host measures a machine of the node's CPU and the given memory, on which nothing runs but the VMs.
func (n *Node) Host(memory cluster.Bytes) monitor.Host {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.settle()
	h := monitor.Host{CPUs: n.cpu, Memory: memory}
	for _, d := range n.domains {
		h.CPU += d.rate
		h.MemoryUsed += d.resident()
	}
	return h
}

// resident returns the memory that the guest has touched: more when it works than right after boot.
func (d *domain) resident() cluster.Bytes {
	part := 0.2
	if d.guest.Stage != booting {
		part += 0.7 * variety(d.vm)
	}
	return overhead + cluster.Bytes(part*float64(d.memory))
}

// Ask looks up the VM at the peer.
func (n *Node) Ask(_ context.Context, peer string, vm monitor.VM) (reconcile.Presence, error) {
	p := n.fleet.node(peer)
	if p == nil {
		return reconcile.Unknown, fmt.Errorf("ask %s: there is no such node", peer)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	d := p.domains[vm]
	switch {
	case d == nil:
		return reconcile.Nowhere, nil
	case d.state == reconcile.Running:
		return reconcile.There, nil
	case d.state == reconcile.Frozen && d.job == nil:
		return reconcile.Landed, nil
	}
	return reconcile.Coming, nil
}

// sorted returns the domains ordered by VM, so that sums of floats are reproducible.
func (n *Node) sorted() []*domain {
	list := make([]*domain, 0, len(n.domains))
	for _, d := range n.domains {
		list = append(list, d)
	}
	slices.SortFunc(list, func(a, b *domain) int {
		return cmp.Or(slices.Compare(a.vm.Cluster[:], b.vm.Cluster[:]), a.vm.Run.Compare(b.vm.Run))
	})
	return list
}

// tick lets the guests proceed whose stage has ended.
func (n *Node) tick() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.settle()
	n.share()
}

// settle brings all domains up to the present. A guest that was due slightly earlier counts as due now.
func (n *Node) settle() {
	now := time.Now()
	passed := now.Sub(n.now)
	n.now = now
	for _, d := range n.sorted() {
		d.advance(passed)
		if !d.due() {
			continue
		}
		end, ended, err := d.proceed()
		if err != nil {
			n.fleet.log.Error().Err(err).Stringer("run", d.vm.Run).Msg("cannot write the report of a modelled guest")
		}
		if ended {
			n.bury(d.vm, end)
		}
		n.changed()
	}
}

// bury ends a VM and keeps its end for later listings.
func (n *Node) bury(vm monitor.VM, end reconcile.End) {
	for other, d := range n.ended {
		if n.now.Sub(d.at) > rememberDeath {
			delete(n.ended, other)
		}
	}
	n.ended[vm] = death{n.now, end}
	n.drop(vm)
}

// drop removes a VM from the node.
func (n *Node) drop(vm monitor.VM) {
	if d := n.domains[vm]; d != nil && d.job != nil {
		close(d.job.abort)
	}
	delete(n.domains, vm)
}

// share divides the processors again and sets the timer for the next guest. The node must be settled.
func (n *Node) share() {
	var wanted [2]cluster.CPU
	list := n.sorted()
	for _, d := range list {
		wanted[d.tier] += d.wants(n.speed)
	}
	granted := [2]float64{
		cluster.Foreground: part(n.cpu, wanted[cluster.Foreground]),
		cluster.Background: part(max(0, n.cpu-wanted[cluster.Foreground]), wanted[cluster.Background]),
	}
	next := forever
	for _, d := range list {
		d.rate = cluster.CPU(float64(d.wants(n.speed)) * granted[d.tier])
		if t, comes := d.until(); comes {
			next = min(next, t)
		}
	}
	n.timer.Stop()
	if next < forever {
		n.timer.Reset(next)
	}
}

// part returns the fraction of the wanted CPU that is available.
func part(there, wanted cluster.CPU) float64 {
	if wanted <= there {
		return 1
	}
	return float64(there) / float64(wanted)
}
