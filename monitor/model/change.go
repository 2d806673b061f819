package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"aliquot/cluster"
	"aliquot/monitor"
	"aliquot/monitor/reconcile"
)

// errFault is a failure that a task has requested.
var errFault = errors.New("the task requested this fault")

// errCut ends a migration whose switch-over was disturbed. errHeld is the case in which both nodes hold the VM paused.
var (
	errCut  = errors.New("the connection broke at the switch-over")
	errHeld = fmt.Errorf("%w, and the peer may have the VM", errCut)
)

// errAborted ends a save or migration that was aborted.
var errAborted = errors.New("given up")

// on settles the node, changes the VM, and divides the processors again.
func (n *Node) on(vm monitor.VM, what string, do func(*domain) error) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.settle()
	defer n.share()
	d := n.domains[vm]
	if d == nil {
		return fmt.Errorf("%s: no %s on %s", what, vm.Name(), n.name)
	}
	if err := do(d); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// Create makes the VM paused; its guest reads its task.
func (n *Node) Create(_ context.Context, m monitor.Machine) error {
	g, err := newGuest(m, n.fleet.pace.Boot)
	if err != nil {
		return fmt.Errorf("create domain: %w", err)
	}
	d := &domain{vm: m.VM, vcpus: m.VCPUs, memory: m.Memory, folder: m.Folder, state: reconcile.Frozen, cap: m.Cap,
		tier: m.Tier, core: m.Core, guest: g}
	if d.faulty("create") {
		return fmt.Errorf("create domain: %w", errFault)
	}
	return n.put(d)
}

// put adds a paused VM.
func (n *Node) put(d *domain) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.settle()
	if n.domains[d.vm] != nil {
		return fmt.Errorf("create domain: %s is already on %s", d.vm.Name(), n.name)
	}
	d.sampledAt = n.now
	n.domains[d.vm] = d
	delete(n.ended, d.vm)
	return nil
}

// SetShare puts cap, tier and processor in force.
func (n *Node) SetShare(_ context.Context, vm monitor.VM, cap cluster.CPU, tier cluster.Tier,
	core cluster.CoreID) error {
	return n.on(vm, "set the domain's share", func(d *domain) error {
		d.cap, d.tier, d.core = cap, tier, core
		return nil
	})
}

// Freeze stops the VM.
func (n *Node) Freeze(_ context.Context, vm monitor.VM) error {
	return n.on(vm, "suspend domain", func(d *domain) error {
		d.state = reconcile.Frozen
		return nil
	})
}

// Thaw lets the VM run.
func (n *Node) Thaw(_ context.Context, vm monitor.VM) error {
	return n.on(vm, "resume domain", func(d *domain) error {
		if d.job != nil {
			return errors.New("it is being saved or migrated")
		}
		d.state = reconcile.Running
		return nil
	})
}

// Wake does nothing: the model's VMs have no processes that wait for a signal.
func (n *Node) Wake(context.Context, monitor.VM) error { return nil }

// Destroy ends the VM. A missing VM is no error.
func (n *Node) Destroy(_ context.Context, vm monitor.VM) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.settle()
	if n.domains[vm] != nil {
		n.bury(vm, reconcile.End{Cause: "its VM was destroyed on the node"})
		n.share()
		n.changed()
	}
	return nil
}

// Abort makes the save or migration in progress fail.
func (n *Node) Abort(_ context.Context, vm monitor.VM) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if d := n.domains[vm]; d != nil && d.job != nil {
		close(d.job.abort)
		d.job = nil
	}
	return nil
}

// begin starts a job on the VM's memory.
func (n *Node) begin(vm monitor.VM, what string, rate cluster.Bytes, state reconcile.State) (j *job,
	before reconcile.State, err error) {
	err = n.on(vm, what, func(d *domain) error {
		if d.job != nil {
			return errors.New("another job of the domain is in progress")
		}
		takes := time.Duration(float64(d.memory) / float64(rate) * float64(time.Second))
		j, before = &job{begun: n.now, takes: takes, bytes: d.memory, abort: make(chan struct{})}, d.state
		d.job, d.state = j, state
		return nil
	})
	return j, before, err
}

// await returns when the given part of the job's time has passed, or the job was aborted.
func (j *job) await(ctx context.Context, part float64) error {
	timer := time.NewTimer(time.Duration(part * float64(j.takes)))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-j.abort:
		return errAborted
	case <-ctx.Done():
		return ctx.Err()
	}
}

// undo ends a failed job and returns the VM to its state before.
func (n *Node) undo(vm monitor.VM, j *job, state reconcile.State) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.settle()
	defer n.share()
	if d := n.domains[vm]; d != nil && (d.job == j || d.job == nil) {
		d.job, d.state = nil, state
	}
}

// memory is a saved VM on the store.
type memory struct {
	VM     monitor.VM
	VCPUs  int
	Size   cluster.Bytes
	Folder monitor.Folder
	Guest  guest
}

// Save stops the VM, waits for as long as writing its memory takes, writes its guest's state, and ends the VM.
func (n *Node) Save(ctx context.Context, vm monitor.VM, path string) error {
	j, before, err := n.begin(vm, "save domain", n.fleet.pace.Save, reconcile.Frozen)
	if err != nil {
		return err
	}
	err = j.await(ctx, 1)
	if err == nil {
		err = n.on(vm, "save domain", func(d *domain) error {
			if d.job != j {
				return errAborted
			}
			if d.faulty("save") {
				return errFault
			}
			if err := write(path, memory{vm, d.vcpus, d.memory, d.folder, d.guest}); err != nil {
				return err
			}
			d.job = nil
			n.drop(vm)
			return nil
		})
	}
	if err != nil {
		n.undo(vm, j, before)
		return fmt.Errorf("save domain: %w", err)
	}
	return nil
}

func write(path string, m memory) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Sync(), file.Close())
}

// Verify returns an error unless the file is the memory of the VM.
func (n *Node) Verify(_ context.Context, vm monitor.VM, path string) error {
	_, err := read(vm, path)
	return err
}

func read(vm monitor.VM, path string) (m memory, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return m, fmt.Errorf("read memory image: %w", err)
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return m, fmt.Errorf("%w: %w", monitor.ErrUnreadable, err)
	}
	if m.VM != vm {
		return m, fmt.Errorf("%w: it is not an image of %s", monitor.ErrUnreadable, vm.Name())
	}
	return m, nil
}

// Restore waits for as long as reading the memory takes and makes the VM, paused.
func (n *Node) Restore(ctx context.Context, as monitor.Machine, path string) error {
	m, err := read(as.VM, path)
	if err != nil {
		return err
	}
	d := &domain{vm: as.VM, vcpus: m.VCPUs, memory: m.Size, folder: m.Folder, state: reconcile.Frozen, cap: as.Cap,
		tier: as.Tier, core: as.Core, guest: m.Guest}
	j := &job{takes: time.Duration(float64(m.Size) / float64(n.fleet.pace.Save) * float64(time.Second))}
	if err := j.await(ctx, 1); err != nil {
		return fmt.Errorf("restore domain: %w", err)
	}
	if d.faulty("restore") {
		return fmt.Errorf("restore domain: %w", errFault)
	}
	return n.put(d)
}

// Migrate sends the VM to the peer while it runs. It arrives paused. During the hand-over it is paused on both nodes.
func (n *Node) Migrate(ctx context.Context, vm monitor.VM, move cluster.MoveID, peer string, cap cluster.CPU,
	tier cluster.Tier) error {
	p := n.fleet.node(peer)
	if p == nil {
		return fmt.Errorf("migrate domain: there is no node at %s", peer)
	}
	j, before, err := n.begin(vm, "migrate domain", n.fleet.pace.Send, reconcile.Running)
	if err != nil {
		return err
	}
	if err = n.send(ctx, j, vm, p, cap, tier); err != nil {
		if errors.Is(err, errHeld) {
			before = reconcile.Doubtful
		}
		n.undo(vm, j, before)
		return fmt.Errorf("migrate domain to %s: %w", peer, err)
	}
	return nil
}

// send copies the memory and hands the VM over. A requested fault strikes half way.
func (n *Node) send(ctx context.Context, j *job, vm monitor.VM, p *Node, cap cluster.CPU, tier cluster.Tier) error {
	if err := j.await(ctx, 0.5); err != nil {
		return err
	}
	var copied domain
	err := n.on(vm, "send", func(d *domain) error {
		if d.faulty("migrate") {
			return errFault
		}
		return nil
	})
	if err == nil {
		err = j.await(ctx, 0.5)
	}
	if err == nil {
		err = n.on(vm, "hand over", func(d *domain) error {
			if d.job != j {
				return errAborted
			}
			d.state, copied = reconcile.Doubtful, *d
			return nil
		})
	}
	if err != nil {
		return err
	}
	how := n.fleet.handOver(vm, n.name, p.name)
	if how == Kept || n.fleet.node(n.uri()) != n || n.fleet.node(p.uri()) != p { // a machine has booted since
		return errCut
	}
	arriving := &domain{vm: vm, vcpus: copied.vcpus, memory: copied.memory, folder: copied.folder, state: reconcile.Frozen,
		cap: cap, tier: tier, guest: copied.guest}
	if err := p.put(arriving); err != nil {
		return err
	}
	p.changed()
	switch how {
	case Torn:
		return errCut
	case Held:
		return errHeld
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if d := n.domains[vm]; d != nil {
		d.job = nil
		n.drop(vm)
	}
	return nil
}
