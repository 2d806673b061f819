package monitor

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"aliquot/cluster"
	"aliquot/monitor/reconcile"
)

// listing is a request for a snapshot. The files of all ordered runs are read, with or without a VM.
type listing struct {
	number int
	of     [16]byte
	orders cluster.Orders
	grant  int // the grant of the orders; 0: they must not be followed
}

// snapshot is the observed state of the node. The domains were listed before the files were read, so
// the report of a guest without a VM is final.
type snapshot struct {
	listing
	Listing
	guests map[cluster.RunID]reconcile.Guest
	images map[cluster.RunID]reconcile.Image
	unread map[cluster.RunID]bool // runs whose files are unreadable now
	why    error                  // the error of one of them
	silent bool                   // the store has answered for no run
	err    error
}

// lookAgain is the pause after a snapshot that failed.
const lookAgain = 500 * time.Millisecond

// listTimeout is how long a hypervisor may take to list before it counts as silent.
const listTimeout = 8 * time.Second

// look requests a snapshot that begins from now on.
func (a *Agent) look() {
	if a.asking {
		a.again = true
		return
	}
	if a.of == ([16]byte{}) {
		return
	}
	a.asking, a.again, a.listed = true, false, time.Now()
	a.snapshots++
	a.asked <- listing{a.snapshots, a.of, a.last, a.grant}
}

// takeSnapshots serves the requests. The loop waits for each snapshot before it requests another.
func (a *Agent) takeSnapshots(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case request := <-a.asked:
			s := a.takeSnapshot(ctx, request)
			select {
			case <-ctx.Done():
				return
			case a.taken <- s:
			}
		}
	}
}

func (a *Agent) takeSnapshot(ctx context.Context, request listing) snapshot {
	ctx, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	s := snapshot{
		listing: request,
		guests:  map[cluster.RunID]reconcile.Guest{}, images: map[cluster.RunID]reconcile.Image{},
		unread: map[cluster.RunID]bool{},
	}
	if s.Listing, s.err = a.hypervisor.List(ctx, request.of); s.err != nil {
		return s
	}
	s.read(a.reader)
	return s
}

// errSlow is the error for a run's files if the store has not answered.
var errSlow = fmt.Errorf("the store has not answered within %v", readLimit)

// read reads the files of all runs that are here or ordered.
func (s *snapshot) read(r *reader) {
	concerned, limits := map[cluster.RunID]bool{}, map[cluster.RunID]cluster.Limits{}
	for run := range s.Domains {
		concerned[run] = true
	}
	for _, o := range s.orders.Runs {
		concerned[o.Run] = true
		if o.Spec != nil {
			limits[o.Run] = o.Spec.Limits
		}
	}
	list := slices.SortedFunc(maps.Keys(concerned), cluster.RunID.Compare)
	got := r.all(list, readLimit)
	s.silent = len(list) > 0 && len(got) == 0
	for _, run := range list {
		f, there := got[run]
		if !there {
			f.err = errSlow
		}
		if f.err != nil {
			s.unread[run], s.why = true, f.err
			continue
		}
		if f.guest.Exit == nil {
			f.guest.Exit = f.excess(limits[run])
		}
		s.guests[run], s.images[run] = f.guest, f.image
	}
}

// lookUp reads the files of a run. It may block as long as the store does. A missing file counts only if the store is
// there.
func (s *Store) lookUp(run cluster.RunID) (f files) {
	folder := s.Folder(run)
	if f.guest, f.err = folder.Read(); f.err == nil {
		f.image, f.err = folder.image()
	}
	if f.err == nil {
		f.written, f.err = folder.written()
	}
	if f.err == nil {
		f.err = s.there()
	}
	return f
}

// see takes in a snapshot and acts on it. A failed snapshot means nothing.
func (a *Agent) see(ctx context.Context, s snapshot) {
	a.asking = false
	a.hear(s.err)
	if s.err != nil {
		a.snapshot = nil
		a.listed = time.Now().Add(lookAgain - a.config.Rhythm.List)
	} else {
		a.distrust(&s)
		a.snapshot = &s
		a.work.settle(s.number)
		a.listenTo(s)
		a.act(ctx)
	}
	if a.again {
		a.look()
	}
}

// distrust withdraws the store's proof when the store is silent. It logs a change in the number of unreadable runs.
func (a *Agent) distrust(s *snapshot) {
	if s.silent {
		a.store.Doubt(s.why)
	}
	switch runs := len(s.unread); {
	case runs == a.unread:
		return
	case runs == 0:
		a.config.Log.Info().Msg("the store's files of all runs are readable again")
	default:
		a.config.Log.Warn().Err(s.why).Int("runs", runs).
			Msg("the store's files of some runs are unreadable; these runs wait until the store answers; check its mount")
	}
	a.unread = len(s.unread)
}

// act carries out the newest snapshot's orders, not later ones: runs that only later orders name were not observed.
// Orders from before an expiry of the lease are not followed under the next lease.
func (a *Agent) act(ctx context.Context) {
	if a.snapshot == nil || a.grant == 0 || a.snapshot.grant != a.grant || !a.told() {
		return
	}
	orders := a.snapshot.orders
	a.work.follow(orders)
	a.tried.keep(orders, a.work.busy)
	untried := a.tried.untried(a.snapshot.unread)
	a.work.giveUpHidden(a.snapshot, untried, time.Now())
	world := reconcile.World{
		Orders: orders, Lease: a.until != 0 && a.config.Boottime() < a.until, Store: a.store.Proof().Proven,
		CPU: a.config.CPU - a.snapshot.Foreign.CPU, Speed: a.config.Speed,
		Domains: a.snapshot.Domains, Guests: a.snapshot.guests, Images: a.snapshot.images, Unread: a.snapshot.unread,
		Untried: untried,
		Ended:   a.work.ended(orders, a.snapshot), Busy: a.work.busy, Failed: a.work.failed, Resting: a.work.rests(),
		Peers: a.work.peers(), Unready: a.unready(orders),
	}
	actions, seen := reconcile.Step(world)
	a.outbox.put(seen, orders, a.snapshot)
	if a.first.Revision != 0 && reconcile.Supersedes(orders, a.first) {
		a.outbox.under, a.outbox.awaited = orders.Revision, orders.Awaited
	}
	for _, action := range actions {
		_, here := a.snapshot.Domains[action.Run]
		a.begin(ctx, action, here)
	}
}

// listenTo selects the guests to listen to: those with a VM here.
func (a *Agent) listenTo(s snapshot) {
	var folders []Folder
	for run := range s.Domains {
		folders = append(folders, a.store.Folder(run))
	}
	a.watched.Store(&folders)
}

// listen wakes the loop when a guest has reported.
func (a *Agent) listen(ctx context.Context) {
	sizes := map[Folder]int64{}
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(a.config.Rhythm.Read):
		}
		folders := a.watched.Load()
		if folders == nil {
			continue
		}
		next := make(map[Folder]int64, len(*folders))
		for _, folder := range *folders {
			if info, err := os.Stat(folder.Control()); err == nil {
				next[folder] = info.Size()
			}
			if next[folder] != sizes[folder] {
				a.poke()
			}
		}
		sizes = next
	}
}

// sample samples usage for as long as the agent runs.
func (a *Agent) sample(ctx context.Context) {
	var fault string // of the last sample of the host
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(a.config.Rhythm.Sample):
		}
		of := a.member.Load()
		if of == nil {
			continue
		}
		call, cancel := context.WithTimeout(ctx, a.config.Rhythm.Sample)
		runs, err := a.hypervisor.Sample(call, *of)
		cancel()
		s := sampling{runs: runs, host: a.host(&fault)}
		if err != nil || len(s.runs) == 0 && s.host == (Host{}) {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case a.samples <- s:
		}
	}
}

// host samples the machine. It returns a zero Host if that fails, and logs the error unless it is the last fault.
func (a *Agent) host(fault *string) Host {
	if a.config.Host == nil {
		return Host{}
	}
	h, err := a.config.Host()
	if err == nil {
		*fault = ""
		return h
	}
	if *fault != err.Error() {
		a.config.Log.Warn().Err(err).Msg("cannot measure this machine; its CPU, memory and disk are not shown")
	}
	*fault = err.Error()
	return Host{}
}
