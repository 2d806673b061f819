package monitor

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/rs/zerolog"

	"aliquot/cluster"
)

// outbox holds the observations of the node and those that the leader already has.
type outbox struct {
	seen     map[cluster.RunID]cluster.Observation // the latest observations
	known    map[cluster.RunID]cluster.Observation // known to the leader
	revision uint64                                // of the orders under which it was seen
	foreign  cluster.Foreign
	astray   cluster.Bytes   // memory of VMs that the orders do not mention
	under    uint64          // revision of this session's orders under which astray was weighed; 1: none yet
	awaited  uint64          // revision from which on a report is awaited; 0: none
	overhead cluster.Bytes   // of each VM
	header   *cluster.Report // the last report that the leader took, for its node data; nil: none
	sending  bool
	retryAt  time.Time
	most     int // most observations in the next report

	progress map[cluster.RunID]cluster.Progress // the state's progress, if it believed every report
	worked   cluster.Time                       // when a report was last sent because of work alone
}

// sent is the outcome of a report.
type sent struct {
	report   cluster.Report
	revision uint64 // of the outbox then
	serial   int    // of the session
	at       cluster.Time
	err      error
}

const (
	reportLimit = 20 * time.Second
	reportPause = 500 * time.Millisecond // after a report that failed
	mostInOne   = 500                    // most observations in a report

	workPause = cluster.Minute      // between reports sent because of work alone
	workSpan  = 20 * cluster.Second // least time of work to report
	workLimit = 10 * cluster.Minute // after which work is reported even if its rate has not changed
	workStep  = cluster.Whole / 50  // least change of steal that is reported
)

func newOutbox() outbox {
	var o outbox
	o.reset()
	return o
}

// reset forgets everything. A new leader gets a full report, and the observations may be stale.
func (b *outbox) reset() {
	b.seen = map[cluster.RunID]cluster.Observation{}
	b.known, b.header, b.sending, b.retryAt, b.most = map[cluster.RunID]cluster.Observation{}, nil, false,
		time.Time{}, mostInOne
	b.progress = map[cluster.RunID]cluster.Progress{}
	b.under = 1
}

// put takes in new observations. It drops those of runs that are neither ordered nor here.
func (b *outbox) put(seen []cluster.Observation, orders cluster.Orders, s *snapshot) {
	b.foreign = s.Foreign
	concerned := map[cluster.RunID]bool{}
	for _, o := range orders.Runs {
		concerned[o.Run] = true
	}
	b.weigh(concerned, orders.Destroy, s)
	for _, run := range orders.Destroy {
		concerned[run] = true
	}
	for run := range s.Domains {
		concerned[run] = true
	}
	for run := range b.seen {
		if !concerned[run] {
			delete(b.seen, run)
			delete(b.known, run)
			delete(b.progress, run)
		}
	}
	if orders.Revision != b.revision {
		b.revision = orders.Revision
		maps.DeleteFunc(b.known, func(_ cluster.RunID, o cluster.Observation) bool { return answers(o) })
	}
	b.add(seen)
}

// add takes in observations that need no listing.
func (b *outbox) add(seen []cluster.Observation) {
	for _, o := range seen {
		b.seen[o.Run] = o
	}
}

// weigh sums the memory of the VMs that are not ordered to be here. One that is moving may be on its way before its
// order is, unless it is to be destroyed.
func (b *outbox) weigh(ordered map[cluster.RunID]bool, destroy []cluster.RunID, s *snapshot) {
	b.astray = 0
	for run, d := range s.Domains {
		if !ordered[run] && (!d.Moving || slices.Contains(destroy, run)) {
			b.astray += d.Memory + b.overhead
		}
	}
}

// answers reports whether the observation, that a VM has vanished as ordered, holds only for the orders of one
// revision. Later orders may ask for the same again, and the VM may have been here in between.
func answers(o cluster.Observation) bool { return o.Seen == cluster.SeenAbsent && o.Move == 0 }

// news returns the observations that the leader does not have yet, by run. The work done goes along with any other
// change of a run. On its own account work is reported for all runs together, and only at long intervals.
func (b *outbox) news(now cluster.Time) []cluster.Observation {
	var news []cluster.Observation
	work := b.workChanged(now)
	for run, o := range b.seen {
		if known, ok := b.known[run]; !ok || !same(o, known) || work && b.measured(o, now) {
			news = append(news, o)
		}
	}
	slices.SortFunc(news, func(x, y cluster.Observation) int { return x.Run.Compare(y.Run) })
	return news[:min(len(news), b.most)]
}

// workChanged reports whether it is time to report the work of runs, because the rate of progress of one of them is
// unknown or has changed.
func (b *outbox) workChanged(now cluster.Time) bool {
	if now-b.worked < workPause {
		return false
	}
	for run, o := range b.seen {
		if p := b.progress[run]; b.measured(o, now) {
			next := p.After(*o.Work, o.Tier, now, manyVCPUs)
			if change := next.Steal - p.Steal; !p.Observed || now-p.At >= workLimit || max(change, -change) >= workStep {
				return true
			}
		}
	}
	return false
}

// manyVCPUs is at least the vCPU count of any VM. The state, not the monitor, judges whether reports are plausible.
const manyVCPUs = 1024

// measured reports whether the run's work was measured for long enough since it was last reported.
func (b *outbox) measured(o cluster.Observation, now cluster.Time) bool {
	p := b.progress[o.Run]
	return o.Work != nil && p.At != 0 && now-p.At >= workSpan
}

// same reports whether an observation adds nothing to a known one. The end of a move is not worth
// repeating, nor is the work done since.
func same(o, known cluster.Observation) bool {
	if (o.Work == nil) == (known.Work == nil) {
		o.Work, known.Work = nil, nil
	}
	if o.Move == 0 {
		known.Move = 0
	}
	return reflect.DeepEqual(o, known)
}

// send reports the news, one report at a time.
func (a *Agent) send(ctx context.Context) {
	b := &a.outbox
	if a.session == nil || b.sending || time.Now().Before(b.retryAt) {
		return
	}
	proof := a.store.Proof()
	r := cluster.Report{
		Node: a.node, Foreign: b.foreign, FenceAlive: a.fence,
		StoreProven: proof.Proven, StoreFree: proof.Free, HypervisorSilent: a.mute, Astray: b.astray,
		Revision: b.under,
	}
	now := cluster.Time(a.config.Boottime().Microseconds())
	news := b.news(now)
	if len(news) == 0 && b.header != nil && !b.awaits() && !worthTelling(r, *b.header) {
		return
	}
	r.Observations = news
	b.sending = true
	session, serial, revision := a.session, a.serial, b.revision
	go func() {
		call, cancel := context.WithTimeout(ctx, reportLimit)
		defer cancel()
		s := sent{report: r, revision: revision, serial: serial, at: now, err: session.Report(call, r)}
		select {
		case a.sent <- s:
		case <-ctx.Done():
		}
	}()
}

// awaits reports whether the leader waits for a report under orders that the last one did not know.
func (b *outbox) awaits() bool { return b.under >= b.awaited && b.header.Revision < b.awaited }

// freeStep is the least change of the store's free space that is reported. Without it every node would report each
// proof of a store that is nearly full.
const freeStep = 16 * cluster.MiB

// worthTelling reports whether the node's own data changed. A change of the store's free space matters
// only above a twentieth.
func worthTelling(r, known cluster.Report) bool {
	moved := r.StoreFree - known.StoreFree
	unknown := (r.StoreFree < 0) != (known.StoreFree < 0)
	known.StoreFree, known.Revision, r.Observations, known.Observations = r.StoreFree, r.Revision, nil, nil
	return !reflect.DeepEqual(r, known) || unknown || max(moved, -moved) > max(freeStep, r.StoreFree/20)
}

// acknowledge records what the leader knows now. The cluster would refuse a refused report again. So the report is
// halved until the refused observation stands alone, and that is not repeated.
func (b *outbox) acknowledge(s sent, serial int, log zerolog.Logger) {
	if s.serial != serial {
		return
	}
	b.sending = false
	_, refused := errors.AsType[*cluster.Rejection](s.err)
	switch n := len(s.report.Observations); {
	case s.err == nil:
		b.most = min(2*b.most, mostInOne)
	case refused && n > 1:
		b.most = n / 2
		return
	case refused:
		log.Error().Err(s.err).Interface("observations", s.report.Observations).
			Msg("the leader refused this report for good; it is dropped; please report it as a bug")
	default:
		b.retryAt = time.Now().Add(reportPause)
		log.Warn().Err(s.err).Msg("a report did not reach the leader; sending it again")
		return
	}
	b.header = &s.report
	for _, o := range s.report.Observations {
		if known, ok := b.known[o.Run]; ok && o.Work != nil && same(o, known) {
			b.worked = s.at
		}
		if !answers(o) || s.revision == b.revision {
			b.known[o.Run] = o
		}
		if o.Work == nil {
			delete(b.progress, o.Run)
		} else {
			b.progress[o.Run] = b.progress[o.Run].After(*o.Work, o.Tier, s.at, manyVCPUs)
		}
	}
}
