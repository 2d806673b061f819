package client

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"aliquot/web/api"
)

// Overview returns a summary of the cluster.
func (c *Client) Overview(ctx context.Context) (api.Overview, error) {
	return ask[api.Overview](ctx, c, call{method: http.MethodGet, path: "/v1/overview"})
}

// Map returns the nodes with the VMs on each, up to a thousand after the cursor; "" starts with the
// first.
func (c *Client) Map(ctx context.Context, cursor string) (api.ClusterMap, error) {
	what := call{method: http.MethodGet, path: "/v1/map"}
	if cursor != "" {
		what.query = url.Values{"cursor": {cursor}}
	}
	return ask[api.ClusterMap](ctx, c, what)
}

// Nodes returns all nodes in the order in which they joined.
func (c *Client) Nodes(ctx context.Context) ([]api.Node, error) {
	list, err := ask[api.NodeList](ctx, c, call{method: http.MethodGet, path: "/v1/nodes"})
	return list.Nodes, err
}

// Node returns the node of that name.
func (c *Client) Node(ctx context.Context, name string) (api.Node, error) {
	return ask[api.Node](ctx, c, call{method: http.MethodGet, path: nodePath(name)})
}

func nodePath(name string) string { return "/v1/nodes/" + url.PathEscape(name) }

// SetNode sets the wish for a node: cordon, uncordon, drain or confirm-down. A cordon or drain that would break
// promises is refused; see CordonNode and DrainNode.
func (c *Client) SetNode(ctx context.Context, name, wish string) (api.Accepted, error) {
	return order(ctx, c, call{method: http.MethodPost, path: nodePath(name) + "/" + wish})
}

// DrainNode drains a node. If it would break promises, it is refused unless force is set.
func (c *Client) DrainNode(ctx context.Context, name string, force bool) (api.Accepted, error) {
	return c.forcible(ctx, name, "drain", force)
}

// CordonNode cordons a node. If it would break promises, it is refused unless force is set.
func (c *Client) CordonNode(ctx context.Context, name string, force bool) (api.Accepted, error) {
	return c.forcible(ctx, name, "cordon", force)
}

func (c *Client) forcible(ctx context.Context, name, verb string, force bool) (api.Accepted, error) {
	wish := call{method: http.MethodPost, path: nodePath(name) + "/" + verb}
	if force {
		wish.query = url.Values{"force": {"true"}}
	}
	return order(ctx, c, wish)
}

// PlanMaintenance plans maintenance of a node.
func (c *Client) PlanMaintenance(ctx context.Context, name string, m api.NewMaintenance) (api.Accepted, error) {
	return order(ctx, c, call{method: http.MethodPost, path: nodePath(name) + "/maintenance", body: m})
}

// CancelMaintenance cancels the maintenance of a node that begins at start; "": the next one, or one that has begun.
func (c *Client) CancelMaintenance(ctx context.Context, name, start string) (api.Accepted, error) {
	at := call{method: http.MethodDelete, path: nodePath(name) + "/maintenance"}
	if start != "" {
		at.query = url.Values{"start": {start}}
	}
	return order(ctx, c, at)
}

// drainPoll is the interval at which AwaitDrained looks at the node.
const drainPoll = 500 * time.Millisecond

// AwaitDrained waits until no VM of the cluster is on a draining node. It calls seen with the node now and then. It
// goes on after an outage, and fails if the drain ends before the node is empty.
func (c *Client) AwaitDrained(ctx context.Context, name string, seen func(*api.Node)) error {
	for {
		var n api.Node
		err := c.persist(ctx, func() (err error) {
			n, err = c.Node(ctx, name)
			return err
		})
		switch {
		case err != nil:
			return err
		case n.State == "drained":
			return nil
		case !n.Draining:
			return fmt.Errorf("%s drains no more", name)
		case n.State == "down":
			return fmt.Errorf("%s is down; its tasks start elsewhere", name)
		}
		seen(&n)
		if err := sleep(ctx, drainPoll); err != nil {
			return err
		}
	}
}

// InviteNode makes a join token for the node, for the given time; "" is the default.
func (c *Client) InviteNode(ctx context.Context, name, lifetime string) (api.Invitation, error) {
	return ask[api.Invitation](ctx, c, call{method: http.MethodPost, path: nodePath(name) + "/invitation",
		body: api.NewInvitation{For: lifetime}})
}

// Invitations returns the invitations that are open.
func (c *Client) Invitations(ctx context.Context) ([]api.OpenInvitation, error) {
	list, err := ask[api.InvitationList](ctx, c, call{method: http.MethodGet, path: "/v1/invitations"})
	return list.Invitations, err
}

// RemoveNode removes the node. With force it bars the certificates of a node that still has tasks.
func (c *Client) RemoveNode(ctx context.Context, name string, force bool) (api.Accepted, error) {
	return order(ctx, c, call{method: http.MethodDelete, path: nodePath(name),
		query: url.Values{"force": {strconv.FormatBool(force)}}})
}

// Strays returns the VMs that are not expected where they were found.
func (c *Client) Strays(ctx context.Context) ([]api.Stray, error) {
	list, err := ask[api.StrayList](ctx, c, call{method: http.MethodGet, path: "/v1/strays"})
	return list.Strays, err
}

// SettleStray adopts or destroys a stray of the node.
func (c *Client) SettleStray(ctx context.Context, node, run, action string) (api.Accepted, error) {
	return order(ctx, c, call{method: http.MethodPost, path: nodePath(node) + "/strays",
		body: api.Settlement{Run: run, Action: action}})
}

// Plan returns the plan for a hypothesis. Nothing is changed.
func (c *Client) Plan(ctx context.Context, h api.Hypothesis) (api.Plan, error) {
	return ask[api.Plan](ctx, c, call{method: http.MethodPost, path: "/v1/plan", body: h})
}

// ApplyPlan carries out the plan announced for that basis, or fails with the code stale_basis.
func (c *Client) ApplyPlan(ctx context.Context, o api.PlanOrder) (api.Accepted, error) {
	return order(ctx, c, call{method: http.MethodPost, path: "/v1/plan/apply", body: o})
}

// Managers returns all managers of the cluster by replica, as the manager that answers knows them.
func (c *Client) Managers(ctx context.Context) ([]api.Manager, error) {
	list, err := ask[api.ManagerList](ctx, c, call{method: http.MethodGet, path: "/v1/managers"})
	return list.Managers, err
}

// Policies returns all policies by name.
func (c *Client) Policies(ctx context.Context) ([]api.PolicyLine, error) {
	list, err := ask[api.PolicyList](ctx, c, call{method: http.MethodGet, path: "/v1/policies"})
	return list.Policies, err
}

// Policy returns the policy in force.
func (c *Client) Policy(ctx context.Context) (api.Policy, error) {
	return ask[api.Policy](ctx, c, call{method: http.MethodGet, path: "/v1/policy"})
}

// SetPolicy sets the policy. An empty period leaves the present one.
func (c *Client) SetPolicy(ctx context.Context, p api.Policy) (api.Accepted, error) {
	return order(ctx, c, call{method: http.MethodPut, path: "/v1/policy", body: p})
}

// SetTime sets the cluster's clock.
func (c *Client) SetTime(ctx context.Context, to time.Time) (api.Accepted, error) {
	return order(ctx, c, call{method: http.MethodPut, path: "/v1/time", body: api.NewTime{Time: to}})
}

// Quotas returns the uses and quotas that the token may see.
func (c *Client) Quotas(ctx context.Context) ([]api.Quota, error) {
	list, err := ask[api.QuotaList](ctx, c, call{method: http.MethodGet, path: "/v1/quotas"})
	return list.Quotas, err
}

// SetQuota replaces the quota of a project or of an owner; without limits it is removed.
func (c *Client) SetQuota(ctx context.Context, q api.NewQuota) (api.Accepted, error) {
	return order(ctx, c, call{method: http.MethodPut, path: "/v1/quotas", body: q})
}

// Network returns the network of VMs.
func (c *Client) Network(ctx context.Context) (api.Network, error) {
	return ask[api.Network](ctx, c, call{method: http.MethodGet, path: "/v1/network"})
}

// SetNetwork sets the network of VMs.
func (c *Client) SetNetwork(ctx context.Context, n api.NewNetwork) (api.Accepted, error) {
	return order(ctx, c, call{method: http.MethodPut, path: "/v1/network", body: n})
}

// Theta returns the limit of the price of every promise.
func (c *Client) Theta(ctx context.Context) (api.Theta, error) {
	return ask[api.Theta](ctx, c, call{method: http.MethodGet, path: "/v1/theta"})
}

// SetTheta sets the limit of the price of every promise.
func (c *Client) SetTheta(ctx context.Context, theta float64) (api.Accepted, error) {
	return order(ctx, c, call{method: http.MethodPut, path: "/v1/theta", body: api.NewTheta{Theta: theta}})
}

// Reservations returns what is promised to jobs, and when, and what the policy booked for waiting ones.
func (c *Client) Reservations(ctx context.Context) (api.ReservationList, error) {
	return ask[api.ReservationList](ctx, c, call{method: http.MethodGet, path: "/v1/reservations"})
}

// Tokens returns all tokens without their secrets.
func (c *Client) Tokens(ctx context.Context) ([]api.Token, error) {
	list, err := ask[api.TokenList](ctx, c, call{method: http.MethodGet, path: "/v1/tokens"})
	return list.Tokens, err
}

// CreateToken creates a token and returns it with its secret.
func (c *Client) CreateToken(ctx context.Context, t api.NewToken) (api.CreatedToken, error) {
	return ask[api.CreatedToken](ctx, c, call{method: http.MethodPost, path: "/v1/tokens", body: t})
}

// RevokeToken revokes the token of that id.
func (c *Client) RevokeToken(ctx context.Context, id string) (api.Accepted, error) {
	return order(ctx, c, call{method: http.MethodDelete, path: "/v1/tokens/" + url.PathEscape(id)})
}

// CreateLoginCode creates a code that logs one browser in with at most the given role; "" is the
// token's own role.
func (c *Client) CreateLoginCode(ctx context.Context, role string) (api.LoginCode, error) {
	return ask[api.LoginCode](ctx, c, call{method: http.MethodPost, path: "/v1/login-codes",
		body: api.NewLoginCode{Role: role}})
}

// Version returns the version of the manager that answers.
func (c *Client) Version(ctx context.Context) (api.Version, error) {
	return ask[api.Version](ctx, c, call{method: http.MethodGet, path: "/v1/version"})
}

// WhoAmI returns the token in use.
func (c *Client) WhoAmI(ctx context.Context) (api.Token, error) {
	return ask[api.Token](ctx, c, call{method: http.MethodGet, path: "/v1/whoami"})
}

// History returns past events that match, newest first, at most limit.
func (c *Client) History(ctx context.Context, f EventFilter, limit int) ([]api.Event, error) {
	var events []api.Event
	query := f.query()
	for {
		query.Set("limit", strconv.Itoa(min(limit-len(events), 1000)))
		page, err := ask[api.EventPage](ctx, c, call{method: http.MethodGet, path: "/v1/history", query: query})
		if err != nil {
			return nil, err
		}
		events = append(events, page.Events...)
		if page.Next == "" || len(events) >= limit {
			return events, nil
		}
		query.Set("cursor", page.Next)
	}
}

func (f EventFilter) query() url.Values {
	q := url.Values{}
	for name, value := range map[string]string{"job": f.Job, "node": f.Node, "kind": strings.Join(f.Kinds, ",")} {
		if value != "" {
			q.Set(name, value)
		}
	}
	return q
}
