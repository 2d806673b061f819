package cluster

import (
	"iter"
	"slices"
)

// Promised yields the promises of the state, by job.
func (s *State) Promised() iter.Seq[*Promise] { return s.current(s.promises, s.Now) }

// current yields promises as they are at a time.
func (s *State) current(list table[JobID, Promise], now Time) iter.Seq[*Promise] {
	return func(yield func(*Promise) bool) {
		for p := range list.all() {
			if !yield(p.at(s.Job(p.Job), now)) {
				return
			}
		}
	}
}

// standing yields the promises as they are now, whatever happens to them meanwhile.
func (s *State) standing() iter.Seq[*Promise] {
	if s.promises.Len() == 0 {
		return func(func(*Promise) bool) {}
	}
	return s.current(s.promises.clone(), s.Now)
}

// PromiseTo returns the promise to a job, or nil. A promise whose interval is over is still there until the next
// decision.
func (s *State) PromiseTo(id JobID) *Promise { return s.promises.get(id).at(s.Job(id), s.Now) }

// keep puts a promise in place of an earlier one to its job.
func (s *State) keep(p *Promise) {
	was := s.promises.get(p.Job)
	if was != nil {
		s.turns.Delete(was.turn())
	}
	s.promises.put(p)
	s.reshelve(p.Job, was, p)
	s.turns.ReplaceOrInsert(p.turn())
}

// forgo removes the promise to a job, if there is one.
func (s *State) forgo(id JobID) {
	if p := s.promises.get(id); p != nil {
		s.turns.Delete(p.turn())
		s.reshelve(id, p, nil)
		s.promises.remove(id)
	}
}

// Due returns the time from which the promise counts, in microseconds: its VMs are started then.
func (p *Promise) Due() Time { return p.From - p.Lead }

// inForce reports whether the job has to have what it was promised.
func (p *Promise) inForce(now Time) bool {
	return p != nil && p.Nodes != nil && p.Due() <= now && now < p.Until
}

// early reports whether the job has to wait for its interval, or until it is ready.
func (p *Promise) early(now Time) bool {
	return p != nil && (p.Work == 0 && now < p.Due() || now < p.Ready)
}

// Broken reports whether there is no room for the job any more.
func (p *Promise) Broken() bool { return p.Nodes == nil }

// turn returns the next time at which the promise asks for a decision: when it falls due, and when it ends.
func (p *Promise) turn() Alarm {
	if p.Work > 0 {
		return Alarm{At: p.Wake, Kind: AlarmPromise, Job: p.Job}
	}
	if p.Met {
		return Alarm{At: p.Until, Kind: AlarmPromise, Job: p.Job}
	}
	return Alarm{At: p.Due(), Kind: AlarmPromise, Job: p.Job}
}

// turned reports whether promises fell due or ended since the last decision.
func (s *State) turned(now Time) bool {
	if first, any := s.turns.Min(); any && first.At <= now {
		return true
	}
	for id := range s.serviced.all() {
		if at, any := s.Node(id).turn(); any && at <= now {
			return true
		}
	}
	return false
}

// turnAfter returns the time of the first turn after now; 0: there is none.
func (s *State) turnAfter(now Time) (at Time) {
	s.turns.AscendGreaterOrEqual(Alarm{At: now + 1}, func(a Alarm) bool { at = a.At; return false })
	for id := range s.serviced.all() {
		if turn, any := s.Node(id).turn(); any && turn > now {
			at = earliest(at, turn)
		}
	}
	return at
}

// Placement returns what the promise gives a job of the spec: the full need of each live task.
func (p *Promise) Placement(s *Spec) Placement {
	nodes := slices.DeleteFunc(slices.Clone(p.Nodes), func(n NodeID) bool { return n == 0 })
	slices.Sort(nodes)
	return Placement{Grant: Foreground.Grant(s.Need), Nodes: nodes}
}

// Kept reports whether a placement of a job of the spec is what the promise gives.
func (p *Promise) Kept(s *Spec, held *Placement) bool {
	if held == nil {
		return false
	}
	want, nodes := p.Placement(s), slices.DeleteFunc(slices.Clone(held.Nodes), func(n NodeID) bool { return n == 0 })
	slices.Sort(nodes)
	return held.Grant == want.Grant && slices.Equal(nodes, want.Nodes)
}

// book makes a promise to a new job, unless it is nil.
func (t *transaction) book(j *Job, p *Promise) {
	if p != nil {
		t.pledge(j, *p)
	}
}

// pledge makes a promise to a new job.
func (t *transaction) pledge(j *Job, p Promise) {
	p.Job = j.ID
	if p.Work > 0 {
		p.Wake = t.wake(&p)
	}
	t.keep(&p)
	if p.Work == 0 || p.early(t.Now) {
		j.Why = t.told(&p)
	}
	t.emitJob(JobPromised, j.ID, Cause{Why: []Reason{t.told(&p)}})
}

// told returns the reason of a job that waits for what it was promised.
func (t *transaction) told(p *Promise) Reason {
	if p.Work > 0 {
		by := t.Job(p.Job).Spec.Deadline.By
		out := Reason{Job: p.Job, Code: WhyDeadline, Values: []int64{int64(by), int64(p.From), int64(p.Ready)}}
		lacks := Time(0)
		if t.Format >= keepsParts {
			lacks = p.lacks(t.Job(p.Job), t.Now)
		}
		switch {
		case lacks > 0:
			out.Values = append(out.Values, int64(len(p.Parts())), int64(lacks))
		case len(p.Later) > 0:
			out.Values = append(out.Values, int64(len(p.Parts())))
		}
		return out
	}
	return Reason{Job: p.Job, Code: WhyInterval, Values: []int64{int64(p.From), int64(p.Until)}}
}

// Reason returns the reason of a job that has what it was promised.
func (p *Promise) Reason() Reason {
	return Reason{Job: p.Job, Code: WhyKept, Values: []int64{int64(p.Until)}}
}

// vacateNode takes the node of an ended task out of the promise.
func (t *transaction) vacateNode(id JobID, index int) {
	if p := t.PromiseTo(id); p != nil && p.Nodes != nil && p.Nodes[index] != 0 {
		t.keep(p.seated(func(part *Promise) []NodeID {
			nodes := slices.Clone(part.Nodes)
			nodes[index] = 0
			return nodes
		}))
		t.loosened = true
		t.markNodesChanged()
	}
}

// unpromise removes the promise to a job that ends, if there is one.
func (t *transaction) unpromise(id JobID) {
	if p := t.PromiseTo(id); p != nil {
		t.loosened = t.loosened || !p.Broken()
		t.noteLoss(p)
		t.forgo(id)
	}
}

// turnPromises lets promises whose time has come fall due or end.
func (t *transaction) turnPromises() {
	t.turnNodes()
	for {
		first, any := t.turns.Min()
		if !any || first.At > t.Now {
			return
		}
		p := t.PromiseTo(first.Job)
		if p.Work > 0 {
			t.turnDeadline(p)
			continue
		}
		if t.Now >= p.Until {
			t.overrun(p)
			continue
		}
		next := *p
		next.Met = true
		t.keep(&next)
		if !next.Broken() && !t.begins(&next) {
			t.rebind(t.bookedBut(p.Job), &next)
		}
	}
}

// unmeet lets promises fall due again that have done so, if the time was set back before that. Their losses
// before the time was set are not measured.
func (t *transaction) unmeet() {
	for p := range t.standing() {
		if p.Since > 0 || p.Met && t.Now < p.Due() {
			next := *p
			next.Met, next.Since, next.Had = p.Met && t.Now >= p.Due(), 0, 0
			t.keep(&next)
		}
	}
}

// overrun ends a promise whose interval is over, although its job has not ended.
func (t *transaction) overrun(p *Promise) {
	t.noteLoss(p)
	if t.forgo(p.Job); p.Broken() {
		return // its job runs like any other already
	}
	why := Because(WhyOver, int64(p.Until))
	if p.Work > 0 {
		t.loosened = true
		t.markNodesChanged()
		why = Because(WhyWorked, int64(p.Work))
	}
	t.emitJob(JobOverran, p.Job, why)
	if t.Target(p.Job) == nil {
		t.wish(p.Job)
	} else if j := t.edit(p.Job); j.Why.Code == WhyKept {
		j.Why = Reason{Job: j.ID, Code: WhyPlaced, Values: []int64{1000}} // until the decision says otherwise
	}
}

// begins reports whether the tasks of the job are on their nodes, or can be started there.
func (t *transaction) begins(p *Promise) bool {
	j := t.Job(p.Job)
	for i, n := range p.Nodes {
		if n != 0 && t.whereabouts(j, i) != n && !t.Open(t.Node(n)) {
			return false
		}
	}
	return true
}

// bookedBut returns what the promises to all other jobs take.
func (s *State) bookedBut(id JobID) bookings {
	b := s.promisedBookings()
	b.but = id
	return b
}

// rebind moves a promise to other nodes, or breaks it if there is no room on them.
func (t *transaction) rebind(b bookings, p *Promise) {
	if p.Work > 0 {
		t.rebook(b, p)
		return
	}
	j := t.Job(p.Job)
	open := p.early(t.Now) // else its tasks have to start now
	may := func(n *Node) bool { return t.takes(n, j.Spec, j) && (open || j.on(n.ID) || t.Open(n)) }
	if nodes := t.nodesFor(b, p, may); nodes != nil {
		t.moveTo(b, p.over([]Part{{p.From, p.Until, nodes}}))
	} else {
		t.breakPromise(b, p)
	}
}

// nodesFor returns nodes that have room for the promise and may be used, as far as possible those of its tasks.
func (t *transaction) nodesFor(b bookings, p *Promise, may func(*Node) bool) []NodeID {
	var has []NodeID
	j := t.Job(p.Job)
	for i := range j.Tasks {
		has = append(has, t.whereabouts(j, i))
	}
	nodes, _ := b.find(j.Spec, j.Live(), has, may, max(t.Now, p.Due()), p.Until)
	return nodes
}

// moveTo gives a promise other nodes, which it names for each part in any order.
func (t *transaction) moveTo(b bookings, p *Promise) {
	j, was := t.Job(p.Job), t.promises.get(p.Job)
	next := p.seated(func(part *Promise) []NodeID { return t.assign(j, part.Nodes) })
	t.keep(next)
	t.markNodesChanged()
	if t.edit(j.ID); was.Broken() && t.Target(j.ID) == nil {
		t.edit(j.ID).Why = t.told(next)
	}
	t.emitJob(JobRepromised, j.ID, Cause{Why: []Reason{t.told(next)}})
	b.add(next)
}

// unstick moves promises in force to nodes where all of their tasks can begin, if these have room.
func (t *transaction) unstick() {
	for p := range t.standing() {
		if !p.inForce(t.Now) || !t.stalls(p) {
			continue
		}
		j, b := t.Job(p.Job), t.bookedBut(p.Job).once()
		may := func(n *Node) bool { return t.takes(n, j.Spec, j) && (j.on(n.ID) || t.Open(n) && !j.shuns(n.ID, t.Now)) }
		if nodes := t.nodesFor(b, p, may); nodes != nil && !slices.Equal(nodes, p.Placement(j.Spec).Nodes) {
			next := *p
			next.Nodes, next.Met = nodes, false
			t.moveTo(b, &next)
		}
	}
}

// stalls reports whether tasks of the job cannot be started on their nodes, or failed to start there a moment ago.
func (t *transaction) stalls(p *Promise) bool {
	j := t.Job(p.Job)
	for i, n := range p.Nodes {
		if n != 0 && t.whereabouts(j, i) != n && j.Tasks[i].shuns(n, t.Now) {
			return true
		}
	}
	return !t.begins(p)
}

// maxConsoled is the number of promises broken by one command whose owners are told when there could be another.
const maxConsoled = 10

// breakPromise leaves a job without its promise and says from when on it could have another, unless many lose theirs.
func (t *transaction) breakPromise(b bookings, p *Promise) {
	if p.Broken() {
		return
	}
	next := *p
	next.Nodes, next.Later = nil, nil
	j := t.edit(p.Job)
	j.Why = Reason{Job: j.ID, Code: WhyBroken}
	if p.Work > 0 {
		j.Why.Code = WhyLate
		next.Until = j.Spec.Deadline.By // it can be made good until then
	}
	t.keep(&next)
	if t.broken++; t.broken <= maxConsoled {
		*b.looks = 0
		j.Why.Values = []int64{int64(t.consolation(b, p))}
	}
	t.emitJob(JobPromiseBroken, j.ID, Cause{Why: []Reason{j.Why}})
	t.markNodesChanged()
	if t.Target(j.ID) == nil && !p.early(t.Now) {
		t.wish(j.ID)
	}
}

// consolation returns what could be promised to a job whose promise is broken: the next start, or the next end of one
// with a deadline; 0: none.
func (t *transaction) consolation(b bookings, p *Promise) Time {
	j := t.Job(p.Job)
	lasts := p.Until - p.From
	if p.Work > 0 {
		lasts = p.left(j, t.Now)
	}
	start, found := b.earliest(j.Spec, max(p.From, t.Now+p.Lead), lasts)
	if p.Work > 0 && found {
		return start + lasts
	}
	return start
}

// review moves or breaks promises after nodes have changed: as few as possible, those that were made last. It makes up
// for broken ones where there is room again.
func (t *transaction) review() {
	if t.promises.Len() == 0 || !t.altered() {
		return
	}
	b := newBookings(t.State)
	var without []*Promise
	for p := range t.standing() {
		if p.End() <= t.Now {
			continue
		}
		if b.holds(p) {
			b.add(p)
		} else {
			without = append(without, p)
		}
	}
	for _, p := range without {
		next := *p
		next.Met = false
		t.rebind(b, &next)
	}
	t.lengthen()
	t.unstick()
}

// altered reports whether nodes have, since the command began, gained or lost something that promises count on, or
// whether promises have ended whose room others lack.
func (t *transaction) altered() bool {
	if t.loosened && t.lacking() {
		return true
	}
	limited := (t.Subnet.Rate == 0) != (t.origin.Subnet.Rate == 0)
	if t.overhead != t.origin.overhead || t.TimeSet != t.origin.TimeSet || limited {
		return true
	}
	if t.Format >= keepsParts && t.StoreFree >= 0 && t.origin.StoreFree < 0 && t.lacking() {
		return true // parts can be promised again
	}
	for id, j := range t.edited {
		if t.PromiseTo(id).inForce(t.Now) && t.failed(j) {
			return true
		}
	}
	for id := range t.growth {
		was, is := t.origin.Node(id), t.Node(id)
		if was == nil || t.counts(was) != t.counts(is) || t.Format >= limits && relabelled(was, is) {
			return true
		}
	}
	return false
}

// relabelled reports whether other jobs may use the node than before.
func relabelled(was, is *Node) bool {
	a, b := &was.Description, &is.Description
	return a.Bridged != b.Bridged || a.Isolates != b.Isolates || a.Limits != b.Limits ||
		a.Diskless != b.Diskless ||
		!slices.Equal(a.Labels, b.Labels) || !slices.Equal(a.Platforms, b.Platforms)
}

// lacking reports whether promises are broken, hold too little, or stall.
func (t *transaction) lacking() bool {
	for p := range t.Promised() {
		short := t.Format >= keepsParts && p.Short && !p.Met
		if p.End() > t.Now && (p.Broken() || short || p.inForce(t.Now) && t.stalls(p)) {
			return true
		}
	}
	return false
}

// failed reports whether a task of the job failed to start since the command began.
func (t *transaction) failed(j *Job) bool {
	was := t.origin.Job(j.ID)
	for i := range j.Tasks {
		if task := &j.Tasks[i]; task.Avoid != 0 && (was == nil || task.Attempts > was.Tasks[i].Attempts) {
			return true
		}
	}
	return false
}

// countedOn is the part of a node that promises count on.
type countedOn struct {
	Offer
	maintenance                    [maxMaintenance]Time // begins
	speed                          Speed
	down, draining, cordoned, open bool
	leaves, shuts                  bool // when its maintenance ends
}

func (t *transaction) counts(n *Node) countedOn {
	var begins [maxMaintenance]Time
	for i := range n.Maintenance {
		begins[i] = n.Maintenance[i].From
	}
	c := countedOn{n.Capacity(), begins, n.Description.Speed.Known(), n.Health == Down, n.Draining, n.Cordoned,
		t.Open(n), false, false}
	if w := n.InMaintenance(); w != nil && t.Format >= guards {
		c.leaves, c.shuts = w.Drain, w.Cordon
	}
	return c
}

// honour gives the jobs whose promises are in force what they were promised, whatever was decided, and returns what it
// changed.
func (t *transaction) honour() (changes []change) {
	for p := range t.standing() {
		j := t.Job(p.Job)
		if !p.inForce(t.Now) || p.Kept(j.Spec, t.Target(j.ID)) {
			continue
		}
		given := p.Placement(j.Spec)
		given.Nodes = t.assign(j, given.Nodes)
		changes = append(changes, change{j.ID, t.Target(j.ID), &given})
		j = t.edit(j.ID)
		j.Why = p.Reason()
		t.place(j, &given)
	}
	return changes
}

// makeRoom takes from other jobs what promises in force lack on their nodes: CPU, down to the smallest share, and
// memory. The jobs that were submitted last give way first. A promise that still lacks something is broken. Its job has
// again what it had before kept, if there is room or if it cannot be paused.
func (t *transaction) makeRoom(kept []change) {
	for p := range t.standing() {
		if !p.inForce(t.Now) {
			continue
		}
		for _, id := range p.Nodes {
			if id != 0 && !t.clearNode(id, p.Job) {
				t.giveBack(p.Job, kept)
				t.breakPromise(t.bookedBut(p.Job), p)
				break
			}
		}
	}
}

// giveBack gives a job the placement that it had before the changes, or none.
func (t *transaction) giveBack(id JobID, changes []change) {
	j, was := t.edit(id), t.Target(id)
	if at := slices.IndexFunc(changes, func(c change) bool { return c.job == id }); at >= 0 {
		was = changes[at].was
	}
	t.place(j, nil)
	if need := t.saving(j); !t.squeeze(id, was) && was != nil && need > 0 && t.spare() < 0 {
		t.place(j, was)
	}
}

// clearNode makes the loads of other jobs fit on the node beside a promise, and reports whether all of it fits. It
// pauses only jobs whose memory is needed, and those without which the others could not spare enough CPU.
func (t *transaction) clearNode(id NodeID, promised JobID) bool {
	fits := func() bool { n := t.Node(id); return n.Load.Fits(n.Capacity(), Load{}) }
	if fits() {
		return true
	}
	var others []*Job
	for job, held := range t.target.All() {
		if contains(held.Nodes, id) && !t.PromiseTo(job).inForce(t.Now) {
			others = append(others, t.Job(job))
		}
	}
	for _, j := range slices.Backward(others) {
		n := t.Node(id)
		c, most := n.Capacity(), t.sparable(others, id)
		if n.Load.Memory > c.Memory || n.Load.Guaranteed-c.CPU > most && t.Target(j.ID).Guaranteed > 0 {
			t.pauseFor(promised, j)
		}
	}
	for _, j := range slices.Backward(others) {
		t.compress(j, t.Node(id))
	}
	return fits()
}

// sparable returns the CPU on the node that jobs can do without.
func (t *transaction) sparable(jobs []*Job, id NodeID) (sum CPU) {
	for _, j := range jobs {
		if held := t.Target(j.ID); held != nil {
			sum += CPU(count(held.Nodes, id)) * max(0, held.Guaranteed-j.Spec.MinShare())
		}
	}
	return sum
}

// pauseFor takes the job's placement away for one that was promised its room, if the store has room for its image.
func (t *transaction) pauseFor(promised JobID, j *Job) {
	if need := t.saving(j); need == 0 || need <= t.spare() {
		t.unplace(t.edit(j.ID), Reason{Job: j.ID, Code: WhyKeptFor, Values: []int64{int64(promised)}})
	}
}

// compress takes from the job the CPU that the node lacks, down to the smallest share.
func (t *transaction) compress(j *Job, n *Node) {
	held, lack := t.Target(j.ID), n.Load.Guaranteed-n.Capacity().CPU
	if held == nil || lack <= 0 {
		return
	}
	tasks := CPU(count(held.Nodes, n.ID))
	if less := max(j.Spec.MinShare(), held.Guaranteed-(lack+tasks-1)/tasks); less < held.Guaranteed {
		t.place(t.edit(j.ID), &Placement{Grant: held.Tier.Grant(less), Nodes: held.Nodes})
	}
}

func count(nodes []NodeID, id NodeID) (tasks int) {
	for _, n := range nodes {
		if n == id {
			tasks++
		}
	}
	return tasks
}

// permits reports whether the promise to the job, if there is one, lets it have the placement.
func (s *State) permits(j *Job, held *Placement) bool {
	p := s.PromiseTo(j.ID)
	return !p.early(s.Now) && (!p.inForce(s.Now) || p.Kept(j.Spec, held))
}
