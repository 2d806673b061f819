package manager

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"aliquot/cluster"
	"aliquot/manager/events"
	"aliquot/manager/images"
	"aliquot/manager/store"
	"aliquot/policy/catalog"
	"aliquot/web"
)

var _ web.Manager = (*Manager)(nil)

// Do proposes a user's action.
func (m *Manager) Do(ctx context.Context, actor cluster.Actor, request string, a cluster.Action) (cluster.Result,
	error) {
	if err := m.learnTime(ctx); err != nil {
		return cluster.Result{}, err
	}
	c := m.stamped(actor, a)
	c.Request = request
	result, err := m.submit(ctx, c)
	if gone, ok := a.(cluster.RemoveImage); ok && err == nil {
		err = m.images.Remove(gone.Digest)
	}
	return result, fault(err)
}

// Once proposes a command with the given name that changes nothing. It reports whether the name was new.
func (m *Manager) Once(ctx context.Context, name string) (bool, error) {
	for attempts := 0; ; attempts++ {
		state, err := m.store.Read(ctx)
		if err != nil {
			return false, fault(err)
		}
		result, err := m.submit(ctx, cluster.Command{Actor: system, Request: name, Epoch: state.Epoch,
			Action: cluster.Checkpoint{Revision: state.Revision}})
		var refused *cluster.Rejection
		if attempts < 3 && errors.As(err, &refused) && refused.Code == cluster.CodeStaleEpoch {
			continue // another replica has just taken over the lead
		}
		return err == nil && !result.Repeated, fault(err)
	}
}

// Policies lists the policies of package catalog that a cluster can be given.
func (m *Manager) Policies() []web.Policy {
	var list []web.Policy
	for _, name := range catalog.Names() {
		if catalog.Live(name) {
			list = append(list, web.Policy{Name: name, Family: catalog.Family(name), About: catalog.About(name)})
		}
	}
	return list
}

// Refusal returns why the policy in force would refuse a new job with the spec; nil: it would not.
func (m *Manager) Refusal(v *cluster.Snapshot, spec *cluster.Spec) *cluster.Reason {
	return catalog.Refusal(v.Policy.Name, v.View(), v.Prospect(spec))
}

// PolicyName returns the canonical form of the name of a policy that a cluster can be given.
func (m *Manager) PolicyName(name string) (string, error) {
	p, err := catalog.ParseLive(name, cluster.Minute)
	if err != nil {
		return "", err
	}
	return fmt.Sprint(p), nil
}

// fault turns the store's errors into the errors of package web.
func fault(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, store.ErrNoLeader):
		return fmt.Errorf("%w: %w", web.ErrNoLeader, err)
	case errors.Is(err, store.ErrUncertain), errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%w: %w", web.ErrUncertain, err)
	}
	return err
}

// Snapshot returns the state with everything that was acknowledged before the call.
func (m *Manager) Snapshot(ctx context.Context) (*cluster.Snapshot, error) {
	state, err := m.store.Read(ctx)
	if err != nil {
		return nil, fault(err)
	}
	return state.Snapshot(m.at(state)), nil
}

// Latest returns the newest state of this replica.
func (m *Manager) Latest() *cluster.Snapshot {
	state := m.store.Latest()
	return state.Snapshot(m.at(state))
}

// Usage returns the latest sample of the run.
func (m *Manager) Usage(run cluster.RunID) (web.Usage, bool) { return m.usage.get(run) }

// Host returns the latest sample of a node's machine; false if there is no recent one, as always on a follower.
func (m *Manager) Host(node cluster.NodeID) (web.Host, bool) { return m.usage.host(node, m.elapsed()) }

// Health returns the health of this replica.
func (m *Manager) Health() web.Health {
	leader, _ := m.store.Leader()
	state := m.store.Latest()
	h := web.Health{Replica: m.cfg.Replica, Leads: m.epoch.Load() != 0, Leader: m.cfg.RESTs[leader], Ready: leader != 0,
		Revision: state.Revision, Format: state.Format,
		Backoff: cluster.Time(m.waits.Load())}
	var problems []string
	if m.cfg.Problem != "" {
		problems = append(problems, m.cfg.Problem)
	}
	if leader == 0 {
		problems = append(problems, "no leader is known; a majority of the managers must be reachable")
	}
	if problem := clockProblem(m.disagreement(state.Now)); problem != "" {
		problems = append(problems, problem)
	}
	if _, err := m.PolicyName(state.Policy.Name); err != nil {
		problems = append(problems, undecided(err).Error())
	}
	if problem := backedOff(h.Backoff); problem != "" {
		problems = append(problems, problem)
	}
	h.Problem = strings.Join(problems, "; ")
	return h
}

// Replicas lists the voting managers, or the configured ones while the voters are unknown.
func (m *Manager) Replicas() []web.Replica {
	ids := m.store.Known()
	if len(ids) == 0 {
		ids = slices.Sorted(maps.Keys(m.cfg.RESTs))
	}
	list := make([]web.Replica, len(ids))
	for i, id := range ids {
		list[i] = web.Replica{ID: id, URL: m.cfg.RESTs[id]}
	}
	return list
}

// PutImage stores the files, registers the image and waits until a majority of the managers has it.
func (m *Manager) PutImage(ctx context.Context, actor cluster.Actor, name string, files iter.Seq2[web.ImageFile,
	error]) (cluster.Image, error) {
	image, err := m.images.Put(ctx, name, func(yield func(images.File, error) bool) {
		for f, err := range files {
			if !yield(images.File(f), err) {
				return
			}
		}
	})
	if err != nil {
		return cluster.Image{}, err
	}
	if _, err := m.Do(ctx, actor, "", cluster.PutImage{Image: image}); err != nil {
		return cluster.Image{}, err
	}
	m.registered.Store(image.Digest, true)
	return image, m.awaitCopies(ctx, image)
}

// Events sends the events after the cursor and then new ones.
func (m *Manager) Events(ctx context.Context, after web.Cursor) (<-chan cluster.Event, error) {
	list, err := m.events.Follow(ctx, events.Cursor(after))
	if errors.Is(err, events.ErrTooOld) {
		err = web.ErrTooOld
	}
	return list, err
}

// History answers a query about past events.
func (m *Manager) History(ctx context.Context, q web.HistoryQuery) (web.HistoryPage, error) {
	page, err := m.events.History(ctx, events.Query{Before: events.Cursor(q.Before), Since: q.Since, Limit: q.Limit,
		Match: q.Match})
	return web.HistoryPage{Events: page.Events, Next: web.Cursor(page.Next), More: page.More}, err
}
