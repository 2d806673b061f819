package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/lni/dragonboat/v4"
	"github.com/lni/vfs"

	"aliquot/cluster"
)

func TestWhatIsAcknowledgedIsReadEverywhere(t *testing.T) {
	c := newTrio(t)
	for i := range 9 {
		id := fmt.Sprint("t", i)
		propose(t, c.stores[i%3+1], putToken(id))
		if s := read(t, c.stores[(i+1)%3+1]); !tokens(s)[id] {
			t.Fatalf("%s was acknowledged by replica %d and is not read from %d", id, i%3+1, (i+1)%3+1)
		}
	}
	c.agree(1, 2, 3)
}

func TestNoAcknowledgedWriteIsLostWithTheLeader(t *testing.T) {
	c := newTrio(t)
	for round := range 3 {
		leader := c.leader()
		acknowledged := c.writers(leader, fmt.Sprint("r", round), func() { c.stop(leader) })
		c.start(leader)
		for id := uint64(1); id <= 3; id++ {
			there := tokens(read(t, c.stores[id]))
			for _, token := range acknowledged {
				if !there[token] {
					t.Fatalf("round %d: %s was acknowledged and is lost on replica %d", round, token, id)
				}
			}
		}
	}
	c.agree(1, 2, 3)
}

// writers writes through the other members while the leader is disturbed, and returns the acknowledged writes.
func (c *trio) writers(leader uint64, prefix string, hit func()) (acknowledged []string) {
	var mu sync.Mutex
	var writing sync.WaitGroup
	for id := uint64(1); id <= 3; id++ {
		if id == leader {
			continue
		}
		writing.Go(func() {
			for i := range 40 {
				token := fmt.Sprintf("%s-%d-%d", prefix, id, i)
				if i == 10 && id == leader%3+1 {
					hit()
				}
				propose(c.T, c.stores[id], putToken(token))
				mu.Lock()
				acknowledged = append(acknowledged, token)
				mu.Unlock()
			}
		})
	}
	writing.Wait()
	return acknowledged
}

func TestEventsReachEverySinkInOrder(t *testing.T) {
	c := newTrio(t)
	for i := range 20 {
		propose(t, c.stores[i%3+1], setPolicy(fmt.Sprint("p", i)))
	}
	c.agree(1, 2, 3)
	var first []cluster.Event
	for id := 1; id <= 3; id++ {
		var events []cluster.Event
		eventually(t, "20 events", func() bool { events, _ = c.sinks[id].seen(); return len(events) == 20 })
		if !slices.IsSortedFunc(events, func(a, b cluster.Event) int { return int(a.Revision) - int(b.Revision) }) {
			t.Errorf("replica %d got its events out of order", id)
		}
		if id == 1 {
			first = events
		} else if diff := cmp.Diff(first, events); diff != "" {
			t.Errorf("events of replicas 1 and %d differ:\n%s", id, diff)
		}
	}
}

func TestARepeatedRequestIsDoneOnce(t *testing.T) {
	c := newTrio(t)
	once := putToken("once")
	first := propose(t, c.stores[1], once)
	var asking sync.WaitGroup
	for id := 1; id <= 3; id++ {
		asking.Go(func() {
			if again := propose(t, c.stores[id], once); again.Revision != first.Revision {
				t.Errorf("replica %d did it again: %+v after %+v", id, again, first)
			}
		})
	}
	asking.Wait()
	if again := propose(t, c.stores[1], once); !again.Repeated || again.Revision != first.Revision {
		t.Errorf("later: %+v", again)
	}
	if events, _ := c.sinks[1].seen(); len(events) != 1 {
		t.Errorf("it happened %d times", len(events))
	}
}

func TestARefusalIsAResult(t *testing.T) {
	c := newTrio(t)
	r, err := c.stores[2].Propose(bounded(t), cluster.Command{Actor: root, Action: cluster.Cancel{Job: 99}})
	if err != nil || r.Rejection == nil || r.Rejection.Code != cluster.CodeNotFound {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestWithoutAMajorityNothingIsPromised(t *testing.T) {
	c := newTrio(t)
	leader := c.leader()
	propose(t, c.stores[leader], putToken("before"))
	other := leader%3 + 1
	c.agree(leader, other)
	eventually(t, "the leader's fame", func() bool { l, _ := c.stores[other].Leader(); return l == leader })
	c.network.setCut(c.member(other).Address, true)
	eventually(t, "the end of the hope for a leader", func() bool { l, _ := c.stores[other].Leader(); return l == 0 })
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if _, err := c.stores[other].Propose(ctx, putToken("lost")); !errors.Is(err, ErrNoLeader) ||
		!errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("propose: %v", err)
	}
	if _, err := c.stores[other].Read(ctx); !errors.Is(err, ErrNoLeader) {
		t.Errorf("read: %v", err)
	}
	if !tokens(c.stores[other].Latest())["before"] {
		t.Error("what it had is gone")
	}
	c.network.setCut(c.member(other).Address, false)
	propose(t, c.stores[other], putToken("after"))
	if tokens(read(t, c.stores[leader]))["lost"] {
		t.Error("what was said not to be done was done")
	}
}

func TestAWriteThatMayHaveBeenDoneIsUncertain(t *testing.T) {
	c := newTrio(t)
	leader := c.leader()
	c.network.setCut(c.member(leader).Address, true)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := c.stores[leader].Propose(ctx, putToken("perhaps")); !errors.Is(err, ErrUncertain) {
		t.Errorf("the leader that was cut off said %v", err)
	}
}

func TestLeadershipIsAnnounced(t *testing.T) {
	c := newTrio(t)
	old := c.leader()
	_, term := c.stores[old].Leader()
	c.stop(old)
	var leader, now uint64
	for heir := old%3 + 1; leader == 0 || leader == old; {
		select {
		case <-c.stores[heir].LeaderChanged():
			leader, now = c.stores[heir].Leader()
		case <-time.After(patience):
			t.Fatal("nobody was told")
		}
	}
	if now <= term {
		t.Errorf("term %d followed %d", now, term)
	}
}

func TestChangesWakeEveryWatcher(t *testing.T) {
	s := alone(t, t.TempDir())
	ctx, cancel := context.WithCancel(context.Background())
	watcher := s.Watch(ctx)
	propose(t, s, setPolicy("second"))
	for _, c := range []<-chan struct{}{s.Changed(), watcher} {
		select {
		case <-c:
		case <-time.After(patience):
			t.Fatal("nobody was woken")
		}
	}
	cancel()
	eventually(t, "the end of the watch", func() bool {
		s.change.mu.Lock()
		defer s.change.mu.Unlock()
		return len(s.change.watchers) == 1
	})
}

func TestARestartKeepsTheState(t *testing.T) {
	disk, network := vfs.NewMem(), &network{cut: map[string]bool{}}
	cfg := aloneIn("/data")
	cfg.expert, cfg.RTT = inMemory(disk, network), 5*time.Millisecond
	events := new(sink)
	cfg.Events = events
	var revision uint64
	for i := range 4 {
		s, err := Open(cfg)
		if err != nil {
			t.Fatal(err)
		}
		for k := range i {
			if !tokens(read(t, s))[fmt.Sprint("t", k)] {
				t.Errorf("restart %d lost token %d", i, k)
			}
		}
		r := propose(t, s, putToken(fmt.Sprint("t", i)))
		if r.Revision <= revision {
			t.Errorf("revision %d came after %d", r.Revision, revision)
		}
		revision = r.Revision
		if i == 1 { // the next life begins with a snapshot
			if _, err := s.host.SyncRequestSnapshot(bounded(t), shard, dragonboat.SnapshotOption{}); err != nil {
				t.Fatal(err)
			}
		}
		s.Close()
	}
	if _, skipped := events.seen(); skipped == 0 || skipped >= revision {
		t.Errorf("nobody was told of the snapshot: %d, of revision %d", skipped, revision)
	}
}

func TestAClosedStoreSaysSo(t *testing.T) {
	s := alone(t, t.TempDir())
	s.Close()
	s.Close()
	if _, err := s.Propose(bounded(t), setPolicy("late")); !errors.Is(err, ErrClosed) {
		t.Errorf("propose: %v", err)
	}
	if _, err := s.Read(bounded(t)); !errors.Is(err, ErrClosed) {
		t.Errorf("read: %v", err)
	}
}

func TestBadConfigurationsAreRefused(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"replica 9 is not among the members": func(c *Config) { c.Replica = 9 },
		"member m1 has no address":           func(c *Config) { c.Members[1] = Member{Name: "m1"} },
		"no directory is given":              func(c *Config) { c.Dir = "" },
		"no initial state is given":          func(c *Config) { c.Initial = nil },
		"no cluster id is given":             func(c *Config) { c.Cluster = [16]byte{} },
		`have the same name "m1", or none`:   func(c *Config) { c.Members[2] = Member{"m1", "x:1"} },
	} {
		cfg := aloneIn(t.TempDir())
		change(&cfg)
		if _, err := Open(cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; expected %q", err, want)
		}
	}
}
