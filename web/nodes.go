package web

import (
	"cmp"
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"aliquot/cluster"
	"aliquot/web/api"
)

// NodePath names a node in a path.
type NodePath struct {
	Node string `path:"node" maxLength:"63" doc:"Its name" example:"n1"`
}

// NodeCommand is a request to change an operator's setting of a node.
type NodeCommand struct {
	Keyed
	NodePath
}

func (s *server) registerNodes(to huma.API) {
	register(s, to, measured(operation("list-nodes", "GET", "/v1/nodes", cluster.Viewer, "List nodes",
		"In the order in which they joined.")), s.listNodes)
	register(s, to, measured(operation("get-node", "GET", "/v1/nodes/{node}", cluster.Viewer, "Show a node",
		"Its capacity, load and health.")), s.getNode)
	for _, wish := range []struct {
		want          cluster.NodeWish
		summary, text string
	}{
		{cluster.Uncordon, "Uncordon a node", "It takes new VMs again, also after a drain."},
		{cluster.ConfirmDown, "Confirm that a node is down",
			"You confirm that no VM of the cluster runs there any more; its tasks start again elsewhere. If you are wrong, tasks run twice."},
	} {
		op := operation(wish.want.String()+"-node", "POST", "/v1/nodes/{node}/"+wish.want.String(), cluster.Operator,
			wish.summary, wish.text)
		register(s, to, op, func(ctx context.Context, in *NodeCommand) (*body[api.Accepted], error) {
			return s.wish(ctx, in, wish.want)
		})
	}
	register(s, to, operation("cordon-node", "POST", "/v1/nodes/{node}/cordon", cluster.Operator, "Cordon a node",
		"It takes no new VMs; its present VMs stay. Promises of jobs that are not there yet move to other nodes; if some would "+
			"break, it is refused unless `force` is set."), s.cordonNode)
	register(s, to, operation("drain-node", "POST", "/v1/nodes/{node}/drain", cluster.Operator, "Drain a node",
		"It takes no new VMs, and its present VMs move away or are paused without losing work. A plan shows the moves in "+
			"advance, and the promises that would break: they are refused unless `force` is set."), s.drainNode)
	maintain := operation("plan-maintenance", "POST", "/v1/nodes/{node}/maintenance", cluster.Operator, "Plan maintenance",
		"Nothing is promised on the node for that time. It drains when that begins, and takes VMs again at the end.")
	maintain.DefaultStatus = http.StatusCreated
	register(s, to, maintain, s.planMaintenance)
	register(s, to, operation("cancel-maintenance", "DELETE", "/v1/nodes/{node}/maintenance", cluster.Operator,
		"Cancel maintenance", "If it has begun, the node takes VMs again."), s.cancelMaintenance)
	invite := operation("invite-node", "POST", "/v1/nodes/{node}/invitation", cluster.Operator, "Invite a node",
		"Makes a join token, which only this answer shows. One machine may join with it, once, under this name. A name that "+
			"is known may come back that way, but not while it is connected.")
	invite.DefaultStatus = http.StatusCreated
	register(s, to, invite, s.inviteNode)
	register(s, to, operation("list-invitations", "GET", "/v1/invitations", cluster.Operator, "List open invitations",
		"Those that no machine has used and that have not expired, without their join tokens. Removing the node withdraws one."),
		s.listInvitations)
	register(s, to, operation("remove-node", "DELETE", "/v1/nodes/{node}", cluster.Operator, "Remove a node",
		"Its certificates and its open invitation are refused from now on, and it is listed no more. A node that still has "+
			"tasks is refused."), s.removeNode)
	register(s, to, operation("list-strays", "GET", "/v1/strays", cluster.Viewer, "List strays",
		"VMs of the cluster that are not expected on their nodes."), s.listStrays)
	register(s, to, operation("settle-stray", "POST", "/v1/nodes/{node}/strays", cluster.Operator, "Settle a stray",
		"Adopt the VM as its task's, or destroy it."), s.settleStray)
}

func (s *server) listNodes(ctx context.Context, _ *struct{}) (*body[api.NodeList], error) {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	read, list := s.reader(ctx, v), api.NodeList{Nodes: []api.Node{}}
	used, vms := read.used(), read.present()
	for n := range v.Nodes() {
		list.Nodes = append(list.Nodes, read.nodeJSON(n, used, vms))
	}
	return answer(list), nil
}

func (s *server) getNode(ctx context.Context, in *NodePath) (*body[api.Node], error) {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	n, err := nodeNamed(v, in.Node)
	if err != nil {
		return nil, err
	}
	read := s.reader(ctx, v)
	return answer(read.nodeJSON(n, read.used(), read.present())), nil
}

func (s *server) wish(ctx context.Context, in *NodeCommand, want cluster.NodeWish) (*body[api.Accepted], error) {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	n, err := nodeNamed(v, in.Node)
	if err != nil {
		return nil, err
	}
	result, err := s.do(ctx, in.Key, cluster.SetNode{Node: n.ID, Want: want})
	return accepted(result), err
}

// ForcibleCommand is a command that is refused if it would break promises, unless it is forced.
type ForcibleCommand struct {
	NodeCommand
	Force bool `query:"force" doc:"Break promises that have no room on other nodes; their owners are told"`
}

func (s *server) cordonNode(ctx context.Context, in *ForcibleCommand) (*body[api.Accepted], error) {
	if in.Force {
		return s.wish(ctx, &in.NodeCommand, cluster.ForceCordon)
	}
	return s.wish(ctx, &in.NodeCommand, cluster.Cordon)
}

func (s *server) drainNode(ctx context.Context, in *ForcibleCommand) (*body[api.Accepted], error) {
	if in.Force {
		return s.wish(ctx, &in.NodeCommand, cluster.ForceDrain)
	}
	return s.wish(ctx, &in.NodeCommand, cluster.Drain)
}

func (s *server) planMaintenance(ctx context.Context, in *struct {
	NodeCommand
	Body api.NewMaintenance
}) (*body[api.Accepted], error) {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	n, err := nodeNamed(v, in.Node)
	if err != nil {
		return nil, err
	}
	lasts, err := duration("duration", in.Body.Duration)
	if err != nil {
		return nil, err
	}
	a := cluster.Maintain{Node: n.ID, Until: v.At + lasts, Reason: in.Body.Reason, Force: in.Body.Force}
	if in.Body.Start != "" {
		if a.From, err = momentOf("start", in.Body.Start); err != nil {
			return nil, err
		}
		a.Until = a.From + lasts
	}
	result, err := s.do(ctx, in.Key, a)
	return accepted(result), err
}

func (s *server) cancelMaintenance(ctx context.Context, in *struct {
	NodeCommand
	Start string `query:"start" maxLength:"40" doc:"When it begins, as listed; left out: the next one, or the one that has begun"`
}) (*body[api.Accepted], error) {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	n, err := nodeNamed(v, in.Node)
	if err != nil {
		return nil, err
	}
	a := cluster.Reopen{Node: n.ID}
	if in.Start != "" {
		if a.From, err = momentOf("start", in.Start); err != nil {
			return nil, err
		}
	}
	result, err := s.do(ctx, in.Key, a)
	return accepted(result), err
}

func maintenanceJSON(n *cluster.Node) []api.Maintenance {
	list := []api.Maintenance{}
	for _, w := range n.Maintenance {
		list = append(list, api.Maintenance{Start: clock(w.From), End: clock(w.Until), Reason: w.Reason, Begun: w.Begun})
	}
	return list
}

func (s *server) inviteNode(ctx context.Context, in *struct {
	NodeCommand
	Body api.NewInvitation
}) (*body[api.Invitation], error) {
	lifetime, err := duration("for", cmp.Or(in.Body.For, "1h"))
	if err != nil {
		return nil, err
	}
	if cluster.CheckNodeName(in.Node) != nil {
		return nil, newProblem(string(cluster.CodeInvalid), "node",
			"is not a node name: use 1 to %d lower-case letters, digits, dots and hyphens", cluster.MaxNodeName)
	}
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	token, hash := s.invite()
	expires := v.At + lifetime
	result, err := s.do(ctx, in.Key, cluster.Invite{Node: in.Node, Hash: hash, Expires: expires})
	if err != nil {
		return nil, err
	}
	if result.Repeated {
		return nil, newProblem(string(cluster.CodeConflict), "Idempotency-Key",
			"an earlier request with this key invited the node and nobody can show its token again; invite it anew")
	}
	return answer(api.Invitation{Node: in.Node, Token: token, Expires: clock(expires)}), nil
}

func (s *server) listInvitations(ctx context.Context, _ *struct{}) (*body[api.InvitationList], error) {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	list := api.InvitationList{Invitations: []api.OpenInvitation{}}
	for n := range v.Invited(v.At) {
		list.Invitations = append(list.Invitations, api.OpenInvitation{Node: n.Name, Expires: clock(n.Invitation.Expires)})
	}
	return answer(list), nil
}

func (s *server) removeNode(ctx context.Context, in *struct {
	NodeCommand
	Force bool `query:"force" doc:"Bar the certificates even of a node that has tasks. It stays listed until they are elsewhere, which takes until it is down; then remove it again."`
}) (*body[api.Accepted], error) {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	n := v.NodeNamed(in.Node)
	if n == nil {
		_, err := nodeNamed(v, in.Node)
		return nil, err
	}
	result, err := s.do(ctx, in.Key, cluster.RemoveNode{Node: n.ID, Force: in.Force})
	return accepted(result), err
}

func (s *server) listStrays(ctx context.Context, _ *struct{}) (*body[api.StrayList], error) {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	list := api.StrayList{Strays: []api.Stray{}}
	for n := range v.Nodes() {
		for _, run := range n.Strays {
			list.Strays = append(list.Strays, api.Stray{Node: n.Name, Run: run.String()})
		}
	}
	return answer(list), nil
}

func (s *server) settleStray(ctx context.Context, in *struct {
	NodeCommand
	Body api.Settlement
}) (*body[api.Accepted], error) {
	run, err := cluster.ParseRunID(in.Body.Run)
	if err != nil {
		return nil, newProblem(string(cluster.CodeInvalid), "run", "is not a run id; expected one like j17/0/1")
	}
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	n, err := nodeNamed(v, in.Node)
	if err != nil {
		return nil, err
	}
	result, err := s.do(ctx, in.Key, cluster.SettleStray{Node: n.ID, Run: run, Destroy: in.Body.Action == "destroy"})
	return accepted(result), err
}

func (r reader) nodeJSON(n *cluster.Node, used map[cluster.NodeID]tierUse, vms map[cluster.NodeID]int) api.Node {
	c := n.Capacity()
	out := api.Node{
		Name: n.Name, State: nodeState(r.view, n), Health: n.Health.String(), Since: clock(n.Since), Cordoned: n.Cordoned,
		Draining:      n.Draining,
		CPUMillicores: int64(c.CPU), NeedMillicores: int64(n.Load.Need), ShareMillicores: int64(n.Shared().Granted()),
		GuaranteedMillicores: int64(n.Load.Guaranteed), BestEffortMillicores: int64(n.Shared().BestEffort),
		Slots: n.Description.Slots(), Bridged: n.Description.Bridged, LimitsBandwidth: n.Description.Limits,
		Disks: !n.Description.Diskless, Immobile: n.Description.Immobile,
		Speed: float64(n.Description.Speed.Known()) / 1000, Class: n.Description.Class,
		SpeedSource: n.Description.SpeedSource().String(), MeasuredSpeed: float64(n.Description.Measured) / 1000,
		MemoryBytes: int64(c.Memory), MemoryReservedBytes: int64(reserved(n)), Tasks: max(n.Load.Tasks, vms[n.ID]),
		ForeignMillicores: int64(n.Foreign.CPU), ForeignMemoryBytes: int64(n.Foreign.Memory),
		OverheadBytes: int64(n.Description.Overhead),
		Program:       n.Description.Program,
		Hypervisor:    n.Description.Hypervisor, Platforms: append([]string{}, n.Description.Platforms...),
		Labels:     map[string]string{},
		FenceAlive: n.FenceAlive, StoreProven: n.StoreProven, HypervisorAnswers: !n.HypervisorSilent,
		StrayMemoryBytes: int64(n.Astray), Strays: []string{}, Maintenance: maintenanceJSON(n),
	}
	if n.Unlinked != 0 {
		out.LastSeen = new(clock(n.Unlinked))
	}
	for _, p := range n.Description.Labels {
		out.Labels[p.Key] = p.Value
	}
	for _, run := range n.Strays {
		out.Strays = append(out.Strays, run.String())
	}
	if u, ok := used[n.ID]; ok {
		out.UsedMillicores, out.UsedBackgroundMillicores = &u.all, &u.background
	}
	if h, ok := r.host(n.ID); ok && n.Health == cluster.Ready {
		out.Host = hostJSON(h)
	}
	return out
}

func hostJSON(h Host) *api.Host {
	return &api.Host{CPUMillicores: int64(h.CPUs), UsedMillicores: int64(h.CPU), MemoryBytes: int64(h.Memory),
		UsedBytes: int64(h.MemoryUsed), DiskBytes: int64(h.Disk), DiskUsedBytes: int64(h.DiskUsed)}
}

// tierUse is measured use of CPU, in millicores: of all tasks, and of those in the background.
type tierUse struct{ all, background int64 }

// used returns the measured usage of the tasks on each node. A node without a sample is absent.
func (r reader) used() map[cluster.NodeID]tierUse {
	used := map[cluster.NodeID]tierUse{}
	for j := range r.view.Jobs() {
		for i := range j.Tasks {
			t := &j.Tasks[i]
			if u, ok := r.usage(cluster.RunID{Job: j.ID, Index: i, Number: t.Run}); ok && t.Present() {
				sum := used[t.Node]
				sum.all += int64(u.CPU)
				if t.Tier == cluster.Background {
					sum.background += int64(u.CPU)
				}
				used[t.Node] = sum
			}
		}
	}
	return used
}

// present returns the number of VMs on each node. It can exceed the tasks placed there until the others have left.
func (r reader) present() map[cluster.NodeID]int {
	vms := map[cluster.NodeID]int{}
	for j := range r.view.Jobs() {
		for i := range j.Tasks {
			if t := &j.Tasks[i]; t.Present() {
				vms[t.Node]++
			}
		}
	}
	return vms
}

// reserved returns the memory, in bytes, of the tasks placed on the node, or of the VMs that are there or on their way
// if that is more.
func reserved(n *cluster.Node) cluster.Bytes { return max(n.Load.Memory, n.Occupied) }

// nodeState returns the state of a node in one word.
func nodeState(v *cluster.Snapshot, n *cluster.Node) string {
	switch {
	case n.Health != cluster.Ready:
		return n.Health.String()
	case n.Unlinked != 0:
		return "unreachable"
	case n.Draining && occupied(v, n.ID):
		return "draining"
	case n.Draining:
		return "drained"
	case n.Cordoned:
		return "cordoned"
	case n.HypervisorSilent:
		return "stalled"
	case n.Awaited != 0:
		return "returning"
	}
	return "ready"
}

// occupied reports whether a VM of the cluster is on the node or moves to or from it.
func occupied(v *cluster.Snapshot, id cluster.NodeID) bool {
	for m := range v.Moves() {
		if m.To == id || m.From == id {
			return true
		}
	}
	for j := range v.Jobs() {
		for i := range j.Tasks {
			if j.Tasks[i].Present() && j.Tasks[i].Node == id {
				return true
			}
		}
	}
	return false
}
