package libvirt

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"libvirt.org/go/libvirt"

	"aliquot/cluster"
	"aliquot/monitor"
	"aliquot/monitor/reconcile"
)

// heard is what passed the network card of the first node.
type heard struct {
	bytes  int
	marker bool // it was in a packet
	lost   int  // packets that passed unseen
}

// listen begins to look at every packet of the first node, in which the test runs. The returned function ends that.
func (l *lab) listen(marker []byte) (end func() heard) {
	l.t.Helper()
	card, err := net.InterfaceByName("eth0")
	l.ok(err)
	every := binary.NativeEndian.Uint16(binary.BigEndian.AppendUint16(nil, unix.ETH_P_ALL))
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, int(every))
	l.ok(err)
	l.ok(unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, 256<<20))
	l.ok(unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Usec: 100_000}))
	l.ok(unix.Bind(fd, &unix.SockaddrLinklayer{Protocol: every, Ifindex: card.Index}))
	var h heard
	over, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		packet := make([]byte, 1<<17)
		for ended := false; ; {
			n, err := unix.Read(fd, packet)
			switch {
			case err == nil:
				h.bytes += n
				h.marker = h.marker || bytes.Contains(packet[:n], marker)
			case ended: // and nothing is left to read
				return
			}
			select {
			case <-over:
				ended = true
			default:
			}
		}
	}()
	return func() heard {
		close(over)
		<-done
		stats, err := unix.GetsockoptTpacketStats(fd, unix.SOL_PACKET, unix.PACKET_STATISTICS)
		l.ok(err)
		h.lost = int(stats.Drops)
		l.ok(unix.Close(fd))
		return h
	}
}

// untunnelled moves a VM as this package never does: only libvirts' own connection is encrypted, not the memory.
func (l *lab) untunnelled(vm monitor.VM) error {
	return l.nodes[0].domain(l.ctx, vm, func(d *libvirt.Domain) error {
		return d.MigrateToURI3(l.uris[1], &libvirt.DomainMigrateParameters{},
			libvirt.MIGRATE_PEER2PEER|libvirt.MIGRATE_PAUSED)
	})
}

func TestMemoryIsSeenOnTheNetworkOnlyOutsideOfLibvirtsConnection(t *testing.T) {
	l := newLab(t)
	marker := fmt.Sprintf("seen-%x", time.Now().UnixNano())
	m := l.run(1, 500, "yes "+marker+" | head -c 1000000 >/tmp/held; "+counting)
	here, there := l.nodes[0], l.nodes[1]
	l.ok(here.Thaw(l.ctx, m.VM))
	l.eventually("the guest counts", func() bool { return len(l.counts(m)) > 0 })
	to := func(from *Hypervisor, peer string) func() error {
		return func() error { return from.Migrate(l.ctx, m.VM, 1, peer, 500, cluster.Foreground) }
	}
	for _, move := range []struct {
		what    string
		migrate func() error
		from    *Hypervisor
		to      *Hypervisor
		peer    string
		seen    bool
	}{
		{"to a peer", to(here, l.uris[1]), here, there, l.uris[1], false},
		{"from a peer", to(there, l.uris[0]), there, here, l.uris[0], false},
		{"to a peer, beside libvirt's connection", func() error { return l.untunnelled(m.VM) }, here, there, l.uris[1], true},
	} {
		end := l.listen([]byte(marker))
		began := time.Now()
		l.ok(move.migrate())
		took := time.Since(began)
		h := end()
		t.Logf("%s: %.1f s, %d MiB", move.what, took.Seconds(), h.bytes>>20)
		if h.marker != move.seen || h.bytes < 10<<20 || h.lost > 0 {
			t.Errorf("%s: %+v of the guest's memory; want it readable: %v", move.what, h, move.seen)
		}
		if p, err := move.from.Ask(l.ctx, move.peer, m.VM); err != nil || p != reconcile.Landed {
			t.Errorf("%s: asked after the migration: %v, %v", move.what, p, err)
		}
		l.ok(move.to.Thaw(l.ctx, m.VM))
		length := len(l.counts(m))
		l.eventually("the guest counts on", func() bool { return len(l.counts(m)) > length })
	}
}
