package world

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"

	"aliquot/cluster"
	"aliquot/web"
)

var (
	user     = cluster.Actor{Name: "u", Owner: "u", Project: "default", Role: cluster.User}
	operator = cluster.Actor{Name: "root", Owner: "root", Project: "default", Role: cluster.Admin}
)

// users submit jobs through any manager, repeat requests without an answer, cancel some jobs and look at the list.
type users struct {
	world *world

	mu   sync.Mutex
	all  []*submission
	took int // offers that were accepted
	seen []porcupine.Operation
}

// submission is a job as its user knows it.
type submission struct {
	spec      *cluster.Spec
	job       cluster.JobID // 0: not acknowledged
	cancelled bool          // its user asked for that
	held      bool
	began     time.Duration // when it was first tried
	ahead     cluster.Time  // from the submission to the interval that it reserves, or to its deadline; 0: it has none
	due       bool          // it has a deadline
}

// spec draws a job.
func (u *users) spec(number int) *cluster.Spec {
	c := u.world.draws
	s := &cluster.Spec{Name: fmt.Sprintf("job-%d", number), Owner: "u", Project: "default", Image: u.world.image,
		Tasks: pick(c, "tasks", 1, 1, 1, 2, 3), Need: pick[cluster.CPU](c, "need", 300, 500, 1000, 1500)}
	s.Requirement.Memory = pick[cluster.Bytes](c, "memory", 64, 128, 200) * cluster.MiB
	switch c.below("kind", 10) {
	case 0, 1, 2:
		s.Command = []string{"serve", "80"}
		s.Requirement.Memory = 64 * cluster.MiB
	case 3:
		s.Command = []string{"sleep", strconv.Itoa(5 + c.below("sleep", 40))}
	case 4:
		s.Command, s.Restarts = []string{"work", "5", "3"}, c.below("restarts", 2)
	case 5:
		s.Command, s.Limits.Runtime = []string{"work", "60"}, 20*cluster.Second
	default:
		s.Command = []string{"work", strconv.Itoa(2 + c.below("work", 25))}
	}
	return s
}

// work submits so many jobs, spread over the time.
func (u *users) work(ctx context.Context, jobs int, during time.Duration) {
	var all sync.WaitGroup
	for i := range jobs {
		s := &submission{spec: u.spec(i)}
		if !u.world.upgrades && u.world.draws.percent("reserves", 15) {
			s.ahead = cluster.Time(40+u.world.draws.below("ahead", 80)) * cluster.Second
		} else if !u.world.upgrades && u.world.draws.percent("is due", 15) {
			s.due, s.ahead = true, cluster.Time(80+u.world.draws.below("ahead", 120))*cluster.Second
		}
		u.mu.Lock()
		u.all = append(u.all, s)
		u.mu.Unlock()
		at := u.world.draws.between("submit", 0, during)
		all.Go(func() {
			if rest(ctx, at) {
				u.follow(ctx, s)
			}
		})
	}
	all.Wait()
}

// follow submits a job and later perhaps changes its mind.
func (u *users) follow(ctx context.Context, s *submission) {
	name := s.spec.Name
	u.submit(ctx, s)
	u.look(ctx, name)
	if u.job(s) == 0 {
		return
	}
	switch c := u.world.chance; c.below("change of mind "+name, 6) {
	case 0:
		rest(ctx, c.between("cancel "+name, 0, 40*time.Second))
		u.note(func() { s.cancelled = true })
		u.do(ctx, name+" cancel", cluster.Cancel{Job: u.job(s)})
	case 1:
		rest(ctx, c.between("hold "+name, 0, 30*time.Second))
		u.note(func() { s.held = true })
		u.do(ctx, name+" hold", cluster.Hold{Job: u.job(s)})
	}
}

// release lets held jobs run and opens all nodes, so that calm can come.
func (u *users) release(ctx context.Context) {
	for _, s := range u.submissions() {
		if s.held {
			u.do(ctx, s.spec.Name+" release", cluster.Release{Job: s.job})
		}
	}
	for n := range u.world.raft.state().Nodes() {
		u.do(ctx, n.Name+" is open", cluster.SetNode{Node: n.ID, Want: cluster.Uncordon})
	}
}

func (u *users) note(change func()) {
	u.mu.Lock()
	defer u.mu.Unlock()
	change()
}

func (u *users) job(s *submission) cluster.JobID {
	u.mu.Lock()
	defer u.mu.Unlock()
	return s.job
}

// submissions returns copies of all submissions.
func (u *users) submissions() []*submission {
	u.mu.Lock()
	defer u.mu.Unlock()
	var all []*submission
	for _, s := range u.all {
		c := *s
		all = append(all, &c)
	}
	return all
}

const attempts = 8

// do asks one manager after the other until one answers. It returns whether one did.
func (u *users) do(ctx context.Context, request string, a cluster.Action) (cluster.Result, bool) {
	w := u.world
	who := user
	if _, wish := a.(cluster.SetNode); wish {
		who = operator
	}
	for i := 0; i < attempts || w.calm.Load(); i++ {
		l := w.managers[w.chance.below("manager for "+request, len(w.managers))].life()
		if l != nil {
			call, cancel := context.WithTimeout(ctx, 4*time.Second)
			result, err := l.Do(call, who, request, a)
			cancel()
			if _, refused := errors.AsType[*cluster.Rejection](err); err == nil || refused {
				return result, err == nil
			}
			if !errors.Is(err, web.ErrNoLeader) && !errors.Is(err, web.ErrUncertain) {
				w.note("%s: %v", request, err)
			}
		}
		if !rest(ctx, w.chance.between("again "+request, 200*time.Millisecond,
			time.Duration(min(i, attempts)+1)*time.Second)) {
			break
		}
	}
	return cluster.Result{}, false
}

// operation is a submission of a name, or a look for it.
type operation struct {
	name    string
	submits bool
}

func (u *users) submit(ctx context.Context, s *submission) {
	called := u.world.since()
	if s.ahead > 0 {
		lasts := cluster.Time(10+u.world.chance.below("lasts "+s.spec.Name, 50)) * cluster.Second
		start := u.world.raft.state().Now + s.ahead
		if s.due {
			s.spec.Deadline = &cluster.Deadline{By: start, Lasts: lasts,
				Pausable: u.world.chance.percent("pausable "+s.spec.Name, 50)}
		} else {
			s.spec.Reserve = &cluster.Reservation{Start: start, Lasts: lasts}
		}
	}
	u.note(func() { s.began = time.Duration(called) })
	var hold cluster.Time
	if s.ahead > 0 && u.world.chance.percent("offers for "+s.spec.Name, 50) {
		hold = 30 * cluster.Second
	}
	result, ok := u.do(ctx, s.spec.Name, cluster.Submit{Spec: s.spec, Hold: hold})
	if ok && result.Offered != nil {
		result, ok = u.choose(ctx, s.spec.Name, result.Offered)
	}
	returned := u.world.since()
	out := int64(result.Job)
	switch {
	case ok:
		u.note(func() { s.job = result.Job })
	case result.Rejection != nil:
		u.world.note("%s is refused: %s", s.spec.Name, result.Rejection.Detail)
		return // it changed nothing
	default:
		returned, out = math.MaxInt64, unknown
	}
	u.add(porcupine.Operation{Input: operation{s.spec.Name, true}, Call: called, Output: out, Return: returned})
}

// choose accepts one of the offers that are held for a job.
func (u *users) choose(ctx context.Context, name string, offered *cluster.Rejection) (cluster.Result, bool) {
	held := slices.DeleteFunc(slices.Clone(offered.Alternatives), func(a cluster.Alternative) bool { return a.Offer == 0 })
	c := u.world.chance
	rest(ctx, c.between("think of "+name, 0, 20*time.Second))
	result, ok := u.do(ctx, name+" accept", cluster.AcceptOffer{Offer: held[c.below("offer to "+name, len(held))].Offer})
	if ok {
		u.note(func() { u.took++ })
	}
	return result, ok
}

// look asks a manager for the present state.
func (u *users) look(ctx context.Context, name string) {
	w := u.world
	l := w.managers[w.chance.below("look "+name, len(w.managers))].life()
	if l == nil {
		return
	}
	call, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	called := w.since()
	view, err := l.Snapshot(call)
	if err != nil {
		return
	}
	returned, found := w.since(), map[string]cluster.JobID{}
	for j := range view.Jobs() {
		found[j.Spec.Name] = j.ID
	}
	for j := range view.History() {
		found[j.Spec.Name] = j.ID
	}
	for _, s := range u.submissions() {
		u.add(porcupine.Operation{Input: operation{name: s.spec.Name}, Call: called, Output: int64(found[s.spec.Name]),
			Return: returned})
	}
}

func (u *users) add(o porcupine.Operation) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.seen = append(u.seen, o)
}

// unknown is the job of a submission without an answer, and of one in a state in which nobody has seen it yet.
const unknown = int64(-1)

// once is what users may rely on: a request adds one job, and whoever asks later sees it.
var once = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		byName, names := map[string][]porcupine.Operation{}, []string{}
		for _, o := range history {
			name := o.Input.(operation).name
			if byName[name] == nil {
				names = append(names, name)
			}
			byName[name] = append(byName[name], o)
		}
		var parts [][]porcupine.Operation
		for _, name := range names {
			parts = append(parts, byName[name])
		}
		return parts
	},
	Init: func() any { return int64(0) },
	Step: func(state, input, output any) (bool, any) {
		before, got := state.(int64), output.(int64)
		if !input.(operation).submits && before == 0 {
			return got == 0, before
		}
		if before == 0 || before == unknown && got != 0 {
			return true, got
		}
		return got == before || got == unknown, before
	},
}

// linearizable checks the answers that users got.
func (u *users) linearizable() {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !porcupine.CheckOperations(once, u.seen) {
		u.world.checks.fail("the users' %d operations are not linearizable", len(u.seen))
	}
}
