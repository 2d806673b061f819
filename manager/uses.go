package manager

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"aliquot/cluster"
	"aliquot/manager/past"
	"aliquot/web"
)

const (
	useEvery = time.Minute        // between looks for jobs that have ended
	useAfter = 2 * cluster.Minute // after a job's end its last sample has arrived
	useLife  = time.Minute        // after which a kept use is read again

	useErrors = 3 // most that are told of one look
	usesRead  = 4 // most jobs whose uses stay in memory
)

// uses are the kept uses of ended jobs, as far as this manager knows them.
type uses struct {
	kept map[cluster.JobID]bool // by this manager, while it leads; used by keepUses only

	reads singleflight.Group // of jobs, by their name

	mu   sync.Mutex
	read []jobUse // by time, at most usesRead
}

// jobUse is the use of the runs of an ended job, as read from the store.
type jobUse struct {
	job  cluster.JobID
	runs map[cluster.RunID]*past.Series
	at   time.Duration // since this machine's boot
}

// find returns the use of a job that was read lately.
func (u *uses) find(job cluster.JobID, now time.Duration) (runs map[cluster.RunID]*past.Series, found bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, use := range u.read {
		if use.job == job && now-use.at <= useLife {
			return use.runs, true
		}
	}
	return nil, false
}

// add takes the use of a job that was read now, and forgets older ones.
func (u *uses) add(next jobUse) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.read = slices.DeleteFunc(u.read, func(old jobUse) bool { return old.job == next.job || next.at-old.at > useLife })
	u.read = append(u.read, next)
	u.read = slices.Delete(u.read, 0, max(0, len(u.read)-usesRead))
}

// keepUses writes the use of ended jobs to the store while this replica leads, until ctx ends.
func (m *Manager) keepUses(ctx context.Context) {
	every(ctx, useEvery, func() {
		if m.epoch.Load() == 0 || m.cfg.StorePath == "" {
			m.past.uses.kept = nil // another manager keeps them
			return
		}
		if err := m.writeUses(ctx); err != nil && ctx.Err() == nil {
			m.log.Warn().Err(err).Msg("cannot keep the use of ended jobs on the store; trying again")
		}
	})
}

// writeUses writes the use of all ended jobs that have series, once each.
func (m *Manager) writeUses(ctx context.Context) error {
	return m.past.uses.keepAll(m.endedWithUse(), func(job cluster.JobID) error { return m.writeUse(ctx, job) })
}

// keepAll writes the uses of the ended jobs that are not kept yet. It stops when the store is silent.
func (u *uses) keepAll(ended map[cluster.JobID]bool, write func(cluster.JobID) error) error {
	kept := map[cluster.JobID]bool{}
	for job := range ended {
		kept[job] = u.kept[job]
	}
	u.kept = kept
	var failed []error
	for _, job := range slices.Sorted(maps.Keys(ended)) {
		if kept[job] {
			continue
		}
		err := write(job)
		kept[job] = err == nil
		if err != nil && len(failed) < useErrors {
			failed = append(failed, err)
		}
		if errors.Is(err, web.ErrStoreSilent) {
			break
		}
	}
	return errors.Join(failed...)
}

// endedWithUse returns the jobs that have ended a while ago and have series.
func (m *Manager) endedWithUse() map[cluster.JobID]bool {
	state, found := m.store.Latest(), map[cluster.JobID]bool{}
	before := m.now() - useAfter
	m.past.mu.Lock()
	defer m.past.mu.Unlock()
	for run := range m.past.charts.Runs.Keys() {
		if j := state.Ended(run.Job); j != nil && j.Ended < before {
			found[run.Job] = true
		}
	}
	return found
}

func (m *Manager) writeUse(ctx context.Context, job cluster.JobID) error {
	m.past.mu.Lock()
	courses := m.past.charts.Courses(job)
	m.past.mu.Unlock()
	return m.output.KeepUse(ctx, job, past.EncodeCourses(courses))
}

// keptUse returns the use of a run of an ended job from the store, nil if there is none. It reads a job's file once for
// all its runs and for all who ask. A read that nobody waits for any longer ends by the store's own limit of time.
func (m *Manager) keptUse(ctx context.Context, run cluster.RunID) *past.Series {
	u := &m.past.uses
	if runs, found := u.find(run.Job, m.elapsed()); found {
		return runs[run]
	}
	read := u.reads.DoChan(run.Job.String(), func() (any, error) {
		use := jobUse{run.Job, m.readUse(context.WithoutCancel(ctx), run.Job), m.elapsed()}
		u.add(use)
		return use, nil
	})
	select {
	case answer := <-read:
		return answer.Val.(jobUse).runs[run]
	case <-ctx.Done():
		return nil
	}
}

func (m *Manager) readUse(ctx context.Context, job cluster.JobID) map[cluster.RunID]*past.Series {
	text, err := m.output.Use(ctx, job)
	var runs map[cluster.RunID]*past.Series
	if err == nil {
		runs, err = past.DecodeCourses(text, job, web.UsageColumns)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		m.log.Warn().Err(err).Stringer("job", job).Msg("cannot read the kept use of a job")
	}
	return runs
}
