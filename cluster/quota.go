package cluster

import (
	"cmp"
	"fmt"
	"strings"
)

// Limits on what the managers keep of all jobs together, in memory and in each backup.
const (
	maxLiveTasks = 1_000_000 // of jobs that have not ended
	maxLiveText  = 512 * MiB // of their specifications
	maxPastTasks = 1_000_000 // of the history
	maxPastText  = 64 * MiB
	maxQuotas    = 10_000
)

// DefaultLogBytes is the output kept of a task that limits none, in bytes.
const DefaultLogBytes = 10 * MiB

// Every as the name of a quota's project or owner stands for each that has no quota of its own.
const Every = "*"

// Use is what jobs take as long as they have not ended, however many of their tasks run. In a Quota, zero means that
// there is no limit.
type Use struct {
	Jobs   int
	Tasks  int
	CPU    CPU   // needs of the tasks, in millicores
	Memory Bytes // requirements of the tasks, in bytes; when paused, they take as much of the store
	Logs   Bytes // output and results that the tasks may keep on the store, in bytes
	Text   Bytes // of the specifications, in bytes
}

// Quota limits what the jobs of a project, or of an owner, take together, and weighs them. Invariant: either Project or
// Owner is set.
type Quota struct {
	Project string
	Owner   string
	Most    Use
	Weight  int // of the jobs in the sharing of the cluster, in percent of the usual one; 0: the usual one
}

// usualWeight is the weight of a project or an owner for which none is set, in percent.
const usualWeight = 100

// MaxWeight is the largest weight of a project or an owner, in percent.
const MaxWeight = 10_000

// Weight returns the weight of an owner in a project: the product of both weights.
func (v *View) Weight(project, owner string) int {
	return v.state.QuotaOf(project, "").Weighs() * v.state.QuotaOf("", owner).Weighs()
}

// Weighs returns the weight in percent.
func (q Quota) Weighs() int { return cmp.Or(q.Weight, usualWeight) }

// party is one whose use is counted: a project, an owner, or, without a name, all jobs. The jobs of the history are
// counted apart.
type party struct {
	project, owner string
	past           bool
}

var (
	everybody = party{}
	history   = party{past: true}
)

func (p party) compare(q party) int {
	switch {
	case p.past == q.past:
		return cmp.Or(cmp.Compare(p.project, q.project), cmp.Compare(p.owner, q.owner))
	case q.past:
		return -1
	}
	return 1
}

func (p party) String() string {
	switch {
	case p.project != "":
		return "project " + p.project
	case p.owner != "":
		return "owner " + p.owner
	}
	return "the cluster"
}

// parties returns those that count the job.
func parties(s *Spec) []party {
	return []party{everybody, {project: s.Project}, {owner: s.Owner}}
}

// used is an entry of the index of uses by party.
type used struct {
	party
	Use
}

func (a used) less(b used) bool { return a.party.compare(b.party) < 0 }

// Use returns what a job of the spec takes.
func (s *Spec) Use() Use {
	n := int64(s.Tasks)
	return Use{1, s.Tasks, s.Need * CPU(n), s.Requirement.Memory * Bytes(n),
		(cmp.Or(s.Limits.LogBytes, DefaultLogBytes) + s.ResultLimit()) * Bytes(n), Bytes(s.size())}
}

// plus returns the sum of u and a multiple of v.
func (u Use) plus(v Use, times int64) Use {
	return Use{u.Jobs + v.Jobs*int(times), u.Tasks + v.Tasks*int(times), u.CPU + v.CPU*CPU(times),
		u.Memory + v.Memory*Bytes(times), u.Logs + v.Logs*Bytes(times), u.Text + v.Text*Bytes(times)}
}

// amount is one number of a Use, with the field of a specification that causes it.
type amount struct {
	field string
	of    func(Use) int64
	words func(int64) string
}

var (
	counted = func(what string) func(int64) string {
		return func(n int64) string {
			if n == 1 {
				return "1 " + what
			}
			return fmt.Sprintf("%d %ss", n, what)
		}
	}
	bytesOf = func(what string) func(int64) string {
		return func(n int64) string { return Bytes(n).Words() + " of " + what }
	}
	amounts = []amount{
		{"", func(u Use) int64 { return int64(u.Jobs) }, counted("job")},
		{"tasks", func(u Use) int64 { return int64(u.Tasks) }, counted("task")},
		{"cpu", func(u Use) int64 { return int64(u.CPU) }, func(n int64) string { return CPU(n).String() + " of CPU" }},
		{"memory", func(u Use) int64 { return int64(u.Memory) }, bytesOf("memory")},
		{"limits.logBytes", func(u Use) int64 { return int64(u.Logs) }, bytesOf("kept output")},
		{"", func(u Use) int64 { return int64(u.Text) }, bytesOf("specifications")},
	}
)

// exceeded returns why asked, added to the present use, exceeds the party's quota, or nil.
func exceeded(p party, most, use, asked Use) *Rejection {
	for _, a := range amounts {
		if limit := a.of(most); limit > 0 && a.of(use)+a.of(asked) > limit {
			return reject(CodeQuota, a.field, "the quota of %v is %s; its unfinished jobs take %s, and this one asks for %s",
				p, a.words(limit), a.words(a.of(use)), a.words(a.of(asked))).Rejection
		}
	}
	return nil
}

// Exceeded returns why the quotas do not allow one more job of the spec, or nil.
func (s *State) Exceeded(spec *Spec) *Rejection {
	if s.Format < hasQuotas {
		return nil
	}
	asked := spec.Use()
	for _, p := range parties(spec) {
		if r := exceeded(p, s.most(p), s.use(p), asked); r != nil {
			return r
		}
	}
	return nil
}

func (s *State) use(p party) Use {
	u, _ := s.uses.Get(used{party: p})
	return u.Use
}

// UseOf returns what the jobs of the project, or of the owner, take that have not ended. One of the names is "".
func (s *State) UseOf(project, owner string) Use { return s.use(party{project: project, owner: owner}) }

// most returns the limits of the party.
func (s *State) most(p party) Use {
	if p == everybody {
		return Use{Jobs: maxJobs, Tasks: maxLiveTasks, Text: maxLiveText}
	}
	return s.QuotaOf(p.project, p.owner).Most
}

// QuotaOf returns the quota in force for the project or the owner; its own, or that of every one.
func (s *State) QuotaOf(project, owner string) Quota {
	every := Quota{Project: Every}
	if project == "" {
		every = Quota{Owner: Every}
	}
	for _, key := range []Quota{{Project: project, Owner: owner}, every} {
		if q, ok := s.quotas.Get(&key); ok {
			return *q
		}
	}
	return Quota{}
}

// tally adds a job to the use of its parties, or takes it away.
func (s *State) tally(spec *Spec, times int64) {
	use := spec.Use()
	for _, p := range parties(spec) {
		s.tallyFor(p, use, times)
	}
}

func (s *State) tallyFor(p party, use Use, times int64) {
	u := s.use(p).plus(use, times)
	if u == (Use{}) {
		s.uses.Delete(used{party: p})
		return
	}
	s.uses.ReplaceOrInsert(used{p, u})
}

// reindexUses rebuilds the index of what jobs take.
func (s *State) reindexUses() {
	sums := map[party]Use{}
	for j := range s.Jobs() {
		use := j.Spec.Use()
		for _, p := range parties(j.Spec) {
			sums[p] = sums[p].plus(use, 1)
		}
	}
	for j := range s.History() {
		sums[history] = sums[history].plus(j.Spec.Use(), 1)
	}
	s.uses.Clear(false)
	for p, u := range sums {
		s.uses.ReplaceOrInsert(used{p, u})
	}
}

// archive moves the job to the history, and forgets the oldest ones that are too many or too large together.
func (t *transaction) archive(j *Job) {
	t.jobs.remove(j.ID)
	t.blocks.Delete(j.blockOf())
	t.tally(j.Spec, -1)
	t.history.put(j)
	t.tallyFor(history, j.Spec.Use(), 1)
	t.pasts.ReplaceOrInsert(past{j.Ended, j.ID})
	for t.history.Len() > maxHistory || t.Format >= hasQuotas && t.large(t.use(history)) {
		oldest, _ := t.pasts.DeleteMin()
		t.tallyFor(history, t.Ended(oldest.job).Spec.Use(), -1)
		t.history.remove(oldest.job)
	}
}

// large reports whether the history takes too much. A job alone never does.
func (t *transaction) large(u Use) bool { return u.Tasks > maxPastTasks || u.Text > maxPastText }

func (a SetQuota) apply(t *transaction) Result {
	q := a.Quota
	if r := t.Unready(a); r != nil {
		return Result{Rejection: r}
	}
	if (q.Project == "") == (q.Owner == "") {
		return reject(CodeInvalid, "", "a quota is for a project or for an owner; name one of them, or %s for each", Every)
	}
	for _, x := range amounts {
		if x.of(q.Most) < 0 {
			return reject(CodeInvalid, "", "a quota cannot be negative; 0 means that there is no limit")
		}
	}
	if q.Weight < 0 || q.Weight > MaxWeight {
		return reject(CodeInvalid, "weight", "a weight is from 1 to %d %%; 0 means the usual one, 100 %%", MaxWeight)
	}
	if len(q.Project)+len(q.Owner) > MaxName {
		return reject(CodeInvalid, "", "a name has at most %d bytes", MaxName)
	}
	text := party{project: q.Project, owner: q.Owner}.String()
	switch _, exists := t.quotas.Get(&q); {
	case q.Most == (Use{}) && q.Weight == 0:
		t.quotas.Delete(&q)
	case !exists && t.quotas.Len() >= maxQuotas:
		return reject(CodeLimit, "", "%d quotas exist, which is the most", maxQuotas)
	default:
		t.quotas.ReplaceOrInsert(&q)
	}
	t.emit(Event{Kind: QuotaSet, Task: -1, Cause: Cause{Text: text}})
	return Result{}
}

// Quotas returns the quotas that are set, projects first, by name; and then, without limits, the others that use
// something.
func (s *State) Quotas() (list []Quota) {
	for q := range s.quotas.all() {
		list = append(list, *q)
	}
	for u := range s.uses.all() {
		q := Quota{Project: u.project, Owner: u.owner}
		if u.past || u.party == everybody || s.quotas.Has(&q) {
			continue
		}
		list = append(list, q)
	}
	return list
}

func (q *Quota) less(r *Quota) bool {
	return cmp.Or(cmp.Compare(q.Project, r.Project), strings.Compare(q.Owner, r.Owner)) < 0
}
