package link

import (
	"context"
	"io"
	"iter"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"aliquot/cluster"
	"aliquot/wire"
	"aliquot/wire/image"
	"aliquot/wire/join"
	"aliquot/wire/wirepb"
)

// Leader is the manager's interface for the hub.
type Leader interface {
	// Propose replicates the action under the leader's epoch. The error is not nil if the outcome is
	// unknown or nothing was done. A refusal is part of the result.
	Propose(ctx context.Context, a cluster.Action) (cluster.Result, error)
	// ConfirmLeadership returns nil if a linearizable read that began after the call shows that this
	// manager's claim is the latest.
	ConfirmLeadership(ctx context.Context) error
	// Orders returns the node's orders; false if the cluster does not know the node.
	Orders(node cluster.NodeID) (cluster.Orders, bool)
	// Admit uses up the node's invitation with that secret and returns the admission for its certificate. Each replica
	// can. A refusal is a *cluster.Rejection.
	Admit(ctx context.Context, a cluster.Admit) (admission uint64, err error)
	// Admits reports whether certificates of the node with that admission are accepted; it must be quick.
	Admits(node string, admission uint64) bool
	// Usage takes samples; it must be quick.
	Usage(node cluster.NodeID, samples []wire.Usage, host wire.Host)
}

// Issuer certifies nodes; *ca.Authority is one. Certificates and requests are DER.
type Issuer interface {
	Certify(node join.Identity, csr []byte) ([]byte, error)
	Certificate() []byte
}

// Images is this manager's store of images. The error wraps fs.ErrNotExist if there is none of that digest.
type Images interface {
	Open(digest string) (image.Manifest, error)
	File(digest, file string) (io.ReadCloser, error)
}

// Past is what this manager has recorded of the past.
type Past interface {
	// Lacked yields the records of minutes after the given one that are not among those that another manager has,
	// oldest first.
	Lacked(after cluster.Time, have []cluster.Time) iter.Seq[[]byte]
}

// Options configure a hub. All fields are required.
type Options struct {
	Leader Leader
	Issuer Issuer
	Images Images
	Past   Past
	Lease  time.Duration // at least minLease
	Log    zerolog.Logger
}

// minLease leaves time for a few heartbeats.
const minLease = time.Second

// Hub serves the links of all nodes to this manager.
type Hub struct {
	wirepb.UnimplementedManagerServer
	options Options
	refused zerolog.Logger // of nodes that are not admitted
	changed chan struct{}
	tickets *tickets

	mu     sync.Mutex
	term   *term  // nil while this replica does not lead
	leader string // address of the leader, if known, while this replica does not lead
}

// NewHub returns the hub of a replica that does not lead.
func NewHub(o Options) *Hub {
	o.Lease = max(o.Lease, minLease)
	return &Hub{options: o, refused: refusals(o.Log), changed: make(chan struct{}, 1), tickets: newTickets()}
}

// Claimed starts a term in which this replica leads, from the given time on. All leases count as
// renewed then. Links of an earlier term end.
func (h *Hub) Claimed(at time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	before := h.term
	h.end("")
	h.term = newTerm(at, before)
}

// Follow records that another replica leads, at the given link address; "" if no leader is known.
// Connected nodes are redirected there.
func (h *Hub) Follow(leader string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.end(leader)
	h.leader = leader
}

func (h *Hub) end(leader string) {
	if h.term != nil {
		h.term.end(leader)
		h.term = nil
	}
}

func (h *Hub) present() (*term, string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.term, h.leader
}

// Push tells the hub that the orders of the nodes may have changed. Orders that differ from the last
// ones sent are sent.
func (h *Hub) Push(nodes ...cluster.NodeID) {
	if t, _ := h.present(); t != nil && len(nodes) > 0 {
		t.push(nodes)
	}
}

// Changed signals that a node has connected or lost its link, or that an expired lease was renewed.
func (h *Hub) Changed() <-chan struct{} { return h.changed }

func (h *Hub) announce() {
	select {
	case h.changed <- struct{}{}:
	default:
	}
}

// Expired returns how long ago the node's lease ended; 0 while it is valid, or while this replica does
// not lead.
func (h *Hub) Expired(node cluster.NodeID, now time.Time) time.Duration {
	t, _ := h.present()
	if t == nil {
		return 0
	}
	return max(0, now.Sub(t.renewal(node).Add(h.options.Lease)))
}

// Renewed reports whether the node has a valid lease that this replica has renewed itself. A new leader
// counts all leases as renewed, which proves nothing about the node.
func (h *Hub) Renewed(node cluster.NodeID, now time.Time) bool {
	t, _ := h.present()
	return t != nil && now.Before(t.renewedAt(node).Add(h.options.Lease))
}

// arrival is how long nodes may take to find a new leader.
const arrival = 5 * time.Second

// Link returns how long the node has had a link, or else for how long it has had none. Both are 0 while this replica
// does not lead, and for a node that may still be on its way to a new leader.
func (h *Hub) Link(node cluster.NodeID, now time.Time) (linked, linkless time.Duration) {
	t, _ := h.present()
	if t == nil {
		return 0, 0
	}
	began, broke := t.link(node, now)
	if !began.IsZero() {
		return max(1, now.Sub(began)), 0
	}
	if !broke.IsZero() {
		return 0, max(1, now.Sub(broke))
	}
	return 0, 0
}

// BlockRenewal reports whether the node's lease has been over for longer than the margin. If so, it blocks the renewal
// until AllowRenewal, so the node cannot continue while it is being declared down.
func (h *Hub) BlockRenewal(node cluster.NodeID, now time.Time, margin time.Duration) bool {
	t, _ := h.present()
	return t != nil && t.block(node, now.Add(-h.options.Lease-margin))
}

// AllowRenewal lets the node's lease be renewed again after BlockRenewal.
func (h *Hub) AllowRenewal(node cluster.NodeID) {
	if t, _ := h.present(); t != nil {
		t.allow(node)
	}
}

// Recall ends the node's link if its Join has an earlier revision, so that the node connects again and reports
// everything anew.
func (h *Hub) Recall(node cluster.NodeID, before uint64) {
	if t, _ := h.present(); t != nil {
		t.recall(node, before)
	}
}

// Lease returns the length of a lease.
func (h *Hub) Lease() time.Duration { return h.options.Lease }

// Leases returns the end of the lease of each node that this leader has heard from.
func (h *Hub) Leases() map[cluster.NodeID]time.Time {
	leases := map[cluster.NodeID]time.Time{}
	if t, _ := h.present(); t != nil {
		for node, at := range t.renewals() {
			leases[node] = at.Add(h.options.Lease)
		}
	}
	return leases
}
