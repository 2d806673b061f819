package world

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"aliquot/cluster"
	"aliquot/monitor"
	"aliquot/monitor/reconcile"
)

// checks look at the world from outside the code under test.
type checks struct {
	world *world

	mu      sync.Mutex
	memory  map[cluster.RunID]cluster.Bytes // of VMs, as they were made
	found   map[cluster.RunID]bool          // reported as strays: their memory counts from format 3 on
	clock   clock
	wrong   []string
	commits int
	promised
}

// promised is what became of promises.
type promised struct {
	kept   map[cluster.JobID]cluster.Reservation // neither over nor given back
	fell   map[cluster.JobID]bool                // due, with all that was promised
	broken map[cluster.JobID]bool                // at some time
	due    map[cluster.JobID]bool                // to end by a deadline, and not over
}

func newChecks(w *world) *checks {
	return &checks{world: w, memory: map[cluster.RunID]cluster.Bytes{}, found: map[cluster.RunID]bool{},
		promised: promised{map[cluster.JobID]cluster.Reservation{}, map[cluster.JobID]bool{}, map[cluster.JobID]bool{},
			map[cluster.JobID]bool{}}}
}

// fail records a violation.
func (c *checks) fail(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	c.world.note("VIOLATION: %s", text)
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.Contains(c.wrong, text) {
		c.wrong = append(c.wrong, text)
	}
}

func (c *checks) failed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.wrong) > 0
}

// made notes the size of a VM.
func (c *checks) made(m monitor.Machine) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.memory[m.VM.Run] = m.Memory
}

// changed checks the nodes after a call that changed a VM.
func (c *checks) changed(h *host, call string, vm monitor.VM, err error) {
	outcome := ""
	if err != nil {
		outcome = ": " + err.Error()
	}
	c.world.note("%s: %s %v%s", h.node.name, call, vm.Run, outcome)
	c.once(vm.Run.Task())
	for _, n := range c.world.nodes {
		c.fits(n)
	}
}

// once checks that at most one VM of the task works.
func (c *checks) once(task cluster.TaskID) {
	var places []string
	for _, n := range c.world.nodes {
		for run, d := range n.machine().domains() {
			if run.Task() == task && d.State == reconcile.Running && !n.machine().thawedLate(run) {
				places = append(places, fmt.Sprintf("%v on %s", run, n.name))
			}
		}
	}
	if len(places) > 1 {
		c.fail("twice at once: %s", strings.Join(places, ", "))
	}
}

// fits checks that the VMs on the node fit into its memory.
func (c *checks) fits(n *node) {
	c.mu.Lock()
	var sum cluster.Bytes
	for run := range n.machine().domains() {
		if !c.world.upgrades || !c.found[run] {
			sum += c.memory[run] + overhead
		}
	}
	c.mu.Unlock()
	if sum > n.offer.Memory {
		c.fail("%s holds VMs of %v in %v", n.name, sum, n.offer.Memory)
	}
}

// overhead is that of a modelled VM.
const overhead = 32 * cluster.MiB

// committed checks the state after a command. The caller holds the log's lock.
func (c *checks) committed(from uint64, command cluster.Command, result cluster.Result, state *cluster.State) {
	c.mu.Lock()
	c.commits++
	c.mu.Unlock()
	c.find(command.Action)
	c.overran(command)
	c.dated(state)
	c.hopeful(command.Action, state)
	kind := strings.TrimPrefix(fmt.Sprintf("%T", command.Action), "cluster.")
	if r := result.Rejection; r != nil {
		c.world.note("log %d from m%d: %s refused: %s", state.Revision, from, kind, r.Code)
		if r.Code == cluster.CodeInternalBug {
			c.fail("%s", r.Detail)
		}
		return
	}
	if result.Repeated {
		kind += ", repeated"
	}
	c.world.note("log %d from m%d: %s%s", state.Revision, from, kind, detail(command.Action))
	if err := state.Check(); err != nil {
		c.fail("revision %d, %s: %v", state.Revision, kind, err)
	}
	_, decided := command.Action.(cluster.Adopt)
	given := func(id cluster.JobID) bool { return decided && !result.Repeated && !repromised(result.Events, id) }
	c.promises(state, given)
	c.deadlines(state, given, result.Events)
}

// repromised reports whether the command promised a job other nodes, which the next decision gives.
func repromised(events []cluster.Event, id cluster.JobID) bool {
	return slices.ContainsFunc(events, func(e cluster.Event) bool {
		return e.Kind == cluster.JobRepromised && e.Job == id
	})
}

// promises checks that every promise is there until its interval is over or its job ends, and that each decision gives
// what has fallen due and is not broken. A run may be lost between decisions.
func (c *checks) promises(state *cluster.State, given func(cluster.JobID) bool) {
	for p := range state.Promised() {
		if p.Work > 0 {
			continue // see deadlines
		}
		if _, known := c.kept[p.Job]; !known {
			c.kept[p.Job] = cluster.Reservation{Start: p.From, Lasts: p.Until - p.From}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(c.kept)) {
		r := c.kept[id]
		p, j := state.PromiseTo(id), state.Job(id)
		switch end := r.Start + r.Lasts; {
		case p == nil && j != nil && j.Ending == nil && state.Now < end:
			c.fail("%v was promised %v, and the promise is gone", id, &r)
		case p == nil:
			delete(c.kept, id)
		case p.From != r.Start || p.Until != end:
			c.fail("%v was promised %v, and now from %v to %v", id, &r, p.From, p.Until)
		case p.Broken():
			c.broken[id] = true
		case given(id) && p.Due() <= state.Now && state.Now < end:
			if c.fell[id] = true; !p.Kept(j.Spec, state.Target(id)) {
				c.fail("%v does not have what it was promised: %+v, but %+v", id, p, state.Target(id))
			}
		}
	}
}

// deadlines checks that every promise of a deadline is there until its job ends or it is said that it is over, and that
// each decision gives what counts.
func (c *checks) deadlines(state *cluster.State, given func(cluster.JobID) bool, events []cluster.Event) {
	for _, e := range events {
		switch e.Kind {
		case cluster.JobPromiseBroken:
			c.broken[e.Job] = true
			c.world.note("%v: its promise is broken: %+v", e.Job, e.Cause)
			fallthrough
		case cluster.JobOverran:
			delete(c.due, e.Job)
		}
	}
	for id := range c.due {
		if j := state.Job(id); state.PromiseTo(id) == nil && j != nil && j.Ending == nil {
			c.fail("%v was promised %v, and the promise is gone", id, j.Spec.Deadline)
		}
	}
	for p := range state.Promised() {
		j := state.Job(p.Job)
		if p.Work == 0 || p.Broken() {
			continue
		}
		if c.due[p.Job] = true; p.Until > j.Spec.Deadline.By {
			c.fail("%v has to end by %v, and is promised its end by %v", p.Job, j.Spec.Deadline, p.Until)
		}
		if given(p.Job) && p.Due() <= state.Now && state.Now < p.Until {
			if c.fell[p.Job] = true; !p.Kept(j.Spec, state.Target(p.Job)) {
				c.fail("%v does not have what it was promised: %+v, but %+v", p.Job, p, state.Target(p.Job))
			}
		}
	}
}

// Limits on the time until a failure is noticed.
const (
	hangNoticed = time.Minute      // a hypervisor that hangs
	haltNoticed = 35 * time.Second // a monitor that stands still: its node takes no VMs
	haltActedOn = time.Minute      // and its node is down, though the network is slow meanwhile
)

// hopeful checks that nothing is sent to a node whose hypervisor has not answered for long.
func (c *checks) hopeful(a cluster.Action, state *cluster.State) {
	moves, _ := a.(cluster.StartMoves)
	for _, m := range moves.Moves {
		n := state.Node(m.To)
		if !m.Kind.Fills() || n == nil || c.world.named(n.Name) == nil || c.world.upgrades {
			continue
		}
		if hung := c.world.named(n.Name).machine().hangs(); hung > hangNoticed && state.Move(m.Task) != nil {
			c.fail("%v %v goes to %s, whose hypervisor has hung for %v", m.Kind, m.Task, n.Name, hung)
		}
	}
}

// noticed checks that a node does not count as ready whose monitor has stood still for long. It may have connected
// meanwhile, which gives it one lease.
func (c *checks) noticed(n *node) {
	w, halted := c.world, n.halted.lasts()
	state := w.raft.state()
	known := state.NodeNamed(n.name)
	long := min(halted, w.raft.steady(), time.Duration(state.Now-known.Since)*time.Microsecond)
	if long > haltNoticed && known.Reachable() || long > haltActedOn && known.Health == cluster.Ready {
		c.fail("%s is ready, and its monitor has stood still for %v", n.name, halted)
	}
}

// overran checks that a job which is ended for its run time was there for so long, by a clock that may be a twentieth
// faster while it catches up.
func (c *checks) overran(command cluster.Command) {
	cancel, _ := command.Action.(cluster.Cancel)
	for _, why := range cancel.Why {
		for _, s := range c.world.users.submissions() {
			lived := time.Since(c.world.began) - s.began
			if why.Code == cluster.WhyOverran && s.job == cancel.Job && lived < time.Duration(why.Values[0])*time.Second*19/20 {
				c.fail("%v is ended for running %d s, %v after its submission", s.job, why.Values[0], lived)
			}
		}
	}
}

// find notes the strays that a node reports.
func (c *checks) find(a cluster.Action) {
	report, _ := a.(cluster.Report)
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, o := range report.Observations {
		if o.Seen == cluster.SeenStray {
			c.found[o.Run] = true
		}
	}
}

func detail(a cluster.Action) string {
	switch a := a.(type) {
	case cluster.SetHealth:
		return fmt.Sprintf(" node %d %v", a.Node, a.Health)
	case cluster.StartMoves:
		var all []string
		for _, m := range a.Moves {
			all = append(all, fmt.Sprintf("%v %v", m.Kind, m.Task))
		}
		return " " + strings.Join(all, ", ")
	case cluster.AbortMove:
		return fmt.Sprintf(" %v", a.Task)
	case cluster.Cancel:
		return fmt.Sprintf(" %v", a.Job)
	case cluster.Report:
		var all []string
		for _, o := range a.Observations {
			all = append(all, fmt.Sprintf("%v %v", o.Run, o.Seen))
		}
		return fmt.Sprintf(" of node %d: %s", a.Node, strings.Join(all, ", "))
	}
	return ""
}

// ended checks how jobs ended: as their guests did, or with a true cause.
func (c *checks) ended() {
	state := c.world.raft.state()
	for _, s := range c.world.users.submissions() {
		if s.job == 0 {
			continue
		}
		switch j := state.Ended(s.job); {
		case j != nil:
			c.ending(s, j)
		case state.Job(s.job) == nil:
			c.fail("%v was acknowledged and is lost", s.job)
		case state.Job(s.job).Spec.Name != s.spec.Name:
			c.fail("%v was acknowledged for %s and is %s", s.job, s.spec.Name, state.Job(s.job).Spec.Name)
		}
	}
}

func (c *checks) ending(s *submission, j *cluster.Job) {
	switch j.Ending.Outcome {
	case cluster.Succeeded:
		for i := range j.Tasks {
			if exit := c.exit(j, i); exit == nil || !exit.OK() {
				c.fail("%v succeeded; the guest of task %d says %+v", j.ID, i, exit)
			}
		}
	case cluster.Cancelled:
		if !s.cancelled {
			c.fail("%v was cancelled by nobody", j.ID)
		}
	case cluster.Failed:
		if !c.justified(s, j) {
			c.fail("%v (%v) failed without cause: %+v", j.ID, j.Spec.Command, j.Ending.Cause)
		}
	}
}

// justified reports whether there was a reason for the job's failure.
func (c *checks) justified(s *submission, j *cluster.Job) bool {
	for _, why := range j.Ending.Why {
		switch why.Code {
		case cluster.WhyLostOften:
			return true
		case cluster.WhyOverran:
			return j.Spec.Limits.Runtime > 0
		}
	}
	text := j.Ending.Text // which the first format keeps instead
	if strings.Contains(text, "was lost ") || strings.Contains(text, "ran longer than") && j.Spec.Limits.Runtime > 0 {
		return true
	}
	for i := range j.Tasks {
		if exit := c.exit(j, i); exit != nil && !exit.OK() {
			return true
		}
	}
	return false
}

// exit reads the report of the guest of the task's last run.
func (c *checks) exit(j *cluster.Job, index int) *cluster.Exit {
	run := cluster.RunID{Job: j.ID, Index: index, Number: j.Tasks[index].Run}
	guest, err := monitor.RunFolder(c.world.store, run).Read()
	c.world.must(err)
	return guest.Exit
}

// unsettled returns why the world is not yet as it should be in calm, or "".
func (c *checks) unsettled() string {
	state := c.world.raft.state()
	for n := range state.Nodes() {
		if n.Name == liarName {
			continue
		}
		if n.Health != cluster.Ready || !n.FenceAlive || !n.StoreProven || n.Cordoned {
			return fmt.Sprintf("node %s is %v, fence %v, store %v, cordoned %v", n.Name, n.Health, n.FenceAlive,
				n.StoreProven, n.Cordoned)
		}
		if len(n.Strays)+len(n.Condemned) > 0 {
			return fmt.Sprintf("node %s has strays %v and condemned %v", n.Name, n.Strays, n.Condemned)
		}
	}
	if _, _, moves := state.Counts(); moves > 0 {
		return fmt.Sprintf("%d moves are under way", moves)
	}
	for j := range state.Jobs() {
		if why := c.unsettledJob(state, j); why != "" {
			return why
		}
	}
	return c.strays(state)
}

// unsettledJob returns why the job is not as it should be, or "".
func (c *checks) unsettledJob(state *cluster.State, j *cluster.Job) string {
	if crowdedOut(state, j) {
		return ""
	}
	if j.Spec.Command[0] != "serve" || j.Ending != nil {
		return fmt.Sprintf("%v (%v) has not ended: %+v; %s", j.ID, j.Spec.Command, j.Why, room(state))
	}
	target := state.Target(j.ID)
	for i := range j.Tasks {
		t := &j.Tasks[i]
		run := cluster.RunID{Job: j.ID, Index: i, Number: t.Run}
		if t.Phase != cluster.Running || t.Frozen || target == nil || target.Nodes[i] != t.Node || target.Cap != t.Cap {
			return fmt.Sprintf("%v is %v on node %d with %d, frozen %v; its target is %+v; %+v; %s", run, t.Phase, t.Node,
				t.Cap, t.Frozen, target, j.Why, room(state))
		}
		d, here := c.world.named(state.Node(t.Node).Name).machine().domains()[run]
		if !here || d.State != reconcile.Running || d.Cap != t.Cap || d.Tier != t.Tier {
			return fmt.Sprintf("%v has the VM %+v; ordered are %d, %v", run, d, t.Cap, t.Tier)
		}
	}
	return ""
}

// crowdedOut reports whether the job waits rightly, because others that never end have the memory and the policy in
// force pauses nobody.
func crowdedOut(state *cluster.State, j *cluster.Job) bool {
	fit := 0
	for n := range state.Nodes() {
		if state.Open(n) {
			fit += int(max(0, n.Capacity().Memory-n.Load.Memory) / state.Charge(j.Spec))
		}
	}
	return state.Policy.Name == "Greedy *" && j.Schedulable() && state.Target(j.ID) == nil && fit < j.Live()
}

// room describes the nodes' memory.
func room(state *cluster.State) string {
	var all []string
	for n := range state.Nodes() {
		all = append(all, fmt.Sprintf("%s has %v of %v occupied, %v astray, awaited %d", n.Name, n.Occupied,
			n.Description.Memory, n.Astray, n.Awaited))
	}
	return strings.Join(all, "; ")
}

// strays returns a VM that should not be there, or "".
func (c *checks) strays(state *cluster.State) string {
	for _, n := range c.world.nodes {
		for _, run := range sortedRuns(n.machine().domains()) {
			if !state.Current(run) {
				return fmt.Sprintf("%v is left on %s", run, n.name)
			}
		}
	}
	return ""
}

func sortedRuns(all map[cluster.RunID]reconcile.Domain) []cluster.RunID {
	return slices.SortedFunc(maps.Keys(all), cluster.RunID.Compare)
}

// The limits of the calm phase.
const (
	settleTime    = 12 * time.Minute // until all is as it should be
	quietTime     = time.Minute      // in which little may happen then
	quietCommands = 150
)

// calm checks that everything converges and stays.
func (c *checks) calm(ctx context.Context) {
	began, why := time.Now(), ""
	for time.Since(began) < settleTime && !c.failed() {
		if why = c.unsettled(); why == "" {
			break
		}
		rest(ctx, time.Second)
	}
	c.world.settled = time.Since(began)
	if why != "" {
		c.fail("not settled after %v of calm: %s", time.Since(began).Round(time.Second), why)
		return
	}
	before := c.count()
	rest(ctx, quietTime)
	if n := c.count() - before; n > quietCommands {
		c.fail("%d commands in a minute in which nothing happens", n)
	}
	c.replicas()
	c.punctual(c.world.raft.state())
}

func (c *checks) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.commits
}

// replicas checks that all replicas have the same state.
func (c *checks) replicas() {
	truth := c.world.raft.state()
	for _, m := range c.world.managers {
		state := m.life().replica.Latest()
		if state.Revision == truth.Revision && state.Hash() != truth.Hash() {
			c.fail("the state of %s differs at revision %d", m.name, state.Revision)
		}
	}
}
