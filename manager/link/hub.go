package link

import (
	"context"
	"io"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"aliquot/cluster"
	"aliquot/wire"
	"aliquot/wire/image"
	"aliquot/wire/wirepb"
)

// Leader is what the hub needs of the manager while it leads.
type Leader interface {
	// Propose replicates the action under the leader's epoch. The error is not nil if the
	// outcome is not known or nothing was done; a refusal is in the result.
	Propose(ctx context.Context, a cluster.Action) (cluster.Result, error)
	// ConfirmLeadership returns nil if a linearizable read that began after the call
	// found this manager's claim to be the latest.
	ConfirmLeadership(ctx context.Context) error
	// Orders returns what should exist on the node; false if the cluster does not know the node.
	Orders(node cluster.NodeID) (cluster.Orders, bool)
	// Usage takes samples; it must be quick.
	Usage(node cluster.NodeID, samples []wire.Usage)
}

// Issuer certifies nodes; *ca.Authority is one. Certificates and requests are DER.
type Issuer interface {
	Enroll(secret, node string, csr []byte) ([]byte, error)
	Renew(node string, csr []byte) ([]byte, error)
	Certificate() []byte
}

// Images is where this manager keeps images; the error wraps fs.ErrNotExist if it has none of that digest.
type Images interface {
	Open(digest string) (image.Manifest, error)
	File(digest, file string) (io.ReadCloser, error)
}

// Options are all needed.
type Options struct {
	Leader Leader
	Issuer Issuer
	Images Images
	Lease  time.Duration // at least minLease
	Log    zerolog.Logger
}

// minLease leaves time for a few heartbeats.
const minLease = time.Second

// Hub serves the links of all nodes to this manager.
type Hub struct {
	wirepb.UnimplementedManagerServer
	options Options
	changed chan struct{}

	mu     sync.Mutex
	term   *term  // nil while this replica does not lead
	leader string // who does, as far as known, while it does not
}

// NewHub returns the hub of a replica that does not lead.
func NewHub(o Options) *Hub {
	o.Lease = max(o.Lease, minLease)
	return &Hub{options: o, changed: make(chan struct{}, 1)}
}

// Claimed says that this replica leads since the time given. All leases count as renewed
// then. Links of an earlier term end.
func (h *Hub) Claimed(at time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	before := h.term
	h.end("")
	h.term = newTerm(at, before)
}

// Follow says that another replica leads, at the given address of its link; "" if none is
// known. Nodes that are connected here are sent there.
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

// Push says that the orders of the nodes may have changed: those that differ from what
// the node was sent are sent.
func (h *Hub) Push(nodes ...cluster.NodeID) {
	if t, _ := h.present(); t != nil && len(nodes) > 0 {
		t.push(nodes)
	}
}

// Changed tells that a node has connected or that a lease that had run out was renewed.
func (h *Hub) Changed() <-chan struct{} { return h.changed }

func (h *Hub) announce() {
	select {
	case h.changed <- struct{}{}:
	default:
	}
}

// Expired returns for how long the node's lease has been over; 0 while it is valid, or
// while this replica does not lead.
func (h *Hub) Expired(node cluster.NodeID, now time.Time) time.Duration {
	t, _ := h.present()
	if t == nil {
		return 0
	}
	return max(0, now.Sub(t.renewal(node).Add(h.options.Lease)))
}

// Renewed tells whether the node has a valid lease that this replica has renewed itself:
// that a new leader counts all leases as renewed says nothing of the node.
func (h *Hub) Renewed(node cluster.NodeID, now time.Time) bool {
	t, _ := h.present()
	return t != nil && now.Before(t.renewedAt(node).Add(h.options.Lease))
}

// Doom reports whether the node's lease has been over for longer than the margin. If so it is not renewed until Spare, so that
// the node cannot go on while it is being declared down.
func (h *Hub) Doom(node cluster.NodeID, now time.Time, margin time.Duration) bool {
	t, _ := h.present()
	return t != nil && t.doom(node, now.Add(-h.options.Lease-margin))
}

// Spare lets the node's lease be renewed again.
func (h *Hub) Spare(node cluster.NodeID) {
	if t, _ := h.present(); t != nil {
		t.spare(node)
	}
}

// Lease is how long a lease lasts.
func (h *Hub) Lease() time.Duration { return h.options.Lease }

// Leases returns when the lease of each node that this leader has heard from ends.
func (h *Hub) Leases() map[cluster.NodeID]time.Time {
	leases := map[cluster.NodeID]time.Time{}
	if t, _ := h.present(); t != nil {
		for node, at := range t.renewals() {
			leases[node] = at.Add(h.options.Lease)
		}
	}
	return leases
}
