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

// Limits limit the simulations' resources.
type Limits struct {
	Waiting int           // most simulations that wait
	Own     int           // most of one owner that wait or run
	Stored  int           // most simulations that are kept
	Bytes   int64         // size of all kept reports
	Time    time.Duration // for each
	Memory  int64         // bytes for each
}

// Usual are the limits of a manager.
var Usual = Limits{Waiting: 10, Own: 3, Stored: 100, Bytes: 512 << 20, Time: 15 * time.Minute, Memory: 2 << 30}

// Config configures a runner. All fields are required.
type Config struct {
	Dir     string
	Command []string // program and arguments of the child, to which the folder and the memory in bytes are appended
	Check   func(web.SimulationOrder) *cluster.Rejection
	Limits  Limits
	Clock   func() time.Time
	Log     zerolog.Logger
}

// Runner runs one simulation after another. It implements web.Simulations.
type Runner struct {
	cfg      Config
	mu       sync.Mutex
	all      map[string]*api.Simulation
	requests map[string]string  // ids, by the names of the requests
	owners   map[string]string  // of those that wait or run, by id
	stop     context.CancelFunc // ends the running simulation
	wake     chan struct{}
}

var _ web.Simulations = (*Runner)(nil)

// Open reads the kept simulations and removes folders without one. Simulations that ran when the manager ended have
// failed.
func Open(cfg Config) (*Runner, error) {
	r := &Runner{cfg: cfg, all: map[string]*api.Simulation{}, requests: map[string]string{},
		owners: map[string]string{}, wake: make(chan struct{}, 1)}
	if err := os.MkdirAll(cfg.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of simulations: %w", err)
	}
	entries, err := os.ReadDir(cfg.Dir)
	if err != nil {
		return nil, fmt.Errorf("read the simulations: %w", err)
	}
	for _, entry := range entries {
		if entry.IsDir() {
			r.read(entry.Name())
		}
	}
	r.tidy()
	return r, nil
}

// read loads the simulation in the named folder.
func (r *Runner) read(id string) {
	text, err := os.ReadFile(r.path(id, statusFile))
	var s api.Simulation
	if err != nil || json.Unmarshal(text, &s) != nil || s.ID != id {
		r.cfg.Log.Warn().Str("folder", id).Msg("removing an unreadable simulation")
		r.drop(id)
		return
	}
	r.all[id] = &s
	if s.Ended == nil {
		r.finish(&s, "failed", "the manager was restarted")
	}
}

func (r *Runner) now() time.Time { return r.cfg.Clock().UTC() }

func (r *Runner) path(id string, file string) string { return filepath.Join(r.cfg.Dir, id, file) }

// Start queues a simulation, once per named request.
func (r *Runner) Start(o web.SimulationOrder) (api.Simulation, error) {
	if refusal := r.cfg.Check(o); refusal != nil {
		return api.Simulation{}, refusal
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.all[r.requests[o.Request]]; s != nil {
		return *s, nil
	}
	if err := r.full(o.Owner); err != nil {
		return api.Simulation{}, err
	}
	s := &api.Simulation{
		ID: "s" + strings.ToLower(rand.Text()[:10]), Name: o.Name, By: o.By, State: "waiting", Source: o.Source,
		Policies: o.Policies, Created: r.now(),
	}
	order, err := json.Marshal(o)
	if err == nil {
		err = os.Mkdir(filepath.Join(r.cfg.Dir, s.ID), 0o700)
	}
	if err == nil {
		err = errors.Join(os.WriteFile(r.path(s.ID, orderFile), order, 0o600),
			writeTrace(r.path(s.ID, traceFile), o.Trace))
	}
	if err != nil {
		r.drop(s.ID)
		return api.Simulation{}, fmt.Errorf("save the order of a simulation: %w", err)
	}
	r.all[s.ID], r.owners[s.ID] = s, o.Owner
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

// full returns why the owner must wait before ordering one more, or nil. The caller holds the lock.
func (r *Runner) full(owner string) error {
	waiting, own := 0, 0
	for id, s := range r.all {
		if s.State == "waiting" {
			waiting++
		}
		if s.Ended == nil && r.owners[id] == owner {
			own++
		}
	}
	switch {
	case own >= r.cfg.Limits.Own:
		return limit("%d simulations of %s wait or run, and the most of one owner are %d", own, owner, r.cfg.Limits.Own)
	case waiting >= r.cfg.Limits.Waiting:
		return limit("%d simulations already wait, which is the limit", waiting)
	}
	return nil
}

func limit(format string, args ...any) error {
	return &cluster.Rejection{Code: cluster.CodeLimit, Detail: fmt.Sprintf(format, args...)}
}

// List returns all simulations, newest first.
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

// Cancel ends a waiting or running simulation.
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
		s.State = "cancelled" // kept when the child ends
		r.stop()
	default:
		return &cluster.Rejection{Code: cluster.CodeConflict, Detail: fmt.Sprintf("the simulation has ended: %s", s.State)}
	}
	return nil
}

// Remove forgets a simulation that has ended.
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
		return fmt.Errorf("remove a simulation: %w", err)
	}
	return nil
}

// Report returns the report of a simulation.
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
		return report, fmt.Errorf("read the report of a simulation: %w", err)
	}
	return report, nil
}

// finish records the end of a simulation. The caller holds the lock, unless the simulation is not shared yet.
func (r *Runner) finish(s *api.Simulation, state, cause string) {
	now := r.now()
	s.State, s.Error, s.Ended, s.Progress = state, cause, &now, nil
	delete(r.owners, s.ID)
	for _, file := range []string{traceFile, orderFile} {
		if err := os.Remove(r.path(s.ID, file)); err != nil && !errors.Is(err, os.ErrNotExist) {
			r.cfg.Log.Warn().Err(err).
				Msg("cannot remove a file of an ended simulation; it uses disk space until its simulation is removed")
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
		r.cfg.Log.Error().Err(err).Str("simulation", s.ID).
			Msg("cannot save the status of a simulation; it will be lost at the next restart")
	}
}

// tidy forgets the oldest ended simulations until the limits hold. The caller holds the lock.
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

// drop forgets a simulation without a request to do so.
func (r *Runner) drop(id string) {
	if err := r.forget(id); err != nil {
		r.cfg.Log.Warn().Err(err).Msg("cannot remove the folder of an expired simulation; remove it by hand")
	}
}
