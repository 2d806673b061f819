package cluster

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Maintenance is an interval in which a node gives nothing. Nothing is promised there then, and its VMs leave when it
// begins.
type Maintenance struct {
	From, Until Time   // in microseconds
	Reason      string // for people
	Begun       bool   // the node drains because of it
	Cordon      bool   // an operator wants it to take no new VMs afterwards
	Drain       bool   // an operator wants it to drain afterwards
}

// Limits on maintenance.
const (
	MaxReason      = 256 // bytes of a reason
	maxMaintenance = 16  // intervals per node
	leastService   = Minute
)

// Actions that plan the maintenance of nodes.
type (
	// Maintain plans an interval in which the node gives nothing. It is rejected if promises would be broken, unless Force
	// is set.
	Maintain struct {
		Node        NodeID
		From, Until Time // in microseconds; From 0: now
		Reason      string
		Force       bool
	}
	// Reopen cancels the maintenance of a node that begins at From, or its first one if that is 0. If it has begun, the
	// node takes VMs again.
	Reopen struct {
		Node NodeID
		From Time // in microseconds
	}
)

func (a Maintain) apply(t *transaction) Result {
	n, w := t.Node(a.Node), Maintenance{From: max(a.From, t.Now), Until: a.Until, Reason: a.Reason}
	if r := t.Unready(a); r != nil {
		return Result{Rejection: r}
	}
	switch {
	case n == nil || n.Absent:
		return reject(CodeNotFound, "node", "there is no node %d", a.Node)
	case a.From != 0 && a.From < t.Now:
		return reject(CodeInvalid, "start", "%s is past: it is %s", a.From.Moment(), t.Now.Moment())
	case a.Until < w.From+leastService || a.Until > t.Now+maxReserved:
		return reject(CodeInvalid, "duration", "must be at least %s, and end within 366 days from now", leastService.Words())
	case len(a.Reason) > MaxReason:
		return reject(CodeInvalid, "reason", "may take %d bytes", MaxReason)
	case len(n.Maintenance) >= maxMaintenance:
		return reject(CodeLimit, "node", "%d times of maintenance are planned for node %s, which is the most", maxMaintenance,
			n.Name)
	}
	for i := range n.Maintenance {
		if o := &n.Maintenance[i]; o.From < w.Until && w.From < o.Until {
			return reject(CodeConflict, "start", "node %s is in maintenance from %s to %s already", n.Name, o.From.Moment(),
				o.Until.Moment())
		}
	}
	n = t.editNode(n.ID)
	n.Maintenance = slices.SortedFunc(slices.Values(append(slices.Clone(n.Maintenance), w)), Maintenance.compare)
	if t.Format >= limits {
		t.serviced.ReplaceOrInsert(n.ID) // at once: promises that have to move can begin after it
	}
	t.emitNode(NodeMaintenance, n.ID, Cause{Because(WhyMaintenance, int64(w.From), int64(w.Until)).Why, w.Reason})
	t.turnNode(n.ID)
	if t.review(); t.broken > 0 && !a.Force {
		return reject(CodeConflict, "start", "it would break the promises to %s: choose another time, or force it", t.unlucky())
	}
	return Result{Node: n.ID}
}

func (w Maintenance) compare(o Maintenance) int { return cmp.Compare(w.From, o.From) }

// unlucky names the jobs whose promises this command breaks, with their intervals. It names ten at most.
func (t *transaction) unlucky() string {
	var jobs []string
	for _, e := range t.events {
		if was := t.origin.PromiseTo(e.Job); e.Kind == JobPromiseBroken && was != nil && len(jobs) < maxConsoled {
			jobs = append(jobs, fmt.Sprintf("%v of %s (%s to %s)", e.Job, t.Job(e.Job).Spec.Owner, was.From.Moment(),
				was.Until.Moment()))
		}
	}
	if more := t.broken - len(jobs); more > 0 {
		jobs = append(jobs, fmt.Sprintf("%d more", more))
	}
	return strings.Join(jobs, ", ")
}

func (a Reopen) apply(t *transaction) Result {
	if r := t.Unready(a); r != nil {
		return Result{Rejection: r}
	}
	n := t.Node(a.Node)
	if n == nil || n.Absent {
		return reject(CodeNotFound, "node", "there is no node %d", a.Node)
	}
	i := slices.IndexFunc(n.Maintenance, func(w Maintenance) bool { return a.From == 0 || w.From == a.From })
	if i < 0 {
		return reject(CodeNotFound, "start", "no maintenance of node %s is planned, or none then", n.Name)
	}
	w := n.Maintenance[i]
	t.emitNode(NodeMaintenanceCancelled, n.ID, Cause{Because(WhyMaintenance, int64(w.From), int64(w.Until)).Why, w.Reason})
	t.reopen(n.ID, i)
	return Result{Node: n.ID}
}

// reopen removes an interval of maintenance. If it has begun, the node takes VMs again.
func (t *transaction) reopen(id NodeID, i int) {
	n := t.editNode(id)
	w := n.Maintenance[i]
	n.Maintenance = slices.Delete(slices.Clone(n.Maintenance), i, i+1)
	if w.Begun {
		n.Cordoned, n.Draining = w.Cordon, w.Drain
		t.tellServed(n, w)
	}
	t.markNodesChanged()
}

// tellServed says what becomes of a node after maintenance.
func (t *transaction) tellServed(n *Node, w Maintenance) {
	kind := NodeUncordoned
	if w.Drain {
		kind = NodeDraining
	} else if w.Cordon {
		kind = NodeCordoned
	}
	t.emitNode(kind, n.ID, Because(WhyServed, int64(w.Until)))
}

// wanted notes what an operator wants of a node that is in maintenance: it counts afterwards.
func (n *Node) wanted(drain bool) {
	if n.InMaintenance() != nil {
		n.Maintenance = slices.Clone(n.Maintenance)
		n.Maintenance[0].Cordon, n.Maintenance[0].Drain = true, n.Maintenance[0].Drain || drain
	}
}

// shift lets maintenance that has begun last as long as it would have, after the clock was set.
func (n *Node) shift(r reset) {
	if n.InMaintenance() != nil {
		n.Maintenance = slices.Clone(n.Maintenance)
		w := &n.Maintenance[0]
		w.From, w.Until = r.of(w.From), max(r.of(w.From)+1, r.of(w.Until))
		if len(n.Maintenance) > 1 {
			w.Until = min(w.Until, n.Maintenance[1].From) // the next one begins at its own time
		}
	}
}

// turn returns the next time at which maintenance of the node begins or ends; false: none is planned.
func (n *Node) turn() (Time, bool) {
	switch {
	case len(n.Maintenance) == 0:
		return 0, false
	case n.Maintenance[0].Begun:
		return n.Maintenance[0].Until, true
	}
	return n.Maintenance[0].From, true
}

// turnNodes lets maintenance begin and end whose time has come.
func (t *transaction) turnNodes() {
	if t.serviced.Len() == 0 {
		return
	}
	for id := range t.serviced.clone().all() {
		t.turnNode(id)
	}
}

func (t *transaction) turnNode(id NodeID) {
	for at, any := t.Node(id).turn(); any && at <= t.Now; at, any = t.Node(id).turn() {
		n := t.Node(id)
		if w := n.Maintenance[0]; w.Begun || w.Until <= t.Now {
			t.reopen(id, 0)
			continue
		}
		n = t.editNode(id)
		n.Maintenance = slices.Clone(n.Maintenance)
		w := &n.Maintenance[0]
		w.Begun, w.Cordon, w.Drain = true, n.Cordoned, n.Draining
		n.Cordoned, n.Draining = true, true
		t.emitNode(NodeDraining, id, Cause{Because(WhyMaintenance, int64(w.From), int64(w.Until)).Why, w.Reason})
		t.markNodesChanged()
	}
}

// InMaintenance returns the interval of maintenance that the node is in, or nil.
func (n *Node) InMaintenance() *Maintenance {
	if len(n.Maintenance) > 0 && n.Maintenance[0].Begun {
		return &n.Maintenance[0]
	}
	return nil
}

// leaves reports whether maintenance of the node leaves a stretch of that length of the interval, or all of a shorter
// one.
func (n *Node) leaves(stretch, from, until Time) bool {
	stretch = min(stretch, until-from)
	for _, w := range n.Maintenance {
		if !w.Begun && min(w.From, until)-from >= stretch {
			return true
		}
		from = max(from, w.Until)
	}
	return until-from >= stretch
}

// closed reports whether maintenance of the node takes a part of the interval. Maintenance that has begun takes all
// before its end, also if the clock was set back.
func (n *Node) closed(from, until Time) bool {
	return slices.ContainsFunc(n.Maintenance, func(w Maintenance) bool {
		return (w.From < until || w.Begun) && from < w.Until
	})
}
