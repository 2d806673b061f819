package cluster

import "iter"

// Actions by which machines become nodes, and cease to be.
type (
	// Invite opens an invitation for a node's name, in place of an earlier one. A name that is known may come back with
	// another certificate.
	Invite struct {
		Node    string
		Hash    [32]byte // SHA-256 of the secret
		Expires Time     // in microseconds
	}
	// Admit uses up the invitation of a node and gives the node a new admission, Result.Admission. Certificates of an
	// earlier admission are refused from then on. The same request gets the same admission again, in case the first
	// answer was lost.
	Admit struct {
		Node    string
		Hash    [32]byte // SHA-256 of the secret shown
		Request [32]byte // SHA-256 of the request for a certificate, which only the joining machine can use
	}
	// RemoveNode bars the certificates of a node and forgets the node. With Force it also bars a node that is still in
	// use: the node stays until nothing is there.
	RemoveNode struct {
		Node  NodeID
		Force bool
	}
)

// Invitation lets one machine join under the name it is for, once. Only a hash of the secret is kept.
type Invitation struct {
	Hash    [32]byte // SHA-256 of the secret
	Expires Time     // in microseconds
	Request [32]byte // of the Admit that used it up; zero: it is open
}

// MaxInvitation is the longest time that an invitation may be open.
const MaxInvitation = 7 * 24 * Hour

// maxNodes limits the names of nodes, absent ones included.
const maxNodes = 100_000

// Admits reports whether a node of that name may act with a certificate of that admission. Certificates of programs
// that know no admissions have 0.
func (s *State) Admits(name string, admission uint64) bool {
	n := s.NodeNamed(name)
	if n == nil {
		return s.Format < invites && admission == 0
	}
	return n.Admission == admission
}

// Refuse returns why the machine that shows this secret is not admitted, or nil.
func (a Admit) Refuse(s *State) *Rejection {
	n := s.NodeNamed(a.Node)
	switch {
	case n == nil || n.Invitation == nil || n.Invitation.Hash != a.Hash ||
		n.Invitation.used() && n.Invitation.Request != a.Request:
		return reject(CodeForbidden, "token", "the join token is not for node %s, or was used or replaced: "+
			"`aliquot node invite %[1]s` makes another", a.Node).Rejection
	case s.Now >= n.Invitation.Expires:
		return reject(CodeForbidden, "token", "the join token has expired: `aliquot node invite %s` makes another",
			a.Node).Rejection
	case n.Health == Ready:
		return reject(CodeConflict, "node", "node %s is connected: stop its monitor before another machine takes its name",
			a.Node).Rejection
	}
	return nil
}

// Invited yields the nodes whose invitation is open at now, by id. Absent nodes are among them.
func (s *State) Invited(now Time) iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		for n := range s.nodes.all() {
			if i := n.Invitation; i != nil && !i.used() && now < i.Expires && !yield(n) {
				return
			}
		}
	}
}

func (i *Invitation) used() bool { return i.Request != [32]byte{} }

func (a Invite) apply(t *transaction) Result {
	if err := CheckNodeName(a.Node); err != nil {
		return reject(CodeInvalid, "node", "%v", err)
	}
	if life := a.Expires - t.Now; life <= 0 || life > MaxInvitation {
		return reject(CodeInvalid, "for", "an invitation is for more than 0 s and at most %s (%dh), not %.0f s",
			MaxInvitation.Words(), MaxInvitation/Hour, life.Seconds())
	}
	n := t.NodeNamed(a.Node)
	if n == nil {
		if t.nodes.Len() >= maxNodes {
			return reject(CodeLimit, "node", "%d names of nodes are known, which is the most", maxNodes)
		}
		n = &Node{ID: t.NextNode, Name: a.Node, Since: t.Now, Health: Down, Absent: true}
		t.NextNode++
		t.nodes.put(n)
	}
	n = t.editNode(n.ID)
	n.Invitation = &Invitation{Hash: a.Hash, Expires: a.Expires}
	t.emitNode(NodeInvited, n.ID, Cause{Text: n.Name})
	return Result{Node: n.ID}
}

func (a Admit) apply(t *transaction) Result {
	if a.Request == [32]byte{} {
		return reject(CodeInvalid, "request", "the request for a certificate is missing")
	}
	if r := a.Refuse(t.State); r != nil {
		return Result{Rejection: r}
	}
	n := t.editNode(t.NodeNamed(a.Node).ID)
	if !n.Invitation.used() {
		used := *n.Invitation
		used.Request = a.Request
		n.Invitation, n.Admission = &used, t.Revision
		t.emitNode(NodeAdmitted, n.ID, Cause{Text: n.Name})
	}
	return Result{Node: n.ID, Admission: n.Admission}
}

func (a RemoveNode) apply(t *transaction) Result {
	n := t.Node(a.Node)
	if n == nil {
		return reject(CodeNotFound, "node", "there is no node %d", a.Node)
	}
	used := t.inUse(n.ID)
	if used && !a.Force {
		return reject(CodeConflict, "node",
			"node %s still has tasks or is to get some: drain it first, or confirm that it is down; --force bars it at once", n.Name)
	}
	n = t.editNode(n.ID)
	n.Invitation, n.Admission, n.Cordoned, n.Draining = nil, t.Revision, true, true
	n.wanted(true)
	if used {
		t.emitNode(NodeBarred, n.ID, Cause{Text: n.Name})
	} else {
		t.dismiss(n)
	}
	t.markNodesChanged()
	return Result{Node: n.ID}
}

// inUse reports whether a task is on the node, moves to or from it, or is placed there by the Target.
func (s *State) inUse(node NodeID) (used bool) {
	for _, index := range []tree[located]{s.located, s.held} {
		index.AscendGreaterOrEqual(located{node: node}, func(l located) bool {
			used = used || l.node == node
			return false
		})
	}
	return used
}

// dismiss makes a node absent that nothing uses. Its record stays, for its certificates and for events of the past.
func (t *transaction) dismiss(n *Node) {
	if n.Health != Down {
		n.Health, n.Since = Down, t.Now
	}
	n.Absent, n.Description, n.Foreign, n.Strays = true, Description{}, Foreign{}, nil
	n.FenceAlive, n.StoreProven, n.Awaited, n.Unlinked, n.Maintenance = false, false, 0, 0, nil
	t.recharge()
	t.emitNode(NodeRemoved, n.ID, Cause{Text: n.Name})
}
