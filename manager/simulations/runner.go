package simulations

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"aliquot/cluster"
	"aliquot/web"
	"aliquot/web/api"
)

// The files of a simulation's folder.
const (
	orderFile  = "order.json"
	traceFile  = "trace"
	reportFile = "report.json"
	statusFile = "status.json"
)

// Limits bound what simulations take.
type Limits struct {
	Waiting int           // that wait for their turn
	Stored  int           // that are kept
	Bytes   int64         // of all that is kept
	Time    time.Duration // for each
	Memory  int64         // bytes for each
}

// Usual are the limits of a manager.
var Usual = Limits{Waiting: 10, Stored: 100, Bytes: 512 << 20, Time: 15 * time.Minute, Memory: 2 << 30}

// Config is what a runner is made with; all fields are needed.
type Config struct {
	Dir     string
	Command []string // program and arguments of the child, to which the folder and the memory in bytes are appended
	Check   func(web.SimulationOrder) error
	Limits  Limits
	Clock   func() time.Time
	Log     zerolog.Logger
}

// Runner runs one simulation after another. It implements web.Simulations.
type Runner struct {
	cfg      Config
	mu       sync.Mutex
	all      map[string]*api.Simulation
	requests map[string]string  // ids, by the names of the orders
	stop     context.CancelFunc // ends the one that runs
	wake     chan struct{}
}

var _ web.Simulations = (*Runner)(nil)

// Open reads what is kept in the folder, and removes folders in it that hold no simulation. What ran when the manager ended has failed.
func Open(cfg Config) (*Runner, error) {
	r := &Runner{cfg: cfg, all: map[string]*api.Simulation{}, requests: map[string]string{}, wake: make(chan struct{}, 1)}
	if err := os.MkdirAll(cfg.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the folder of simulations: %w", err)
	}
	entries, err := os.ReadDir(cfg.Dir)
	if err != nil {
		return nil, fmt.Errorf("reading the simulations: %w", err)
	}
	for _, entry := range entries {
		if entry.IsDir() {
			r.read(entry.Name())
		}
	}
	r.tidy()
	return r, nil
}

// read takes up what the folder of that name holds.
func (r *Runner) read(id string) {
	text, err := os.ReadFile(r.path(id, statusFile))
	var s api.Simulation
	if err != nil || json.Unmarshal(text, &s) != nil || s.ID != id {
		r.cfg.Log.Warn().Str("folder", id).Msg("a simulation that cannot be read is removed")
		r.drop(id)
		return
	}
	r.all[id] = &s
	if s.Ended == nil {
		r.finish(&s, "failed", "the manager was started again meanwhile")
	}
}

func (r *Runner) now() time.Time { return r.cfg.Clock().UTC() }

func (r *Runner) path(id string, file string) string { return filepath.Join(r.cfg.Dir, id, file) }

// Start queues a simulation, once for each named request.
func (r *Runner) Start(o web.SimulationOrder) (api.Simulation, error) {
	if err := r.cfg.Check(o); err != nil {
		return api.Simulation{}, &cluster.Rejection{Code: cluster.CodeInvalid, Detail: err.Error()}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.all[r.requests[o.Request]]; s != nil {
		return *s, nil
	}
	waiting := 0
	for _, s := range r.all {
		if s.State == "waiting" {
			waiting++
		}
	}
	if waiting >= r.cfg.Limits.Waiting {
		return api.Simulation{}, &cluster.Rejection{Code: cluster.CodeLimit, Detail: fmt.Sprintf("%d simulations wait for their turn, which is the most", waiting)}
	}
	s := &api.Simulation{
		ID: "s" + strings.ToLower(rand.Text()[:10]), Name: o.Name, By: o.By, State: "waiting", Source: o.Source, Policies: o.Policies, Created: r.now(),
	}
	order, err := json.Marshal(o)
	if err == nil {
		err = os.Mkdir(filepath.Join(r.cfg.Dir, s.ID), 0o700)
	}
	if err == nil {
		err = errors.Join(os.WriteFile(r.path(s.ID, orderFile), order, 0o600), os.WriteFile(r.path(s.ID, traceFile), []byte(o.Trace), 0o600))
	}
	if err != nil {
		r.drop(s.ID)
		return api.Simulation{}, fmt.Errorf("keeping the order of a simulation: %w", err)
	}
	r.all[s.ID] = s
	if o.Request != "" {
		r.requests[o.Request] = s.ID
	}
	r.save(s)
	select {
	case r.wake <- struct{}{}:
	default:
	}
	return *s, nil
}

// List returns all, newest first.
func (r *Runner) List() []api.Simulation {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := []api.Simulation{}
	for _, s := range r.all {
		list = append(list, *s)
	}
	slices.SortFunc(list, func(a, b api.Simulation) int {
		return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(b.ID, a.ID))
	})
	return list
}

// Cancel ends one that waits or runs.
func (r *Runner) Cancel(id string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.all[id]
	switch {
	case s == nil:
		return web.ErrNoSimulation
	case s.State == "waiting":
		r.finish(s, "cancelled", "")
		r.tidy()
	case s.State == "running":
		s.State = "cancelled" // said by the child's end, too
		r.stop()
	default:
		return &cluster.Rejection{Code: cluster.CodeConflict, Detail: fmt.Sprintf("the simulation has ended: %s", s.State)}
	}
	return nil
}

// Remove forgets one that has ended.
func (r *Runner) Remove(id string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.all[id]
	if s == nil {
		return web.ErrNoSimulation
	}
	if s.Ended == nil {
		return &cluster.Rejection{Code: cluster.CodeConflict, Detail: "the simulation has not ended: cancel it first"}
	}
	return r.forget(id)
}

func (r *Runner) forget(id string) error {
	delete(r.all, id)
	maps.DeleteFunc(r.requests, func(_, of string) bool { return of == id })
	if err := os.RemoveAll(filepath.Join(r.cfg.Dir, id)); err != nil {
		return fmt.Errorf("removing a simulation: %w", err)
	}
	return nil
}

// Report returns what one came to.
func (r *Runner) Report(id string) (report api.SimulationReport, err error) {
	r.mu.Lock()
	s := r.all[id]
	done := s != nil && s.State == "done"
	r.mu.Unlock()
	if s == nil {
		return report, web.ErrNoSimulation
	}
	if !done {
		return report, web.ErrNoReport
	}
	text, err := os.ReadFile(r.path(id, reportFile))
	if err == nil {
		err = json.Unmarshal(text, &report)
	}
	if err != nil {
		return report, fmt.Errorf("reading the report of a simulation: %w", err)
	}
	return report, nil
}

// finish notes how a simulation ended; the lock is held, or nobody else knows it yet.
func (r *Runner) finish(s *api.Simulation, state, cause string) {
	now := r.now()
	s.State, s.Error, s.Ended, s.Progress = state, cause, &now, nil
	for _, file := range []string{traceFile, orderFile} {
		if err := os.Remove(r.path(s.ID, file)); err != nil && !errors.Is(err, os.ErrNotExist) {
			r.cfg.Log.Warn().Err(err).Msg("what a simulation needed no more stays")
		}
	}
	if info, err := os.Stat(r.path(s.ID, reportFile)); err == nil {
		s.ReportBytes = info.Size()
	}
	r.save(s)
}

func (r *Runner) save(s *api.Simulation) {
	text, err := json.Marshal(s)
	if err == nil {
		err = replace(r.path(s.ID, statusFile), text)
	}
	if err != nil {
		r.cfg.Log.Error().Err(err).Str("simulation", s.ID).Msg("what became of a simulation was not kept")
	}
}

// tidy forgets the oldest that have ended until what is kept is within its bounds; the lock is held.
func (r *Runner) tidy() {
	var ended []*api.Simulation
	var bytes int64
	for _, s := range r.all {
		if s.Ended != nil {
			ended = append(ended, s)
			bytes += s.ReportBytes
		}
	}
	slices.SortFunc(ended, func(a, b *api.Simulation) int { return a.Ended.Compare(*b.Ended) })
	for i, s := range ended {
		if len(ended)-i <= r.cfg.Limits.Stored && bytes <= r.cfg.Limits.Bytes {
			return
		}
		bytes -= s.ReportBytes
		r.drop(s.ID)
	}
}

// drop forgets one that nobody asked to remove.
func (r *Runner) drop(id string) {
	if err := r.forget(id); err != nil {
		r.cfg.Log.Warn().Err(err).Msg("a simulation that is kept no more stays on disk")
	}
}
