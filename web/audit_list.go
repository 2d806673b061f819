package web

import (
	"context"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"aliquot/cluster"
	"aliquot/web/api"
)

func (s *server) registerAudit(to huma.API) {
	register(s, to, operation("list-audit", "GET", "/v1/audit", cluster.Admin, "The audit log",
		"The audit logs of all managers, newest first: logins, requests that change something, reads of output and of the debug "+
			"view, and everything that was refused with 401 or 403. The answering manager asks the others."), s.listAudit)
}

// AuditFilter selects entries of the audit log. Empty fields do not restrict.
type AuditFilter struct {
	Who       string    `query:"who" maxLength:"128" doc:"Name of the actor, or id of the token" example:"alice"`
	Operation []string  `query:"operation" maxItems:"64" doc:"Operations, or patterns with *" example:"*-token"`
	Outcome   string    `query:"outcome" enum:"accepted,refused,failed"`
	From      time.Time `query:"from" doc:"Only entries since then"`
	To        time.Time `query:"to" doc:"Only entries until then"`
	Limit     int       `query:"limit" minimum:"1" maximum:"1000" default:"100"`
}

func (f *AuditFilter) matches(e *AuditEntry) bool {
	return (f.Who == "" || e.Actor == f.Who || e.Token == f.Who) && (f.Outcome == "" || e.Outcome() == f.Outcome) &&
		(len(f.Operation) == 0 || slices.ContainsFunc(f.Operation, func(pattern string) bool {
			ok, _ := path.Match(pattern, e.Operation) // listAudit has checked the patterns
			return ok
		}))
}

// query returns the filter as another manager gets it.
func (f *AuditFilter) query() url.Values {
	q := url.Values{"limit": {strconv.Itoa(f.Limit)}}
	for name, value := range map[string]string{"who": f.Who, "operation": strings.Join(f.Operation, ","),
		"outcome": f.Outcome} {
		if value != "" {
			q.Set(name, value)
		}
	}
	for name, t := range map[string]time.Time{"from": f.From, "to": f.To} {
		if !t.IsZero() {
			q.Set(name, t.UTC().Format(time.RFC3339Nano))
		}
	}
	return q
}

func (s *server) listAudit(ctx context.Context, in *struct {
	AuditFilter
	Cursor string `query:"cursor" maxLength:"512" doc:"Next of the page before" example:"1.523-2.88"`
}) (*body[api.AuditPage], error) {
	before, err := parsePositions(in.Cursor)
	if err != nil {
		return nil, err
	}
	for _, pattern := range in.Operation {
		if _, err := path.Match(pattern, ""); err != nil {
			return nil, newProblem(string(cluster.CodeInvalid), "operation", "is not a valid pattern: close its brackets")
		}
	}
	if s.audit == nil {
		return nil, newProblem(string(cluster.CodeNotFound), "manager", "this manager keeps no audit log")
	}
	own := s.manager.Health().Replica
	mine, err := s.trail(ctx, own, before[own], &in.AuditFilter)
	if err != nil {
		return nil, err
	}
	trails := []trail{mine}
	answers, silent := askOthers[api.AuditPage](ctx, s, "/v1/audit", func(replica uint64) url.Values {
		query := in.query()
		query.Set("cursor", positions{replica: before[replica]}.String())
		return query
	})
	for replica, page := range answers {
		if !ownEntries(replica, page.Entries) {
			silent = append(silent, api.SilentManager{Replica: replica,
				Problem: "another manager answers at its address; correct the managers' setting urls"})
			continue
		}
		trails = append(trails, trail{replica, before[replica], page.Entries, page.Next != ""})
	}
	for _, m := range silent {
		trails = append(trails, trail{m.Replica, before[m.Replica], nil, false})
	}
	sortSilent(silent)
	page := merged(trails, in.Limit)
	page.Silent = silent
	return answer(page), nil
}

// trail is a part of one manager's audit log, newest first.
type trail struct {
	replica uint64
	before  uint64 // number before which it begins; 0: it begins with the newest entry
	entries []api.AuditEntry
	more    bool // there are older entries
}

// trail reads this manager's own log.
func (s *server) trail(ctx context.Context, replica, before uint64, f *AuditFilter) (trail, error) {
	list, err := s.audit.Entries(ctx, AuditQuery{Before: before, From: f.From, To: f.To, Limit: f.Limit + 1,
		Match: f.matches})
	if err != nil {
		return trail{}, err
	}
	t := trail{replica: replica, before: before, more: len(list) > f.Limit}
	for i := range list[:min(len(list), f.Limit)] {
		t.entries = append(t.entries, auditJSON(replica, &list[i]))
	}
	return t, nil
}

func auditJSON(replica uint64, e *AuditEntry) api.AuditEntry {
	out := api.AuditEntry{
		ID: positions{replica: e.Number}.String(), At: e.At, Count: max(1, e.Count), Actor: e.Actor, Token: e.Token,
		Role: e.Role, Session: e.Session, From: e.From, Operation: e.Operation, Object: e.Object, Outcome: e.Outcome(),
		Status: e.Status, Code: e.Code,
	}
	if !e.Since.IsZero() {
		out.At, out.Until = e.Since, &e.At
	}
	return out
}

// ownEntries reports whether all entries are from the log of that manager.
func ownEntries(replica uint64, list []api.AuditEntry) bool {
	prefix := strconv.FormatUint(replica, 10) + "."
	return !slices.ContainsFunc(list, func(e api.AuditEntry) bool { return !strings.HasPrefix(e.ID, prefix) })
}

// merged returns the newest entries of all trails, and the cursor behind them. Each trail keeps its order.
func merged(trails []trail, limit int) api.AuditPage {
	slices.SortFunc(trails, func(a, b trail) int { return int(int64(a.replica) - int64(b.replica)) })
	page, next, more := api.AuditPage{Entries: []api.AuditEntry{}}, positions{}, false
	for len(page.Entries) < limit {
		newest := -1
		for i := range trails {
			if t := trails[i].entries; len(t) > 0 && (newest < 0 || t[0].At.After(trails[newest].entries[0].At)) {
				newest = i
			}
		}
		if newest < 0 {
			break
		}
		t := &trails[newest]
		e := t.entries[0]
		page.Entries, t.entries = append(page.Entries, e), t.entries[1:]
		_, number, _ := strings.Cut(e.ID, ".")
		t.before, _ = strconv.ParseUint(number, 10, 64) // it comes from a manager
	}
	for _, t := range trails {
		next[t.replica] = t.before
		if len(t.entries) == 0 && !t.more {
			next[t.replica] = exhausted
		}
		more = more || next[t.replica] != exhausted
	}
	if more {
		page.Next = next.String()
	}
	return page
}

// exhausted is the position before which a log has no entry.
const exhausted = 1

// positions are the numbers of entries, by replica.
type positions map[uint64]uint64

// String returns the positions as a cursor: replica.number, joined by dashes.
func (p positions) String() string {
	var parts []string
	for replica, number := range p {
		parts = append(parts, fmt.Sprintf("%d.%d", replica, number))
	}
	slices.Sort(parts)
	return strings.Join(parts, "-")
}

// parsePositions is the inverse of String.
func parsePositions(cursor string) (positions, error) {
	p := positions{}
	if cursor == "" {
		return p, nil
	}
	for part := range strings.SplitSeq(cursor, "-") {
		replica, number, _ := strings.Cut(part, ".")
		r, err1 := strconv.ParseUint(replica, 10, 64)
		n, err2 := strconv.ParseUint(number, 10, 64)
		if err1 != nil || err2 != nil {
			return nil, newProblem(string(cluster.CodeInvalid), "cursor",
				"is not a cursor of the audit log: send the next of the page before")
		}
		p[r] = n
	}
	return p, nil
}
