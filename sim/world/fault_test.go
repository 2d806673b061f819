package world

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"aliquot/cluster"
	"aliquot/monitor"
)

// plan is what a seed draws: a load and the faults during it.
type plan struct {
	jobs   int
	lasts  time.Duration
	faults []fault
}

// fault is one thing that goes wrong for a time.
type fault struct {
	at, lasts time.Duration
	kind      string
	on        string // machine
	n         int    // strength; its meaning is the kind's
}

func (f fault) String() string {
	return fmt.Sprintf("%v for %v: %s %s (%d)", f.at.Round(time.Millisecond), f.lasts.Round(time.Millisecond),
		f.kind, f.on,
		f.n)
}

// newPlan draws a plan for the world.
func newPlan(w *world) plan {
	c := w.draws
	p := plan{jobs: 4 + c.below("jobs", 14), lasts: c.between("phase", 60*time.Second, 150*time.Second)}
	for range 2 + c.below("faults", 9) {
		p.add(w, w.commonKind())
	}
	for range c.below("aimed faults", 4) {
		p.add(w, "aimed")
	}
	p.addUpgrades(w)
	if c.percent("powerless", 6) {
		p.addPowerless(w)
	}
	if c.percent("mass failure", 10) {
		at := c.between("mass failure at", 5*time.Second, p.lasts)
		for _, n := range w.nodes {
			p.faults = append(p.faults, fault{at: at + c.between("mass", 0, time.Second), kind: "power", on: n.name,
				lasts: c.between("mass lasts", 10*time.Second, 40*time.Second)})
		}
	}
	slices.SortStableFunc(p.faults, func(a, b fault) int { return int(a.at - b.at) })
	return p
}

// add draws a fault of the kind.
func (p *plan) add(w *world, kind string) {
	c := w.draws
	p.faults = append(p.faults, fault{at: c.between("fault at", 2*time.Second, p.lasts), n: c.below("strength", 1000),
		lasts: c.between("fault lasts", 500*time.Millisecond, 45*time.Second), kind: kind, on: w.victim(kind)})
}

// commonKind draws a kind of fault that may happen at any time.
func (w *world) commonKind() string {
	for {
		if k := kinds[w.draws.below("fault kind", len(kinds))]; k.name != powerless && k.name != "upgrade" {
			return k.name
		}
	}
}

// addUpgrades lets all managers be upgraded one after the other, if they are old.
func (p *plan) addUpgrades(w *world) {
	if !w.upgrades {
		return
	}
	at := w.draws.between("upgrade at", 5*time.Second, p.lasts/2)
	for _, m := range w.managers {
		p.faults = append(p.faults, fault{at: at, kind: "upgrade", on: m.name,
			lasts: w.draws.between("upgrade lasts", 200*time.Millisecond, 3*time.Second)})
		at += w.draws.between("upgrade pause", 2*time.Second, 15*time.Second)
	}
}

// powerless is the kind of fault in which a fence can stop no VM. It strikes a node without other troubles, since
// only a watchdog could help if the node were cut off before its fence knows.
const powerless = "powerless fence"

func (p *plan) addPowerless(w *world) {
	n := pick(w.draws, "powerless node", w.nodes...)
	p.lasts = 150 * time.Second
	p.faults = slices.DeleteFunc(p.faults, func(f fault) bool { return f.on == n.name })
	p.faults = append(p.faults, fault{at: w.draws.between("powerless at", 5*time.Second, 30*time.Second),
		lasts: 110 * time.Second, kind: powerless, on: n.name})
}

// kind is a kind of fault. begin returns the function that ends it; nil: it ends by itself.
type kind struct {
	name  string
	on    string // m: managers, n: nodes, *: all machines, "": none
	begin func(w *world, f fault) (end func())
}

var kinds = []kind{
	{"isolate", "*", func(w *world, f fault) func() { return w.cut(w.ways(f.on, true, true)...) }},
	{"deafen", "*", func(w *world, f fault) func() { return w.cut(w.ways(f.on, true, false)...) }},
	{"mute", "*", func(w *world, f fault) func() { return w.cut(w.ways(f.on, false, true)...) }},
	{"cut one way to a manager", "*", func(w *world, f fault) func() {
		return w.cut(way{f.on, w.managers[f.n%len(w.managers)].name})
	}},
	{"slow network", "", func(w *world, f fault) func() {
		w.network.setSlow(time.Duration(f.n+1) * 3 * time.Millisecond)
		return func() { w.network.setSlow(0) }
	}},
	{"crash of the manager", "m", func(w *world, f fault) func() { return w.manager(f.on).fail() }},
	{"election", "", func(w *world, f fault) func() { w.raft.elect(w.raft.state().Leader); return nil }},
	{"late commands", "", func(w *world, f fault) func() {
		w.raft.setLate(true)
		return func() { w.raft.setLate(false) }
	}},
	{"clock step", "m", func(w *world, f fault) func() {
		m, by := w.manager(f.on), time.Duration(f.n-500)*20*time.Second
		m.setStep(by)
		return func() { m.setStep(0) }
	}},
	{"crash of the monitor", "n", func(w *world, f fault) func() { return w.named(f.on).crash() }},
	{"crash of the fence", "n", func(w *world, f fault) func() { // its supervisor starts it again
		n := w.named(f.on)
		n.fence.stop()
		rest(w.ctx, time.Second)
		n.startFence()
		return nil
	}},
	{"power", "n", func(w *world, f fault) func() { return w.named(f.on).fail() }},
	{"hung hypervisor", "n", func(w *world, f fault) func() { return w.named(f.on).machine().hang() }},
	{"flaky hypervisor", "n", func(w *world, f fault) func() {
		h := w.named(f.on).machine()
		h.set(func(h *host) { h.flaky = 5 + f.n%40 })
		return func() { h.set(func(h *host) { h.flaky = 0 }) }
	}},
	{"slow restores", "n", func(w *world, f fault) func() {
		h := w.named(f.on).machine()
		h.set(func(h *host) { h.slow = time.Duration(f.n) * 100 * time.Millisecond })
		return func() { h.set(func(h *host) { h.slow = 0 }) }
	}},
	{"aimed", "n", func(w *world, f fault) func() { return w.aimed(f) }},
	{"cut switch-overs", "", func(w *world, f fault) func() {
		w.cutOvers.Add(1)
		return func() { w.cutOvers.Add(-1) }
	}},
	{"frozen monitor", "n", func(w *world, f fault) func() {
		n := w.named(f.on)
		resume := n.halted.stop()
		return func() { w.checks.noticed(n); resume() }
	}},
	{"disk hangs", "n", func(w *world, f fault) func() { return w.named(f.on).stuck.stop() }},
	{"store hangs", "n", func(w *world, f fault) func() { return w.named(f.on).hung.stop() }},
	{"store full", "", func(w *world, f fault) func() {
		w.full.Add(1)
		return func() { w.full.Add(-1) }
	}},
	{powerless, "", func(w *world, f fault) func() {
		n := w.named(f.on)
		answer := n.machine().hang()
		n.machine().set(func(h *host) { h.weak = true })
		mend := func() {}
		if rest(w.ctx, 25*time.Second) && !w.raft.state().NodeNamed(f.on).FenceAlive { // otherwise no leader has been told
			mend = w.cut(w.ways(f.on, true, true)...)
		}
		return func() {
			n.machine().set(func(h *host) { h.weak = false })
			answer()
			mend()
		}
	}},
	{"upgrade", "m", func(w *world, f fault) func() { return w.manager(f.on).upgrade() }},
	{"store not mounted", "n", func(w *world, f fault) func() { return w.named(f.on).lack(w.empty()) }},
	{"store fails", "n", func(w *world, f fault) func() { n := w.named(f.on); return n.lack(n.store()) }},
	{"store fails everywhere", "", func(w *world, f fault) func() {
		var ends []func()
		for _, n := range w.nodes {
			ends = append(ends, n.lack(n.store()))
		}
		return func() {
			for _, end := range ends {
				end()
			}
		}
	}},
	{"disk refuses leases", "n", func(w *world, f fault) func() {
		path := filepath.Join(w.named(f.on).folder(), monitor.LeaseFile+".next")
		_ = os.Remove(path)
		_ = os.Mkdir(path, 0o755)
		return func() { _ = os.Remove(path) }
	}},
	{"drain", "n", func(w *world, f fault) func() { return w.wish(f, cluster.ForceDrain) }},
	{"cordon", "n", func(w *world, f fault) func() { return w.wish(f, cluster.ForceCordon) }},
}

// victim draws a machine for a kind of fault.
func (w *world) victim(name string) string {
	var all []string
	for _, k := range kinds {
		if k.name != name {
			continue
		}
		if k.on == "m" || k.on == "*" {
			for _, m := range w.managers {
				all = append(all, m.name)
			}
		}
		if k.on == "n" || k.on == "*" {
			for _, n := range w.nodes {
				all = append(all, n.name)
			}
		}
	}
	if len(all) == 0 {
		return ""
	}
	return pick(w.draws, "victim", all...)
}

func (w *world) manager(name string) *managerMachine {
	for _, m := range w.managers {
		if m.name == name {
			return m
		}
	}
	panic(name)
}

// ways lists the ways into and out of a machine.
func (w *world) ways(name string, in, out bool) (all []way) {
	others := []string{}
	for _, m := range w.managers {
		others = append(others, m.name)
	}
	for _, n := range w.nodes {
		others = append(others, n.name)
	}
	for _, other := range others {
		if in {
			all = append(all, way{other, name})
		}
		if out {
			all = append(all, way{name, other})
		}
	}
	return all
}

// cut cuts the ways and returns what mends them.
func (w *world) cut(ways ...way) func() {
	w.network.change(1, ways...)
	return func() { w.network.change(-1, ways...) }
}

// lack mounts another folder as the node's store. A mount on itself gives errors.
func (n *node) lack(folder string) func() {
	n.mount(folder)
	return func() { n.mount(n.world.store) }
}

// empty returns an empty folder.
func (w *world) empty() string {
	dir, err := os.MkdirTemp(w.dir, "empty-")
	w.must(err)
	return dir
}

// wish carries out an operator's wish for a node, and takes it back.
func (w *world) wish(f fault, wish cluster.NodeWish) func() {
	ask := func(wish cluster.NodeWish) {
		if n := w.raft.state().NodeNamed(f.on); n != nil {
			w.users.do(w.ctx, fmt.Sprintf("%v %s %v", wish, f.on, time.Since(w.began)),
				cluster.SetNode{Node: n.ID, Want: wish})
		}
	}
	asked := make(chan struct{})
	go func() { ask(wish); close(asked) }()
	return func() {
		go func() { <-asked; ask(cluster.Uncordon) }()
	}
}

func (r *raft) setLate(late bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.late = late
}

// edge is the begin or the end of a fault.
type edge struct {
	at time.Duration
	do func()
}

// happen lets the faults happen and ends them all.
func (p plan) happen(w *world) {
	var edges []edge
	ends := make([]func(), len(p.faults))
	for i, f := range p.faults {
		edges = append(edges, edge{f.at, func() { w.note("FAULT %v", f); ends[i] = f.begin(w) }},
			edge{max(f.at+1, min(f.at+f.lasts, p.lasts+time.Duration(i))), func() {
				if ends[i] != nil {
					w.note("END OF FAULT %v", f)
					ends[i]()
				}
			}})
	}
	slices.SortStableFunc(edges, func(a, b edge) int { return int(a.at - b.at) })
	began := time.Now()
	for _, e := range edges {
		for time.Since(began) < e.at && !w.checks.failed() {
			rest(w.ctx, min(time.Second, e.at-time.Since(began)))
		}
		if w.checks.failed() {
			return
		}
		e.do()
	}
}

func (f fault) begin(w *world) func() {
	for _, k := range kinds {
		if k.name == f.kind {
			return k.begin(w, f)
		}
	}
	panic(f.kind)
}
