package simulations

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"aliquot/cluster"
	"aliquot/web/api"
)

// Run runs the waiting simulations, one after the other, until ctx ends.
func (r *Runner) Run(ctx context.Context) {
	for ctx.Err() == nil {
		if s, limited := r.next(ctx); s != nil {
			r.simulate(ctx, limited, s)
			continue
		}
		select {
		case <-ctx.Done():
		case <-r.wake:
		}
	}
}

// next starts the oldest waiting simulation and returns it with the context of its child; nil if none waits.
func (r *Runner) next(ctx context.Context) (*api.Simulation, context.Context) {
	list := r.List()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, found := range slices.Backward(list) {
		if s := r.all[found.ID]; s != nil && s.State == "waiting" {
			now := r.now()
			s.State, s.Started = "running", &now
			ctx, r.stop = context.WithTimeout(ctx, r.cfg.Limits.Time)
			r.save(s)
			return s, ctx
		}
	}
	return nil, nil
}

// simulate runs one simulation to its end, limited by its own context.
func (r *Runner) simulate(ctx, limited context.Context, s *api.Simulation) {
	err := r.child(limited, s)
	r.mu.Lock()
	defer r.mu.Unlock()
	defer r.stop()
	switch {
	case s.State == "cancelled":
		r.finish(s, "cancelled", "")
	case errors.Is(limited.Err(), context.DeadlineExceeded):
		r.finish(s, "failed", fmt.Sprintf(
			"it took longer than the limit of %s", cluster.Time(r.cfg.Limits.Time.Microseconds()).Words()))
	case ctx.Err() != nil:
		r.finish(s, "failed", "the manager stopped")
	case err != nil:
		r.finish(s, "failed", err.Error())
	default:
		r.finish(s, "done", "")
	}
	r.tidy()
}

// maxWords limits the kept output of a child about its failure, in bytes.
const maxWords = 4 << 10

// beginning keeps the first maxWords bytes written.
type beginning struct{ bytes.Buffer }

func (b *beginning) Write(p []byte) (int, error) {
	if room := maxWords - b.Len(); room > 0 {
		b.Buffer.Write(p[:min(len(p), room)])
	}
	return len(p), nil
}

// child runs the process and follows its progress. The error is the child's message.
func (r *Runner) child(ctx context.Context, s *api.Simulation) error {
	// The kernel ends the child when the thread that started it ends, not the process. So the thread is locked.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	args := append(append([]string{"-n", "19"}, r.cfg.Command...), r.path(s.ID, ""),
		strconv.FormatInt(r.cfg.Limits.Memory, 10))
	c := exec.CommandContext(ctx, "nice", args...)
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "GOMAXPROCS=1", "GOMEMLIMIT=" +
		strconv.FormatInt(r.cfg.Limits.Memory*3/4, 10)}
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	var words beginning
	c.Stderr = &words
	out, err := c.StdoutPipe()
	if err != nil {
		return fmt.Errorf("start a simulation: %w", err)
	}
	if err := c.Start(); err != nil {
		return fmt.Errorf("start a simulation: %w", err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		var p api.SimulationProgress
		if json.Unmarshal(lines.Bytes(), &p) == nil {
			r.mu.Lock()
			if s.State == "running" {
				s.Progress = &p
			}
			r.mu.Unlock()
		}
	}
	if err := c.Wait(); err != nil {
		return errors.New(complaint(words.String(), err, r.cfg.Limits.Memory))
	}
	return nil
}

// outOfMemory lists the messages of a child without memory: those of Go's runtime (also where no thread stack is left),
// the system, C++ (the solver), and the race detector. Go's collector does not check each of its own allocations, and
// crashes on the stack of goroutine 0.
var outOfMemory = []string{"out of memory", "cannot allocate memory", "bad_alloc", "failed to allocate",
	"pthread_create failed", "failed to create new OS thread", "goroutine 0 gp="}

// complaint returns the reason of a child's failure, for people.
func complaint(words string, err error, memory int64) string {
	if slices.ContainsFunc(outOfMemory, func(said string) bool { return strings.Contains(words, said) }) {
		return fmt.Sprintf("it needs more memory than the limit of %s", cluster.Bytes(memory).Words())
	}
	words = strings.TrimSpace(words)
	if words == "" || strings.Contains(words, "goroutine ") {
		return fmt.Sprintf("the simulating process failed: %v", err)
	}
	return words
}
