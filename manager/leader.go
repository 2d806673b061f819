package manager

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"strconv"
	"time"

	"aliquot/cluster"
	"aliquot/migrate"
	"aliquot/policy"
	"aliquot/scheduler"
)

// Limits of the moves in progress.
const (
	movesPerNode = 4
	movesAtLeast = 64 // in the whole cluster; a large cluster allows as many as it has nodes
	storeMoves   = 16 // pauses and resumes in the whole cluster: the store's bandwidth does not grow with the nodes
)

// leastSleep is the shortest sleep of the loop while nothing changes.
const leastSleep = 5 * time.Millisecond

// lead runs the leader's loop until ctx ends: claim, then step after step.
func (m *Manager) lead(ctx context.Context) {
	wake := time.NewTimer(0)
	defer wake.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-m.store.LeaderChanged():
		case <-m.store.Changed():
		case <-m.link.Changed():
		case <-wake.C:
		}
		if !m.claim(ctx) {
			wake.Reset(time.Second)
			continue
		}
		m.keepTime(ctx)
		m.push()
		next, err := m.step(ctx)
		if err != nil && ctx.Err() == nil {
			m.log.Warn().Err(err).Msg("the leader's step failed; trying again")
			next = m.now() + cluster.Second
		}
		wake.Reset(m.until(next))
	}
}

// push sends orders to the nodes for which the state has changed since the last call.
func (m *Manager) push() {
	state := m.store.Latest()
	m.link.Push(state.Touched(m.pushed)...)
	m.pushed = state
}

// until returns the time from now to t, at least leastSleep and at most a second, because leases are checked each
// second.
func (m *Manager) until(t cluster.Time) time.Duration {
	if t == 0 {
		return time.Second
	}
	return min(max(time.Duration(t-m.now())*time.Microsecond, leastSleep), time.Second)
}

// claim proposes this replica's leadership to the state, once per term. It reports whether this replica leads.
func (m *Manager) claim(ctx context.Context) bool {
	leader, term := m.store.Leader()
	if leader != m.cfg.Replica {
		m.descend()
		m.link.Follow(m.cfg.Links[leader])
		if leader != 0 {
			m.synchronize(ctx, leader, term)
		}
		return false
	}
	if m.epoch.Load() != 0 && m.term == term {
		return true
	}
	m.descend()
	state, err := m.store.Read(ctx)
	if err != nil {
		return false
	}
	if problem := clockProblem(m.disagreement(state.Now)); problem != "" && !m.mustLead() {
		m.log.Error().AnErr("handed over", m.store.HandOver(ctx)).Msg(problem)
		return false
	}
	m.startTime(state)
	if err := m.openGeneration(ctx, state.Generation); err != nil {
		m.log.Warn().Err(err).Msg("cannot record the restored backup; this replica will not lead until this succeeds")
		return false
	}
	if state, err = m.store.Read(ctx); err != nil {
		return false
	}
	if state.Term == term && state.Leader == m.cfg.Replica { // an earlier claim was accepted but its answer was lost
		m.ascend(term, state.Epoch)
		return true
	}
	result, err := m.propose(ctx, cluster.Claim{Replica: m.cfg.Replica, Term: term}, 0)
	if err != nil {
		m.log.Warn().Err(err).Uint64("term", term).Msg("cannot claim leadership; trying again")
		return false
	}
	m.ascend(term, result.Epoch)
	if len(m.store.Known()) == 1 { // there is no other manager to ask
		m.raise(ctx)
	}
	return true
}

// ascend starts leading. All leases count as renewed now.
func (m *Manager) ascend(term, epoch uint64) {
	m.term = term
	m.time.lead(m.elapsed())
	m.link.Claimed(m.clock())
	m.backoff, m.overdue, m.watch = scheduler.Backoff{}, scheduler.Refused{}, newWatch()
	m.epoch.Store(epoch)
	m.log.Info().Uint64("epoch", epoch).Msg("this replica leads")
}

// descend stops leading, if this replica led.
func (m *Manager) descend() {
	if m.epoch.Swap(0) != 0 {
		m.waits.Store(0)
		m.usage.clear()
		m.time.hear(m.elapsed())
	}
}

// noteRestored writes the generation of the backup into the marker file that a restore leaves, at the first start after
// it.
func (m *Manager) noteRestored() error {
	info, err := os.Stat(m.cfg.Restored)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() > 0 {
		return nil
	}
	if err == nil {
		err = os.WriteFile(m.cfg.Restored, strconv.AppendUint(nil, m.store.Began(), 10), 0o600)
	}
	if err != nil {
		return fmt.Errorf("record that the state comes from a backup: %w", err)
	}
	return nil
}

// openGeneration makes monitors treat a restored state's orders as newer than all earlier orders. Nothing may be
// decided before, because the backup does not know the later fate of its jobs. If several managers were restored, only
// the first to lead opens a generation: for the others the state's generation then differs from the backup's.
func (m *Manager) openGeneration(ctx context.Context, current uint64) error {
	if err := m.noteRestored(); err != nil {
		return err
	}
	text, err := os.ReadFile(m.cfg.Restored)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("check whether the state comes from a backup: %w", err)
	}
	backup, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil {
		return fmt.Errorf("find the backup of the state: %s: %w", m.cfg.Restored, err)
	}
	if current == backup {
		generation := max(current+1, uint64(m.now()))
		if _, err := m.propose(ctx, cluster.Import{Generation: generation}, 0); err != nil {
			return fmt.Errorf("import the backup: %w", err)
		}
	}
	return os.Remove(m.cfg.Restored)
}

// step proposes the next action and returns when to look again; zero means when something changes. A panic becomes an
// error, because it must not end this manager and then its successors.
func (m *Manager) step(ctx context.Context) (next cluster.Time, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("a bug: %v\n%s", r, debug.Stack())
		}
	}()
	latest := m.Latest()
	if action := m.showTime(latest); action != nil {
		next, _, err = m.proposed(ctx, action)
		return next, err
	}
	var refused bool
	if action := m.supervise(latest); action != nil && !m.overdue.Holds(action, latest.At) {
		if next, refused, err = m.proposed(ctx, action); err == nil {
			m.overdue.Note(action, refused, latest.At)
		}
		return next, err
	}
	p, view := m.policy(latest.Policy), latest.View()
	var action cluster.Action
	if p == nil { // earlier decisions are still carried out, and cancelled jobs stop
		action = m.backoff.Moves(view, limits(latest))
	} else {
		action = m.backoff.Step(view, p, limits(latest))
	}
	if action == nil {
		return m.backoff.WakeAt(view), nil
	}
	if next, refused, err = m.proposed(ctx, action); err == nil {
		m.noteOutcome(action, refused)
	}
	return next, err
}

// limits returns the limits of the moves in progress, in the cluster and on each node.
func limits(v *cluster.Snapshot) migrate.Limits {
	return migrate.Limits{PerNode: movesPerNode, Total: max(movesAtLeast, v.NodeCount()), Store: storeMoves}
}

// proposed proposes an action of the leader's loop. It returns when to look again, and whether the state refused the
// action.
func (m *Manager) proposed(ctx context.Context, action cluster.Action) (next cluster.Time, refused bool, err error) {
	_, err = m.propose(ctx, action, m.epoch.Load())
	var why *cluster.Rejection
	switch {
	case errors.As(err, &why) && why.Code == cluster.CodeStaleEpoch:
		m.descend()
		return 0, true, nil
	case errors.As(err, &why):
		m.log.Warn().Str("code", string(why.Code)).Str("detail", why.Detail).Msgf(
			"the state refused %T; deciding again", action)
		return m.now(), true, nil
	case err != nil:
		return 0, false, fmt.Errorf("propose %T: %w", action, err)
	}
	return m.now(), false, nil
}

// policy returns the policy in force, or nil if there is none of that name. The problem is logged once.
func (m *Manager) policy(choice cluster.PolicyChoice) policy.Policy {
	last := &m.policies
	if last.choice == choice && (last.policy != nil || last.gone) {
		return last.policy
	}
	p, err := m.parse(choice.Name, choice.Period)
	if err != nil {
		m.log.Error().Msg(undecided(err).Error())
		last.choice, last.policy, last.gone = choice, nil, true
		return nil
	}
	if last.gone {
		m.log.Info().Str("policy", choice.Name).Msg("a known policy is in force; scheduling resumes")
	}
	last.choice, last.policy, last.gone = choice, fallbackLogger{p, m.log}, false
	return last.policy
}

// undecided describes a policy in force that this version lacks. Running jobs continue until another one is set.
func undecided(err error) error {
	return fmt.Errorf("no jobs are scheduled: %w; choose another policy with: aliquot policy set NAME", err)
}

// propose proposes an action of the manager itself, in a form that all managers can read, and turns a refusal into an
// error.
func (m *Manager) propose(ctx context.Context, action cluster.Action, epoch uint64) (cluster.Result, error) {
	c := m.stamped(system, action)
	c.Epoch = epoch
	return m.submit(ctx, c)
}

func (m *Manager) submit(ctx context.Context, c cluster.Command) (cluster.Result, error) {
	ctx, cancel := context.WithTimeout(ctx, proposalTimeout)
	defer cancel()
	result, err := m.store.Propose(ctx, c)
	if err == nil && result.Rejection != nil {
		if result.Rejection.Code == cluster.CodeInternalBug {
			m.log.Error().Uint64("revision", result.Revision).Msg(result.Rejection.Detail)
		}
		return result, result.Rejection
	}
	return result, err
}
