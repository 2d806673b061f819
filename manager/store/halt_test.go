package store

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/lni/dragonboat/v4/statemachine"
	"google.golang.org/protobuf/proto"

	"aliquot/cluster"
	"aliquot/cluster/clusterpb"
)

// checkpoint compares the replicas' states with that of s, whose epoch is claimed first.
func checkpoint(t *testing.T, s *Store, term uint64) {
	t.Helper()
	epoch := propose(t, s, cluster.Command{Actor: root, Action: cluster.Claim{Replica: 1, Term: term}}).Epoch
	if _, err := s.Checkpoint(bounded(t), stamped(epoch)); err != nil {
		t.Fatal(err)
	}
}

func stamped(epoch uint64) func(cluster.Checkpoint) cluster.Command {
	return func(c cluster.Checkpoint) cluster.Command {
		return cluster.Command{Actor: root, Epoch: epoch, Action: c}
	}
}

func TestOnlyTheReplicaThatDiffersHalts(t *testing.T) {
	c := newTrio(t)
	propose(t, c.stores[1], putToken("a"))
	c.agree(1, 2, 3)
	leader := c.leader()
	checkpoint(t, c.stores[leader], 1)
	odd := leader%3 + 1
	c.agree(1, 2, 3)
	c.stores[odd].machine.work.Wait()
	c.stores[odd].machine.mu.Lock()
	c.stores[odd].machine.state.Policy.Name = "mine"
	c.stores[odd].machine.mu.Unlock()
	checkpoint(t, c.stores[leader], 2)
	select {
	case <-c.stores[odd].Halted():
	case <-time.After(patience):
		t.Fatal("the replica that differs goes on")
	}
	if err := c.stores[odd].Err(); !errors.Is(err, ErrHalted) ||
		!strings.Contains(err.Error(), "differs from the leader's") {
		t.Error(err)
	}
	if _, err := c.stores[odd].Read(bounded(t)); !errors.Is(err, ErrHalted) {
		t.Errorf("it still answers: %v", err)
	}
	if err := c.stores[odd].machine.SaveSnapshot(c.stores[odd].Latest(), new(bytes.Buffer), nil, nil); !errors.Is(err,
		statemachine.ErrSnapshotStopped) {
		t.Errorf("it still saves what it has: %v", err)
	}
	c.stop(odd)
	for id := uint64(1); id <= 3; id++ {
		if id == odd {
			continue
		}
		propose(t, c.stores[id], putToken("b"))
		if err := c.stores[id].Err(); err != nil {
			t.Errorf("replica %d: %v", id, err)
		}
	}
}

func TestAQuestionForTheTimeAtTheMarkedRevisionComparesNothing(t *testing.T) {
	s := alone(t, t.TempDir())
	epoch := propose(t, s, cluster.Command{Actor: root, Action: cluster.Claim{Replica: 1, Term: 1}}).Epoch
	marked := propose(t, s, stamped(epoch)(cluster.Checkpoint{})).Revision
	propose(t, s, stamped(epoch)(cluster.Checkpoint{Revision: marked}))
	s.machine.work.Wait()
	if err := s.Err(); err != nil {
		t.Error(err)
	}
}

func TestAReplicaThatCatchesUpHashesOneStateAtATime(t *testing.T) {
	m := &machine{state: initial(), halt: halt{done: make(chan struct{})}}
	first := &mark{revision: 1, done: make(chan struct{})}
	m.mark = first
	if m.compare(cluster.Checkpoint{}); m.mark != first {
		t.Error("the next one is hashed beside the first")
	}
	close(first.done)
	if m.compare(cluster.Checkpoint{}); m.mark == first {
		t.Error("no other one is hashed although the first is done")
	}
	m.work.Wait()
}

func TestACheckpointNeedsTheEpoch(t *testing.T) {
	s := alone(t, t.TempDir())
	var refused *cluster.Rejection
	_, err := s.Checkpoint(bounded(t), stamped(99))
	if !errors.As(err, &refused) || refused.Code != cluster.CodeStaleEpoch {
		t.Error(err)
	}
}

func TestAReplicaHaltsAtACommandOfANewerProgram(t *testing.T) {
	s := alone(t, t.TempDir())
	propose(t, s, putToken("before"))
	newer, err := proto.Marshal(&clusterpb.Command{Format: cluster.LatestFormat + 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.host.SyncPropose(bounded(t), s.host.GetNoOPSession(shard), newer); err != nil {
		t.Fatal(err)
	}
	if err := s.Err(); !errors.Is(err, ErrHalted) || !errors.Is(err, cluster.ErrNewer) {
		t.Error(err)
	}
	if _, err := s.Propose(bounded(t), putToken("after")); !errors.Is(err, ErrHalted) {
		t.Errorf("it goes on: %v", err)
	}
	if got := tokens(s.Latest()); !got["before"] || got["after"] {
		t.Errorf("it has %v", got)
	}
}

func TestAReplicaHaltsAtASnapshotItCannotRead(t *testing.T) {
	m := &machine{state: initial(), changed: new(signal), halt: halt{done: make(chan struct{})}}
	if err := m.RecoverFromSnapshot(strings.NewReader("rubbish"), nil, nil); err != nil {
		t.Fatalf("this would end the process: %v", err)
	}
	if err := m.halt.err(); !errors.Is(err, ErrHalted) || !strings.Contains(err.Error(), "not a state of aliquot") {
		t.Error(err)
	}
}

func TestASnapshotBeingWrittenStopsWithItsReplica(t *testing.T) {
	m := &machine{state: initial(), halt: halt{done: make(chan struct{})}}
	stop := make(chan struct{})
	close(stop)
	if err := m.SaveSnapshot(m.clone(), new(bytes.Buffer), nil, stop); !errors.Is(err, statemachine.ErrSnapshotStopped) {
		t.Error(err)
	}
}
