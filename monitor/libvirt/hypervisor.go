package libvirt

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rs/zerolog"
	"libvirt.org/go/libvirt"

	"aliquot/cluster"
	"aliquot/monitor"
	"aliquot/monitor/reconcile"
)

// Config selects and configures libvirt.
type Config struct {
	URI        string        // of QEMU or Xen; "": qemu:///system
	MigrateURI string        // where peers reach this node's libvirt; "": VMs cannot come
	PlainTCP   bool          // peers may be asked, and VMs sent, over TCP without TLS
	Accel      string        // "kvm" or "tcg"; "": found out by a trial
	CPUModel   string        // "": qemu64 under TCG, the machine's own under KVM
	Overhead   cluster.Bytes // of a VM on top of its memory; 0: the measured value
	Speed      cluster.Speed // of the machine's processors
	Bind       string        // to what VMs may be bound: BindCores, BindThreads or BindNone; "": BindCores
	Trial      monitor.Image // booted to test KVM; without a kernel, TCG is used
	Data       string        // folder that keeps the result of the trial
	Bridge     string        // for VMs with a network; "": none
	Images     string        // folder of this node's copies of images
	Shared     string        // folder of the same images that peers see as well, by the same path
	Log        zerolog.Logger
}

// The keepalive detects a dead link in about 7 s.
const (
	keepaliveInterval = 2 // seconds
	keepaliveCount    = 3
)

// Hypervisor is one node's libvirt. It reconnects by itself, forever. One connection waits for events;
// calls use other connections, see on.
type Hypervisor struct {
	config  Config
	driver  driver
	cgroups cgroups
	changes chan struct{}
	stop    context.CancelFunc
	stopped chan struct{}

	mu      sync.Mutex
	up      chan struct{} // closed while libvirt is connected
	idle    []*libvirt.Connect
	epoch   int                  // number of the connection; connections of older epochs are closed, not kept
	ended   map[string]death     // by UUID
	host    map[string]bool      // UUIDs of VMs that were shut down from outside
	facts   map[string]facts     // by UUID
	shares  map[string]share     // last seen, by UUID
	ordered map[string]share     // last set, by UUID
	jobs    map[string]bool      // UUIDs of VMs being saved or migrated by this process
	moved   map[string]bool      // by UUID: whether it was being saved or migrated when it was last looked at
	absent  map[string]time.Time // the cluster's VMs that libvirt has forgotten, and since when
	last    map[string]reading
	foreign map[string]stranger // by UUID
	chosen  *choice

	meters meters
}

// cores returns so many vCPUs of this node.
func (h *Hypervisor) cores(vcpus int) cores { return cores{vcpus, h.config.Speed} }

// death is how a domain ended.
type death struct {
	name string
	at   time.Time
	end  reconcile.End
}

// errDown is returned by calls while there is no connection.
var errDown = fmt.Errorf("%w: libvirt does not answer; is libvirtd running?", monitor.ErrUnreached)

var eventLoop = sync.OnceValue(func() error {
	if err := libvirt.EventRegisterDefaultImpl(); err != nil {
		return fmt.Errorf("start libvirt's event loop: %w", err)
	}
	go func() {
		for {
			if err := libvirt.EventRunDefaultImpl(); err != nil {
				time.Sleep(100 * time.Millisecond)
			}
		}
	}()
	return nil
})

// Open starts to connect and returns at once. libvirt's event loop runs until the program ends.
func Open(config Config) (*Hypervisor, error) {
	if config.URI == "" {
		config.URI = qemuURI
	}
	if config.MigrateURI != "" {
		if err := config.allowed(config.MigrateURI); err != nil {
			return nil, fmt.Errorf("check migrate-uri: %w", err)
		}
	}
	if err := eventLoop(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	h := &Hypervisor{
		config: config, cgroups: findCgroups("/sys/fs/cgroup"),
		changes: make(chan struct{}, 1), stop: cancel, stopped: make(chan struct{}),
		up:    make(chan struct{}),
		ended: map[string]death{}, host: map[string]bool{}, facts: map[string]facts{},
		shares: map[string]share{}, ordered: map[string]share{},
		jobs: map[string]bool{}, moved: map[string]bool{},
		last: map[string]reading{}, foreign: map[string]stranger{},
		meters: meters{byID: map[string]*meter{}},
	}
	h.driver = driverFor(h)
	go h.maintain(ctx)
	return h, nil
}

// Close ends the connection. It abandons a call that hangs in libvirt.
func (h *Hypervisor) Close() {
	h.stop()
	select {
	case <-h.stopped:
	case <-time.After(2 * time.Second):
	}
}

// Changes signals that a domain changed or that the connection came back.
func (h *Hypervisor) Changes() <-chan struct{} { return h.changes }

func (h *Hypervisor) changed() {
	select {
	case h.changes <- struct{}{}:
	default:
	}
}

// maintain keeps a connection open, reconnecting with back-off.
func (h *Hypervisor) maintain(ctx context.Context) {
	defer close(h.stopped)
	const first, most = 100 * time.Millisecond, 2 * time.Second
	pause := first
	for ctx.Err() == nil {
		began := time.Now()
		if err := h.session(ctx); err != nil && pause == first {
			h.config.Log.Warn().Err(err).Str("uri", h.config.URI).
				Msg("cannot connect to libvirt; trying again; is libvirtd running?")
		}
		if time.Since(began) > most {
			pause = first
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
		pause = min(2*pause, most)
	}
}

// session holds one connection from its opening to its end.
func (h *Hypervisor) session(ctx context.Context) error {
	conn, err := libvirt.NewConnect(h.config.URI)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer conn.Close()
	closed := make(chan libvirt.ConnectCloseReason, 1)
	if err := conn.RegisterCloseCallback(func(_ *libvirt.Connect, why libvirt.ConnectCloseReason) {
		select {
		case closed <- why:
		default:
		}
	}); err != nil {
		return fmt.Errorf("watch the connection: %w", err)
	}
	defer conn.UnregisterCloseCallback()
	if err := conn.SetKeepAlive(keepaliveInterval, keepaliveCount); err != nil {
		return fmt.Errorf("keep the connection alive: %w", err)
	}
	events, err := conn.DomainEventLifecycleRegister(nil, h.lifecycle)
	if err != nil {
		return fmt.Errorf("register for events: %w", err)
	}
	defer conn.DomainEventDeregister(events)
	h.connected()
	defer h.disconnected()
	select {
	case <-ctx.Done():
		return nil
	case why := <-closed:
		return fmt.Errorf("connection closed, reason %d", why)
	}
}

func (h *Hypervisor) connected() {
	h.mu.Lock()
	close(h.up)
	h.mu.Unlock()
	h.config.Log.Info().Str("uri", h.config.URI).Msg("connected to libvirt")
	h.changed()
}

func (h *Hypervisor) disconnected() {
	h.mu.Lock()
	h.up = make(chan struct{})
	stale := h.idle
	h.idle = nil
	h.epoch++
	h.mu.Unlock()
	for _, c := range stale {
		c.Close()
	}
	h.changed()
}

// wait returns when there is a connection.
func (h *Hypervisor) wait(ctx context.Context) error {
	h.mu.Lock()
	up := h.up
	h.mu.Unlock()
	select {
	case <-up:
		return nil
	case <-ctx.Done():
		return errDown
	}
}

// withoutCgroup reports whether the error says that a domain's cgroups cannot be used.
func withoutCgroup(err error) bool {
	var e libvirt.Error
	return errors.As(err, &e) && e.Code == libvirt.ERR_SYSTEM_ERROR && e.Domain == libvirt.FROM_CGROUP
}

// isCode reports whether the error is a libvirt error with the given code.
func isCode(err error, code libvirt.ErrorNumber) bool {
	var e libvirt.Error
	return errors.As(err, &e) && e.Code == code
}
