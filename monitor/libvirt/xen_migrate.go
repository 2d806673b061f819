package libvirt

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"sync"
	"time"

	"libvirt.org/go/libvirt"

	"aliquot/cluster"
	"aliquot/monitor"
)

// expect attaches the disks of a VM and tells the source by a file of the store: libxl opens them only at the end of a
// migration, which then fails if they are not there.
func (h xen) expect(vm monitor.VM, move cluster.MoveID, f monitor.Folder) (release func(), err error) {
	detach, err := h.disks.attach(vm, f)
	if err != nil {
		return nil, err
	}
	if err := f.Expect(move, h.config.MigrateURI); err != nil {
		detach()
		return nil, err
	}
	return func() {
		if err := f.Unexpect(move, h.config.MigrateURI); err != nil {
			h.config.Log.Warn().Err(err).Stringer("run", vm.Run).Msg("the store still tells that a VM is expected here")
		}
		detach()
	}, nil
}

// migrate is live. It begins when the peer has attached the VM's disks. The source closes them when it ends its half,
// so their files have all that the VM has written before it runs on.
func (h xen) migrate(ctx context.Context, d *libvirt.Domain, vm monitor.VM, move cluster.MoveID, peer string,
	_ cluster.CPU) error {
	if err := h.awaited(ctx, vm, move, peer); err != nil {
		return err
	}
	flags := libvirt.MIGRATE_PEER2PEER | libvirt.MIGRATE_PAUSED | libvirt.MIGRATE_LIVE | tunnelled(peer)
	var to libvirt.DomainMigrateParameters
	if flags&libvirt.MIGRATE_TUNNELLED == 0 {
		at, err := memoryTo(ctx, peer)
		if err != nil {
			return err
		}
		to.URISet, to.URI = true, at
	}
	return d.MigrateToURI3(peer, &to, flags)
}

// mostAwaited is how long the peer may take to attach the disks of a VM.
const mostAwaited = time.Minute

// awaited returns when the peer has attached the VM's disks for the move. Until then the migration can be called off.
func (h xen) awaited(ctx context.Context, vm monitor.VM, move cluster.MoveID, peer string) error {
	ctx, cancel := context.WithTimeout(ctx, mostAwaited)
	defer cancel()
	defer h.waits.begin(vm.UUID(), cancel)()
	f := h.disks.folder(vm.UUID())
	for {
		if expects, err := f.Expects(move, peer); err != nil || expects {
			return err
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("the target node has not attached the disks of the VM: %w", ctx.Err())
		}
	}
}

// waits are the migrations for which the peer has not attached the disks yet.
type waits struct {
	mu   sync.Mutex
	ends map[string]context.CancelFunc // by UUID
}

// begin notes a wait until the returned function is called.
func (w *waits) begin(id string, end context.CancelFunc) func() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ends[id] = end
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.ends, id)
	}
}

// end ends the wait for a VM. It reports whether there was one.
func (w *waits) end(id string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	end, is := w.ends[id]
	if is {
		end()
	}
	return is
}

// memoryTo returns where a peer receives the memory of VMs, as an address: the peer would look a name up in its own
// files, where it may mean its loopback.
func memoryTo(ctx context.Context, peer string) (string, error) {
	u, err := url.Parse(peer)
	if err != nil {
		return "", fmt.Errorf("read the peer's URI: %w", err)
	}
	all, err := net.DefaultResolver.LookupNetIP(ctx, "ip", u.Hostname())
	if err != nil {
		return "", fmt.Errorf("look up the peer: %w", err)
	}
	return "tcp://" + literal(all[0].Unmap()), nil
}

// literal returns an address as it stands in a URI.
func literal(a netip.Addr) string {
	if a.Is6() {
		return "[" + a.String() + "]"
	}
	return a.String()
}
