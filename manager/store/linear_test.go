package store

import (
	"context"
	"fmt"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"aliquot/cluster"
)

// access is a read or a write of the register, which is the policy's name.
type access struct {
	write string // "": a read
}

var register = porcupine.Model{
	Init: func() any { return "first" },
	Step: func(state, input, output any) (bool, any) {
		if w := input.(access).write; w != "" {
			return true, w
		}
		return output == state, state
	},
	DescribeOperation: func(input, output any) string {
		if w := input.(access).write; w != "" {
			return "write " + w
		}
		return fmt.Sprint("read ", output)
	},
}

// history records the clients' reads and writes for the checker.
type history struct {
	mu    sync.Mutex
	began time.Time
	seen  []porcupine.Operation
}

func (h *history) now() int64 { return int64(time.Since(h.began)) }

func (h *history) add(client int, in access, out any, called int64, returned int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.seen = append(h.seen, porcupine.Operation{ClientId: client, Input: in, Call: called, Output: out, Return: returned})
}

// write records a write. An uncertain one may take effect at any later time.
func (h *history) write(ctx context.Context, client int, s *Store, value string) {
	called := h.now()
	c := setPolicy(value)
	c.Request = value
	switch _, err := s.Propose(ctx, c); {
	case err == nil:
		h.add(client, access{value}, nil, called, h.now())
	default:
		h.add(client, access{value}, nil, called, math.MaxInt64)
	}
}

func (h *history) read(ctx context.Context, client int, s *Store) {
	called := h.now()
	if state, err := s.Read(ctx); err == nil {
		h.add(client, access{}, state.Policy.Name, called, h.now())
	}
}

func TestHistoriesAreLinearizableThroughPartitions(t *testing.T) {
	c := newTrio(t)
	h := &history{began: time.Now()}
	c.leader()
	stop := make(chan struct{})
	var clients sync.WaitGroup
	for client := range 6 {
		clients.Go(func() { h.keepBusy(client, c.stores[client%3+1], stop) })
	}
	for range 3 {
		cut := c.leader()
		c.network.setCut(c.member(cut).Address, true)
		if heir := c.leader(); heir == cut {
			t.Fatalf("replica %d leads although it is cut off", cut)
		}
		c.network.setCut(c.member(cut).Address, false)
		propose(t, c.stores[cut], cluster.Command{Actor: root,
			Action: cluster.PutToken{Token: putToken(fmt.Sprint("t", h.now())).Action.(cluster.PutToken).Token}})
	}
	close(stop)
	clients.Wait()
	c.agree(1, 2, 3)
	if len(h.seen) < 50 {
		t.Fatalf("%d operations say little", len(h.seen))
	}
	if verdict := porcupine.CheckOperationsTimeout(register, h.seen, patience); verdict != porcupine.Ok {
		t.Errorf("%s: %d operations", verdict, len(h.seen))
	}
}

// keepBusy writes and reads in turn. Its patience is shorter than a partition.
func (h *history) keepBusy(client int, s *Store, stop <-chan struct{}) {
	for i := 0; ; i++ {
		select {
		case <-stop:
			return
		case <-time.After(2 * time.Millisecond):
		}
		ctx, cancel := context.WithTimeout(context.Background(), 400*time.Millisecond)
		if i%2 == 0 {
			h.write(ctx, client, s, fmt.Sprintf("w%d-%d", client, i))
		} else {
			h.read(ctx, client, s)
		}
		cancel()
	}
}
