package client

import (
	"context"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"aliquot/web/api"
)

// AuditFilter selects entries of the audit log; zero fields do not restrict.
type AuditFilter struct {
	Who        string   // name of the actor, or id of the token
	Operations []string // operations or patterns
	Outcome    string   // accepted, refused or failed
	From, To   time.Time
}

func (f AuditFilter) query() url.Values {
	q := url.Values{}
	put := func(name, value string) {
		if value != "" {
			q.Set(name, value)
		}
	}
	put("who", f.Who)
	put("operation", strings.Join(f.Operations, ","))
	put("outcome", f.Outcome)
	if !f.From.IsZero() {
		put("from", f.From.UTC().Format(time.RFC3339Nano))
	}
	if !f.To.IsZero() {
		put("to", f.To.UTC().Format(time.RFC3339Nano))
	}
	return q
}

// maxAuditPage is the most entries that REST returns at once.
const maxAuditPage = 1000

// Audit returns the newest matching entries of the managers' audit logs, newest first, at most limit, and the managers
// that did not answer.
func (c *Client) Audit(ctx context.Context, f AuditFilter, limit int) ([]api.AuditEntry, []api.SilentManager, error) {
	var entries []api.AuditEntry
	silent := map[uint64]api.SilentManager{}
	for query := f.query(); ; {
		query.Set("limit", strconv.Itoa(min(limit-len(entries), maxAuditPage)))
		page, err := ask[api.AuditPage](ctx, c, call{method: http.MethodGet, path: "/v1/audit", query: query})
		if err != nil {
			return nil, nil, err
		}
		entries = append(entries, page.Entries...)
		for _, m := range page.Silent {
			silent[m.Replica] = m
		}
		if page.Next == "" || len(entries) >= limit {
			return entries, byReplica(silent), nil
		}
		query.Set("cursor", page.Next)
	}
}

func byReplica(silent map[uint64]api.SilentManager) (list []api.SilentManager) {
	for _, replica := range slices.Sorted(maps.Keys(silent)) {
		list = append(list, silent[replica])
	}
	return list
}

// Limits of following.
const (
	auditOverlap = 3 * time.Minute // time until repetitions are counted, and difference between the managers' clocks
	maxFollowed  = 10_000          // entries between two questions, the newest; older ones are skipped
)

// FollowAudit yields matching entries from now on, oldest first, until ctx ends or a request fails. It asks at the
// interval. An entry comes again, with the same id, when its repetitions have been counted.
func (c *Client) FollowAudit(ctx context.Context, f AuditFilter, interval time.Duration) iter.Seq2[api.AuditEntry,
	error] {
	return func(yield func(api.AuditEntry, error) bool) {
		seen := map[string]api.AuditEntry{} // by id
		for old := true; ; old = false {
			var next time.Time
			var entries []api.AuditEntry
			err := c.persist(ctx, func() (err error) {
				if next, err = c.recentAudit(ctx); err != nil {
					return err
				}
				if old {
					f.From = next
				}
				entries, _, err = c.Audit(ctx, f, maxFollowed)
				return err
			})
			if err != nil {
				if ctx.Err() == nil {
					yield(api.AuditEntry{}, err)
				}
				return
			}
			for _, e := range slices.Backward(entries) {
				known := seen[e.ID].Count >= e.Count
				if seen[e.ID] = e; !known && !old && !yield(e, nil) {
					return
				}
			}
			f.From = next
			maps.DeleteFunc(seen, func(_ string, e api.AuditEntry) bool { return lastOf(&e).Before(f.From) })
			if sleep(ctx, interval) != nil {
				return
			}
		}
	}
}

// lastOf returns the time of the entry's last request.
func lastOf(e *api.AuditEntry) time.Time {
	if e.Until != nil {
		return *e.Until
	}
	return e.At
}

// recentAudit returns the time from which the next question must look at entries. It advances although no entry matches
// a filter, so that the managers need not search their whole logs each time.
func (c *Client) recentAudit(ctx context.Context) (time.Time, error) {
	newest, _, err := c.Audit(ctx, AuditFilter{}, 1)
	if err != nil || len(newest) == 0 {
		return time.Time{}, err
	}
	return newest[0].At.Add(-auditOverlap), nil
}

// Sessions returns the sessions in use of one token, or of all that the caller may see if token is "", and the managers
// that did not answer.
func (c *Client) Sessions(ctx context.Context, token string) (api.SessionList, error) {
	what := call{method: http.MethodGet, path: "/v1/sessions"}
	if token != "" {
		what.query = url.Values{"token": {token}}
	}
	return ask[api.SessionList](ctx, c, what)
}

// Session returns the actor and the role of the token.
func (c *Client) Session(ctx context.Context) (api.Session, error) {
	return ask[api.Session](ctx, c, call{method: http.MethodGet, path: "/v1/session"})
}

// EndSession ends the session of that id.
func (c *Client) EndSession(ctx context.Context, id string) (api.Accepted, error) {
	return order(ctx, c, call{method: http.MethodDelete, path: "/v1/sessions/" + url.PathEscape(id)})
}

// EndSessions ends all sessions and login codes of the token of that id.
func (c *Client) EndSessions(ctx context.Context, token string) (api.Accepted, error) {
	return order(ctx, c, call{method: http.MethodDelete, path: "/v1/tokens/" + url.PathEscape(token) + "/sessions"})
}
