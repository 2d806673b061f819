package world

import (
	"context"
	"crypto/x509"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"aliquot/cluster"
	"aliquot/manager"
	"aliquot/manager/events"
	"aliquot/manager/images"
	"aliquot/manager/link"
	"aliquot/wire"
	"aliquot/wire/join"
)

// Times of this world's clusters, shorter than usual so that more happens.
const (
	lease       = 10 * time.Second
	fenceMargin = 15 * time.Second
	fenceAfter  = 90 * time.Second
)

// managerMachine is a machine with a manager, whose process may be down.
type managerMachine struct {
	world *world
	id    uint64
	name  string
	power turn

	mu      sync.Mutex
	step    time.Duration // by which the machine's clock is wrong
	knows   uint32        // the format that its program understands
	running *managerLife  // nil: it is down
	applied uint64        // revision of its replica at the last crash
}

// managerLife is one life of a manager's process.
type managerLife struct {
	*manager.Manager
	hub     *link.Hub
	replica *replica
	ctx     context.Context
	cancel  context.CancelFunc
	ended   sync.WaitGroup
	events  *events.Log
}

func (m *managerMachine) folder(name string) string { return filepath.Join(m.world.dir, m.name, name) }

// wall returns the machine's clock.
func (m *managerMachine) wall() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return time.Now().Add(m.step)
}

func (m *managerMachine) setStep(by time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.step = by
	m.world.checks.clock.stepped(m, by)
}

// start starts the process.
func (m *managerMachine) start() {
	w := m.world
	log, err := events.Open(m.folder("events"), events.Limits{Age: time.Hour, Bytes: 8 << 20, Segment: 1 << 20}, w.log)
	w.must(err)
	folder, err := images.Open(m.folder("images"), images.Limit)
	w.must(err)
	l := &managerLife{events: log}
	l.ctx, l.cancel = context.WithCancel(w.ctx)
	l.replica = w.raft.join(l.ctx, m.id, m.applied, log)
	l.Manager = manager.New(manager.Config{
		Replica: m.id, Links: w.links(), RESTs: w.links(), StorePath: w.store, Restored: m.folder("restored"),
		FenceMargin: fenceMargin, Log: w.log, Clock: time.Now, Wall: m.wall,
		Elapsed: func() time.Duration { return time.Since(w.began) + time.Hour }, Format: w.format,
		Peers: wire.Peers{Open: w.open(m.name, &x509.Certificate{DNSNames: []string{join.ManagerName}})},
	}, l.replica, log, folder)
	l.hub = link.NewHub(link.Options{Leader: l.ForNodes(), Images: folder, Past: l.Manager, Lease: lease,
		Log: w.log})
	l.Serve(l.hub)
	l.ended.Go(l.replica.follow)
	l.ended.Go(func() { l.Run(l.ctx) })
	m.mu.Lock()
	defer m.mu.Unlock()
	m.running = l
	w.checks.clock.started(m.step)
}

// crash ends the process at once. Its log and its files stay.
func (m *managerMachine) crash() {
	m.mu.Lock()
	l := m.running
	m.running = nil
	m.mu.Unlock()
	if l == nil {
		return
	}
	m.world.raft.leave(m.id)
	l.cancel()
	l.ended.Wait()
	m.applied = l.replica.revision()
	m.world.must(l.events.Close())
}

// fail ends the process, and returns what starts it again.
func (m *managerMachine) fail() func() {
	defer m.power.take()()
	m.crash()
	return func() {
		defer m.power.take()()
		if m.life() == nil {
			m.start()
		}
	}
}

// life returns the running process, or nil.
func (m *managerMachine) life() *managerLife {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.running
}

// serving returns the hub of the running process, or nil, and its life.
func (m *managerMachine) serving() (*link.Hub, context.Context) {
	if l := m.life(); l != nil {
		return l.hub, l.ctx
	}
	return nil, nil
}

// links returns the addresses of all managers.
func (w *world) links() map[uint64]string {
	all := map[uint64]string{}
	for _, m := range w.managers {
		all[m.id] = m.name
	}
	return all
}

// format returns the format that the machine's program understands.
func (m *managerMachine) format() uint32 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.knows
}

// upgrade starts the machine's process again, with a program that understands the latest format.
func (m *managerMachine) upgrade() func() {
	m.mu.Lock()
	m.knows = cluster.LatestFormat
	m.mu.Unlock()
	return m.fail()
}

// format answers the question for the formats that a manager understands.
func (w *world) format(_ context.Context, name string) (uint32, error) {
	for _, m := range w.managers {
		if m.name == name && m.life() != nil {
			return m.format(), nil
		}
	}
	return 0, fmt.Errorf("%s does not answer", name)
}
