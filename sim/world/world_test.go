package world

import (
	"context"
	"crypto/sha256"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"aliquot/cluster"
	"aliquot/monitor"
	"aliquot/monitor/model"
	"aliquot/web"
)

var clusterID = [16]byte{1, 2, 3}

// world is one cluster with its users, for one run.
type world struct {
	ctx      context.Context
	dir      string // of all machines' disks
	store    string
	log      zerolog.Logger
	began    time.Time
	draws    *chance // of what is drawn before the run
	chance   *chance // of what happens during it
	network  *network
	raft     *raft
	fleet    *model.Fleet
	managers []*managerMachine
	nodes    []*node
	users    *users
	checks   *checks
	image    string        // that jobs use
	calm     atomic.Bool   // no fault happens any more
	upgrades bool          // the managers begin with programs that know an older format
	liar     bool          // a node lies
	cutOvers atomic.Int32  // number of faults that cut switch-overs
	full     atomic.Int32  // number of faults that fill the store
	aims     []*aim        // faults that wait for their moment
	settled  time.Duration // that calm took

	mu    sync.Mutex
	notes []line
}

// line is one thing that happened.
type line struct {
	at   time.Duration
	text string
}

// outcome is the result of a run.
type outcome struct {
	plan     plan
	broken   []string
	notes    []line
	commands int
	settled  time.Duration
	lasted   time.Duration
	fell     int // promises that fell due
	lost     int // promises that were broken at some time
	took     int // offers that were accepted
}

func (w *world) since() int64 { return int64(time.Since(w.began)) }

func (w *world) note(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.notes = append(w.notes, line{time.Since(w.began), fmt.Sprintf(format, args...)})
}

func (w *world) must(err error) {
	if err != nil {
		panic(err)
	}
}

// at returns the node with the migration URI, or nil.
func (w *world) at(uri string) *node { return w.named(strings.TrimPrefix(uri, "model://")) }

func (w *world) named(name string) *node {
	for _, n := range w.nodes {
		if n.name == name {
			return n
		}
	}
	return nil
}

// newWorld draws a cluster. The caller runs it in a bubble of its own time.
func newWorld(ctx context.Context, seed uint64, dir string, log zerolog.Logger) *world {
	c := drawing(seed)
	w := &world{ctx: ctx, dir: dir, store: filepath.Join(dir, "store"), log: log, began: time.Now(), draws: c,
		chance: running(seed)}
	w.network = newNetwork(w.chance)
	w.checks, w.users = newChecks(w), &users{world: w}
	w.checks.clock.wrong = map[*managerMachine]time.Time{}
	w.fleet = model.NewFleet(model.Pace{Boot: time.Second, Save: 40 * cluster.MiB, Send: 60 * cluster.MiB}, log)
	w.must(os.MkdirAll(w.store, 0o755))
	policy := pick(c, "policy", "GreedyPM */stable", "GreedyPM */per/opt=min/minvt=600", "GreedyP */per",
		"Greedy *")
	for i := range pick(c, "managers", 1, 3, 3) {
		id := uint64(i + 1)
		w.managers = append(w.managers, &managerMachine{world: w, id: id, name: machine(id), power: newTurn(),
			knows: cluster.LatestFormat})
	}
	w.fleet.HandOver = w.handOver
	w.upgrades = len(w.managers) > 1 && c.percent("upgrades", 15)
	for _, m := range w.managers {
		if w.upgrades {
			m.knows = cluster.FirstFormat
		}
	}
	w.liar = !w.upgrades && c.percent("liar", 25) // the first format believed more
	for i := range pick(c, "nodes", 2, 3, 4) {
		n := &node{world: w, name: fmt.Sprintf("n%d", i+1), power: newTurn(),
			drift: int64(c.below("drift", 401)) - 200}
		n.offer = cluster.Offer{CPU: pick[cluster.CPU](c, "cpu", 2000, 4000), Memory: 1024 * cluster.MiB}
		w.must(os.MkdirAll(filepath.Join(n.folder(), "images"), 0o755))
		n.mount(w.store)
		w.nodes = append(w.nodes, n)
	}
	w.raft = newRaft(w, cluster.New(clusterID, cluster.PolicyChoice{Name: policy, Period: 90 * cluster.Second}))
	return w
}

// run lets the plan of faults happen, then calm.
func (w *world) run(p plan) {
	for _, m := range w.managers {
		m.start()
	}
	go w.raft.keep(w.ctx)
	w.register()
	for _, n := range w.nodes {
		if !w.upgrades {
			w.admit(n)
		}
		n.powerUp()
	}
	for w.upgrades && w.raft.state().NodeCount() < len(w.nodes) && rest(w.ctx, 100*time.Millisecond) {
	} // old managers admit nodes without an invitation, new ones do not
	ctx, cancel := context.WithCancel(w.ctx)
	defer cancel()
	var load sync.WaitGroup
	load.Go(func() { w.users.work(ctx, p.jobs, p.lasts) })
	var lies sync.WaitGroup
	if w.liar {
		lies.Go(func() { w.lie(ctx) })
	}
	p.happen(w)
	if !w.checks.failed() {
		rest(w.ctx, w.chance.between("begin of calm", 0, time.Second))
		load.Wait()
		w.calm.Store(true)
		w.modernize()
		w.users.release(w.ctx)
		w.checks.calm(w.ctx)
		w.checks.ended()
		w.users.linearizable()
	}
	cancel()
	load.Wait()
	lies.Wait()
}

// room is the free space of the store.
func (w *world) room() cluster.Bytes {
	if w.full.Load() > 0 {
		return 0
	}
	return 1 << 40
}

// modernize upgrades the managers that are still old.
func (w *world) modernize() {
	for _, m := range w.managers {
		if m.format() < cluster.LatestFormat {
			m.upgrade()()
		}
	}
}

// leading returns the machine of the leader, or of any manager if there is none.
func (w *world) leading() *managerMachine {
	id := w.raft.leads()
	return w.managers[max(1, id)-1]
}

// handOver draws how a migration ends at its switch-over, which takes some milliseconds. Faults may be aimed at it.
func (w *world) handOver(vm monitor.VM, from, to string) model.HandOver {
	name := "hand-over of " + vm.Run.String()
	cut := w.strike("hand over", false, w.named(from), w.named(to))
	rest(w.ctx, w.chance.between(name, time.Millisecond, 20*time.Millisecond))
	if !cut && w.cutOvers.Load() == 0 {
		return model.Released
	}
	return pick(w.chance, name+" ends", model.Released, model.Kept, model.Held, model.Torn, model.Torn)
}

// register puts the image that jobs use.
func (w *world) register() {
	files := func(yield func(web.ImageFile, error) bool) {
		for _, name := range []string{"kernel", "initrd", "cmdline"} {
			if !yield(web.ImageFile{Name: name, Size: 1, Content: strings.NewReader("x")}, nil) {
				return
			}
		}
	}
	for {
		for _, m := range w.managers {
			call, cancel := context.WithTimeout(w.ctx, 5*time.Second)
			image, err := m.life().PutImage(call, operator, "guest", iter.Seq2[web.ImageFile, error](files))
			cancel()
			if err == nil {
				w.image = "guest@sha256:" + image.Digest
				return
			}
			w.note("cannot put the image: %v", err)
		}
		if !rest(w.ctx, time.Second) {
			return
		}
	}
}

// admit invites a node and lets it join, as soon as the managers can.
func (w *world) admit(n *node) {
	hash := sha256.Sum256([]byte(n.name))
	invite := cluster.Invite{Node: n.name, Hash: hash, Expires: cluster.Time(w.began.Add(time.Hour).UnixMicro())}
	for {
		for _, m := range w.managers {
			call, cancel := context.WithTimeout(w.ctx, 5*time.Second)
			result, err := m.life().Do(call, operator, "", invite)
			if err == nil && result.Rejection == nil {
				n.admission, err = m.life().ForNodes().Admit(call, cluster.Admit{Node: n.name, Hash: hash, Request: hash})
			}
			cancel()
			if err == nil && n.admission != 0 {
				return
			}
		}
		if !rest(w.ctx, time.Second) {
			return
		}
	}
}

// stop ends all machines.
func (w *world) stop() {
	for _, n := range w.nodes {
		n.powerDown()
	}
	for _, m := range w.managers {
		m.crash()
	}
}
