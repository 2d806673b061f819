package manager

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"aliquot/cluster"
)

func TestTheFormatIsRaisedOnceEveryManagerUnderstandsIt(t *testing.T) {
	c := newTrio(t)
	c.initial.Format = cluster.FirstFormat
	for id := uint64(1); id <= 3; id++ {
		c.start(id, 0)
	}
	leader := c.leader()
	if format, err := leader.understood(t.Context()); err != nil || format != cluster.FirstFormat {
		t.Errorf("understood by managers that do not say so: %d, %v", format, err)
	}
	if leader.raise(t.Context()); leader.store.Latest().Format != cluster.FirstFormat {
		t.Error("raised although others do not understand it")
	}
	worked := func() bool {
		r := cluster.Report{Observations: []cluster.Observation{{Seen: cluster.SeenRunning, Work: &cluster.Work{Ran: 1}}}}
		return cluster.Within(r, leader.store.Latest().Format).(cluster.Report).Observations[0].Work != nil
	}
	if worked() {
		t.Error("a report is proposed with what an older program cannot read")
	}
	putSized(t, leader)
	join := cluster.Join{Name: "n1", Boot: "b", Description: cluster.Description{CPU: 500, Memory: 1 << 30, Speed: 500}}
	if r, err := leader.ForNodes().Propose(t.Context(), join); err != nil || r.Rejection != nil {
		t.Fatal(r.Rejection, err)
	}
	if n := leader.store.Latest().NodeNamed("n1"); n.Description.Speed != 0 || leader.curtailed.at[n.ID] == 0 {
		t.Errorf("a node's speed is proposed, or forgotten, where an older program cannot read it: %v, %v",
			n.Description.Speed, leader.curtailed.at)
	}
	before := leader.store.Latest().Revision
	submit := cluster.Submit{Spec: &cluster.Spec{FailOnLoss: true}}
	for name, propose := range map[string]func(cluster.Action) (cluster.Result, error){
		"a user's": func(a cluster.Action) (cluster.Result, error) { return leader.Do(t.Context(), system, "", a) },
		"its own":  func(a cluster.Action) (cluster.Result, error) { return leader.propose(t.Context(), a, 0) },
		"a node's": func(a cluster.Action) (cluster.Result, error) { return leader.ForNodes().Propose(t.Context(), a) },
	} {
		if r, _ := propose(submit); r.Rejection == nil || r.Rejection.Code != cluster.CodeConflict {
			t.Errorf("%s action that an older program cannot read: %+v", name, r)
		}
	}
	if last := (comparison{}); leader.compare(t.Context(), last, time.Now()) != last ||
		leader.store.Latest().Revision != before {
		t.Error("states are compared although an older program may take part")
	}
	c.formats.Store(cluster.LatestFormat + 1)
	c.passed.Add(int64(formatEvery))
	for id, m := range c.all {
		c.until("all have raised it", func() bool { return m.store.Latest().Format == cluster.LatestFormat })
		if err := m.store.(offering).Err(); err != nil {
			t.Errorf("replica %d: %v", id, err)
		}
	}
	c.until("the node is asked again", func() bool {
		leader.curtailed.mu.Lock()
		defer leader.curtailed.mu.Unlock()
		return len(leader.curtailed.at) == 0
	})
	if !worked() {
		t.Error("a report is proposed without what all programs can read")
	}
}

// putSized puts images with a kernel that states its size, as the built-in one and as a user does.
func putSized(t *testing.T, m *Manager) {
	sized := cluster.Image{Name: "sized", Digest: strings.Repeat("a", 64), Kind: cluster.KernelImage, Least: 1}
	founding := Founding{Policy: m.store.Latest().Policy, Builtin: &sized,
		Admin: cluster.Token{ID: "a", Name: "a", Actor: admin}}
	if err := m.bootstrap(t.Context(), founding); err != nil {
		t.Errorf("the built-in image: %v", err)
	}
	other := sized
	other.Digest = strings.Repeat("b", 64)
	if _, err := m.Do(t.Context(), admin, "", cluster.PutImage{Image: other}); err != nil {
		t.Errorf("a user's image: %v", err)
	}
}

// Before Format 8 an image that was pushed stayed an ordinary one, and managers know all images at their start.
func TestAPushedImageBecomesTheBuiltInOneWhenTheFormatIsRaised(t *testing.T) {
	c := newTrio(t)
	c.initial.Format = 7
	c.formats.Store(7)
	for id := uint64(1); id <= 3; id++ {
		c.start(id, 0)
	}
	leader := c.leader()
	image := cluster.Image{Name: "busybox", Digest: strings.Repeat("a", 64), Kind: cluster.KernelImage, Least: 1}
	if _, err := leader.Do(t.Context(), admin, "", cluster.PutImage{Image: image}); err != nil {
		t.Fatal(err)
	}
	image.Builtin = true
	founding := Founding{Policy: leader.store.Latest().Policy, Builtin: &image,
		Admin: cluster.Token{ID: "a", Name: "a", Actor: admin}}
	if err := leader.Bootstrap(t.Context(), founding); err != nil {
		t.Fatal(err)
	}
	if builtin(leader.store.Latest(), image.Digest) {
		t.Fatal("this format does not know that a pushed image can become the built-in one")
	}
	c.formats.Store(cluster.LatestFormat)
	c.passed.Add(int64(formatEvery))
	c.until("it is the built-in one", func() bool { return builtin(leader.store.Latest(), image.Digest) })
}

// unread is a store without a quorum.
type unread struct {
	Store
	state   *cluster.State
	reads   int
	forever bool // a read had no time limit
}

func (s *unread) Latest() *cluster.State { return s.state }

func (s *unread) Read(ctx context.Context) (*cluster.State, error) {
	_, limited := ctx.Deadline()
	s.reads, s.forever = s.reads+1, s.forever || !limited
	return nil, errors.New("no quorum")
}

func TestABuiltInImageThatIsNotRegisteredIsTriedAgainAfterAPause(t *testing.T) {
	s := &unread{state: cluster.Newest([16]byte{1}, cluster.PolicyChoice{Name: "FCFS", Period: cluster.Minute})}
	var log strings.Builder
	now := time.Unix(1, 0)
	m := &Manager{store: s, log: zerolog.New(&log), clock: func() time.Time { return now }}
	m.founded.Store(&founded{&cluster.Image{Name: "busybox"}, s.state.Format - 1})
	var last attempt
	for range 5 {
		last = m.keepBuiltinRaised(t.Context(), last)
	}
	if s.reads != 1 || s.forever {
		t.Errorf("%d tries at once, one without a time limit: %v", s.reads, s.forever)
	}
	for range 5 {
		now = now.Add(formatEvery)
		last = m.keepBuiltinRaised(t.Context(), last)
	}
	if lines := strings.Count(log.String(), "\n"); s.reads != 6 || lines != 1 {
		t.Errorf("%d tries are told as:\n%s", s.reads, log.String())
	}
}

func TestAManagerWithoutAnAddressKeepsTheFormatAsItIs(t *testing.T) {
	c := newTrio(t)
	c.formats.Store(cluster.LatestFormat)
	c.start(1, 0)
	c.start(2, 0)
	leader := c.leader()
	leader.cfg.RESTs = nil
	if format, err := leader.understood(t.Context()); err == nil {
		t.Errorf("understood %d, which the others did not say", format)
	}
}

func TestASingleManagerRaisesTheFormatBeforeAnythingElse(t *testing.T) {
	w := newWorld(t)
	w.until("the format is raised", func() bool { return w.store.Latest().Format == cluster.LatestFormat })
}
