package store

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/lni/dragonboat/v4/statemachine"

	"aliquot/cluster"
)

// ErrHalted means that this replica can no longer agree with the others. Err returns the cause and the remedy.
var ErrHalted = errors.New("this replica has halted")

// machine adapts the state to the Raft library. Update runs concurrently with Lookup and SaveSnapshot. A state must not
// even be cloned while another goroutine uses it, so all share one lock; clones need none.
type machine struct {
	mu      sync.Mutex
	state   *cluster.State
	mark    *mark
	first   uint64 // generation of the first snapshot of this process; 0: none
	events  Sink
	answers *answers
	changed *signal
	halt    halt
	bugs    bugs
	cutter  cutter
	work    sync.WaitGroup // hashing
}

// Update applies committed commands.
func (m *machine) Update(entries []statemachine.Entry) ([]statemachine.Entry, error) {
	events, results := m.apply(entries)
	if len(events) > 0 && m.events != nil {
		m.events.Append(events)
	}
	for _, r := range results {
		m.answers.give(r)
	}
	m.changed.fire()
	return entries, nil
}

func (m *machine) apply(entries []statemachine.Entry) (events []cluster.Event, results []answer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range entries {
		if m.halt.err() != nil {
			return events, results
		}
		m.cutter.add(e)
		c, err := cluster.DecodeCommand(e.Cmd)
		if err != nil {
			m.halt.because(fmt.Errorf("revision %d: %w", e.Index, err))
			return events, results
		}
		r := m.state.Apply(e.Index, c)
		if r.Rejection != nil && r.Rejection.Code == cluster.CodeInternalBug {
			m.bugs.write(e.Index, e.Cmd, m.state)
		}
		if checkpoint, ok := c.Action.(cluster.Checkpoint); ok && r.Rejection == nil && !r.Repeated {
			m.compare(checkpoint)
		}
		events = append(events, r.Events...)
		results = append(results, answer{c.Request, r})
	}
	return events, results
}

// Lookup returns a clone of the state; a nil query returns nothing.
func (m *machine) Lookup(query any) (any, error) {
	if err := m.halt.err(); err != nil || query == nil {
		return nil, err
	}
	return m.clone(), nil
}

func (m *machine) clone() *cluster.State {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.state.Clone()
}

// PrepareSnapshot returns a clone, so that commands continue while it is written.
func (m *machine) PrepareSnapshot() (any, error) { return m.clone(), nil }

// SaveSnapshot writes the clone. A halted replica saves nothing, because it would restart with the wrong state.
func (m *machine) SaveSnapshot(prepared any, w io.Writer, _ statemachine.ISnapshotFileCollection,
	stop <-chan struct{}) error {
	if m.halt.err() != nil {
		return statemachine.ErrSnapshotStopped
	}
	return prepared.(*cluster.State).Encode(stoppable{w, stop})
}

// stoppable stops writing a snapshot when the replica is closed.
type stoppable struct {
	io.Writer
	stop <-chan struct{}
}

func (s stoppable) Write(b []byte) (int, error) {
	select {
	case <-s.stop:
		return 0, statemachine.ErrSnapshotStopped
	default:
		return s.Writer.Write(b)
	}
}

// RecoverFromSnapshot loads a state, saved by this replica or received from another one.
func (m *machine) RecoverFromSnapshot(r io.Reader, _ []statemachine.SnapshotFile, _ <-chan struct{}) error {
	state, err := cluster.Decode(r)
	if err != nil {
		m.halt.because(err) // returning it would end the process
		return nil
	}
	m.mu.Lock()
	m.state, m.mark, m.first = state, nil, cmp.Or(m.first, state.Generation)
	m.mu.Unlock()
	if m.events != nil {
		m.events.Missing(state.Revision)
	}
	m.changed.fire()
	return nil
}

// Close waits for running computations.
func (m *machine) Close() error {
	m.work.Wait()
	return nil
}

// halt holds the cause of a halt.
type halt struct {
	once  sync.Once
	done  chan struct{}
	cause error
}

func (h *halt) because(err error) {
	h.once.Do(func() {
		h.cause = fmt.Errorf("%w: %w", ErrHalted, err)
		close(h.done)
	})
}

func (h *halt) err() error {
	select {
	case <-h.done:
		return h.cause
	default:
		return nil
	}
}
