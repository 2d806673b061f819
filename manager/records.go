package manager

import (
	"context"
	"errors"
	"iter"
	"path/filepath"
	"time"

	"aliquot/cluster"
	"aliquot/manager/journal"
	"aliquot/manager/past"
)

const (
	recordEvery = 10 * time.Second // between looks for minutes that are over
	copyRecords = time.Minute      // between questions to the other managers for records
	recordTime  = 10 * time.Second // for the records of one manager
	bookEvery   = time.Minute      // between lines of the same account
	hourKept    = 3 * cluster.Hour // of the accounts that change
	overlap     = cluster.Hour     // of the times that are compared with another manager again
)

// PastLimits say where and how much is kept of the past for charts.
type PastLimits struct {
	Folder string        // "": nothing is kept on disk
	Bytes  cluster.Bytes // on disk
}

// records keep the charts on disk and make them those of the other managers. Only keepRecords uses them, so a disk or
// a manager that does not answer delays nothing else.
type records struct {
	*Manager
	week     *journal.Log    // rows of the cluster; nil: nothing is kept
	day      *journal.Log    // rows of nodes and runs
	hour     *journal.Log    // accounts of the last hours, every time that they change
	year     *journal.Log    // accounts of hours that are over
	compared map[uint64]bool // managers with which all of the past was compared since they last failed to answer
	asked    time.Duration   // when the others were asked last
	booked   time.Duration   // when accounts were written last
	failing  bool            // the last attempt to write failed
}

// keepRecords keeps the charts on disk, until ctx ends.
func (m *Manager) keepRecords(ctx context.Context) {
	r := m.openRecords(m.cfg.Past)
	defer r.close()
	every(ctx, recordEvery, func() { r.step(ctx) })
}

// openRecords loads the charts from disk. Lines that cannot be read are missing from them.
func (m *Manager) openRecords(kept PastLimits) *records {
	r := &records{Manager: m, compared: map[uint64]bool{}, asked: -copyRecords, booked: -bookEvery}
	if kept.Folder == "" {
		return r
	}
	open := func(name string, age cluster.Time, read func([]byte) cluster.Time) *journal.Log {
		limits := journal.Limits{Age: age, Bytes: int64(kept.Bytes) / 4}
		log, err := journal.Open(filepath.Join(kept.Folder, name), limits, read)
		if err != nil {
			m.log.Warn().Err(err).Msg("cannot read some records of the past; charts have gaps there")
		}
		return log
	}
	r.week, r.day = open("week", weekKept*cluster.Minute, m.load), open("day", dayKept*cluster.Minute, m.load)
	r.year = open("year", past.LedgerKept, func(line []byte) cluster.Time { return m.loadAccount(line, true) })
	r.hour = open("hour", hourKept, func(line []byte) cluster.Time { return m.loadAccount(line, false) })
	return r
}

// load adds the record in a line to the charts and returns its time.
func (m *Manager) load(line []byte) cluster.Time {
	r, err := past.Decode(line)
	if err != nil {
		return 0
	}
	m.fill(&r)
	return r.At
}

// loadAccount adds the account in a line to the ledger, where it may be saved for good, and returns its time.
func (m *Manager) loadAccount(line []byte, saved bool) cluster.Time {
	l, err := past.DecodeLine(line)
	if err != nil {
		return 0
	}
	now := max(m.now(), cluster.Time(m.clock().UnixMicro()))
	m.past.mu.Lock()
	defer m.past.mu.Unlock()
	m.past.ledger.Merge(&l, now, saved)
	return l.Hour
}

// fill adds a record to the charts. The cluster's time is not known yet when records are loaded.
func (m *Manager) fill(r *past.Record) (added bool) {
	now := max(m.now(), cluster.Time(m.clock().UnixMicro()))
	m.past.mu.Lock()
	defer m.past.mu.Unlock()
	return m.past.charts.Fill(r, now)
}

// step writes the minutes that are over, and from time to time copies those of other managers.
func (r *records) step(ctx context.Context) {
	r.past.mu.Lock()
	done := r.past.charts.Finish(r.now())
	r.past.mu.Unlock()
	r.write(done...)
	r.writeAccounts()
	if now := r.elapsed(); now-r.asked >= copyRecords {
		r.asked = now
		r.copyAll(ctx)
	}
}

// write writes records until one fails. That one and those after it are tried again at the next step.
func (r *records) write(list ...past.Record) {
	if r.week == nil {
		return
	}
	done, err := each(list, func(record *past.Record) error {
		week, day := record.Split()
		return errors.Join(r.week.Append(record.At, week.Encode()), r.day.Append(record.At, day.Encode()))
	})
	r.past.mu.Lock()
	for i := range list[done:] {
		r.past.charts.Retry(&list[done+i])
	}
	r.past.mu.Unlock()
	r.note(len(list) > 0, err)
}

// each calls do with the elements until one fails. It returns how many succeeded.
func each[T any](list []T, do func(*T) error) (done int, err error) {
	for i := range list {
		if err := do(&list[i]); err != nil {
			return i, err
		}
	}
	return len(list), nil
}

// writeAccounts writes the accounts that have changed, once a minute, and those of hours that are over.
func (r *records) writeAccounts() {
	now := r.elapsed()
	if r.hour == nil || now-r.booked < bookEvery {
		return
	}
	r.booked = now
	r.past.mu.Lock()
	changed, final := r.past.ledger.Unsaved(r.now())
	r.past.mu.Unlock()
	r.note(len(changed)+len(final) > 0, r.writeLines(r.hour, changed, false), r.writeLines(r.year, final, true))
}

// writeLines writes lines until one fails. That one and those after it are tried again later.
func (r *records) writeLines(to *journal.Log, list []past.Line, final bool) error {
	done, err := each(list, func(line *past.Line) error { return to.Append(line.Hour, line.Encode()) })
	r.past.mu.Lock()
	defer r.past.mu.Unlock()
	for i := range list[done:] {
		r.past.ledger.Retry(&list[done+i], final)
	}
	return err
}

// note logs the first failure after a success.
func (r *records) note(tried bool, failed ...error) {
	err := errors.Join(failed...)
	if err != nil && !r.failing {
		r.log.Warn().Err(err).Msg("cannot keep charts and usage on disk; a restart loses them until this succeeds; is the disk full?")
	}
	if tried {
		r.failing = err != nil
	}
}

// copyAll copies the records that this manager lacks from the others.
func (r *records) copyAll(ctx context.Context) {
	for id, address := range r.cfg.Links {
		if id == r.cfg.Replica {
			continue
		}
		if err := r.copy(ctx, id, address); err != nil && ctx.Err() == nil {
			r.compared[id] = false
			r.log.Debug().Err(err).Msg("cannot copy the records of another manager; trying again")
		}
	}
}

// copy copies what this manager lacks from another: of all the time kept at first, and then of the last hour.
func (r *records) copy(ctx context.Context, id uint64, address string) error {
	ctx, cancel := context.WithTimeout(ctx, recordTime)
	defer cancel()
	after := cluster.Time(0)
	if r.compared[id] {
		after = r.now() - overlap
	}
	r.past.mu.Lock()
	have := r.past.charts.Recorded(after)
	r.past.mu.Unlock()
	err := r.cfg.Peers.Past(ctx, address, after, have, func(text []byte) {
		if record, err := past.Decode(text); err != nil {
			r.loadAccount(text, false)
		} else if r.fill(&record) {
			r.write(record)
		}
	})
	r.compared[id] = err == nil
	return err
}

func (r *records) close() {
	if r.week == nil {
		return
	}
	if err := errors.Join(r.week.Close(), r.day.Close(), r.hour.Close(), r.year.Close()); err != nil {
		r.log.Warn().Err(err).Msg("cannot close the records of the past; the last ones may be lost")
	}
}

// Lacked yields the accounts of the hours after the given time, and the records of the minutes after it that another
// manager lacks, which has some.
func (m *Manager) Lacked(after cluster.Time, have []cluster.Time) iter.Seq[[]byte] {
	has := map[cluster.Time]bool{}
	for _, at := range have {
		has[at] = true
	}
	m.past.mu.Lock()
	recorded, accounts := m.past.charts.Recorded(after), m.past.ledger.Lines(after)
	m.past.mu.Unlock()
	return func(yield func([]byte) bool) {
		for _, line := range accounts {
			if !yield(line.Encode()) {
				return
			}
		}
		for _, at := range recorded {
			if has[at] {
				continue
			}
			m.past.mu.Lock()
			record, known := m.past.charts.Record(at)
			m.past.mu.Unlock()
			if known && !yield(record.Encode()) {
				return
			}
		}
	}
}
