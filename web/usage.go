package web

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"aliquot/cluster"
	"aliquot/manager/past"
	"aliquot/web/api"
)

// Limits of a report of usage.
const (
	usualUsage = 7 * 24 * cluster.Hour
	longHourly = 31 * 24 * cluster.Hour
	oneDay     = 24 * cluster.Hour
	mostUsage  = 10_000 // rows
)

func (s *server) registerUsage(to huma.API) {
	register(s, to, measured(operation("get-usage", "GET", "/v1/usage", cluster.Viewer, "Usage by owner or project",
		"CPU granted and used, and the time that jobs waited, per hour or day or in sum. Managers keep hours for 400 days and copy them from each other; times without a leader are missing. Operators see all, others what their own jobs had and those of their project.")),
		s.getUsage)
}

// UsageQuery selects a report of usage.
type UsageQuery struct {
	From time.Time `query:"from" doc:"Left out: a week before to"`
	To   time.Time `query:"to" doc:"Left out: now"`
	By   string    `query:"by" enum:"owner,project" default:"owner" doc:"Whose usage each row is"`
	Step string    `query:"step" enum:"hour,day,all" default:"all" doc:"Time of each row; hours for at most 31 days"`
}

// times returns the period, in whole hours or days.
func (q *UsageQuery) times(now cluster.Time) (from, to cluster.Time, err error) {
	if from, to, err = between(q.From, q.To, now); err != nil {
		return 0, 0, err
	}
	if from == 0 {
		from = to - usualUsage
	}
	unit := cluster.Hour
	if q.Step == "day" {
		unit = oneDay
	}
	if to-from > past.LedgerKept || q.Step == "hour" && to-from > longHourly {
		return 0, 0, newProblem(string(cluster.CodeInvalid), "from",
			"must not be more than 400 days before to, or 31 days for hours")
	}
	return from - from%unit, to, nil
}

// row returns the row to which an hour of a holder belongs.
func (q *UsageQuery) row(hour, from cluster.Time, who past.Holder) api.UsageRow {
	start := map[string]cluster.Time{"hour": hour, "day": hour - hour%oneDay, "all": from}[q.Step]
	if q.By == "project" {
		return api.UsageRow{Start: clock(start), Project: who.Project}
	}
	return api.UsageRow{Start: clock(start), Owner: who.Owner}
}

func (s *server) getUsage(ctx context.Context, q *UsageQuery) (*body[api.UsageReport], error) {
	from, to, err := q.times(s.manager.Latest().At)
	if err != nil {
		return nil, err
	}
	sums := q.sums(s.manager.Accounts(from, to), from, actor(ctx))
	if len(sums) > mostUsage {
		return nil, newProblem(string(cluster.CodeInvalid), "step",
			"makes more than %d rows; ask for a larger step or a shorter time", mostUsage)
	}
	return answer(api.UsageReport{From: clock(from), To: clock(to), Rows: usageRows(sums)}), nil
}

// sums returns what the rows had that the actor may see. It stops beyond the most rows.
func (q *UsageQuery) sums(accounts past.Accounts, from cluster.Time, a cluster.Actor) map[api.UsageRow]past.Amounts {
	sums := map[api.UsageRow]past.Amounts{}
	for _, hour := range accounts {
		for who, had := range hour.Of {
			if a.Role >= cluster.Operator || who.Owner == a.Owner || who.Project == a.Project {
				row := q.row(hour.Start, from, who)
				sums[row] = sums[row].Plus(had, 1)
			}
		}
		if len(sums) > mostUsage {
			break
		}
	}
	return sums
}

// usageRows returns the rows with their sums in hours, by time, then the largest first.
func usageRows(sums map[api.UsageRow]past.Amounts) []api.UsageRow {
	rows := make([]api.UsageRow, 0, len(sums))
	for row, had := range sums {
		row.GrantedCoreHours, row.UsedCoreHours, row.WaitedJobHours = had.Granted/3600, had.Used/3600, had.Waited/3600
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b api.UsageRow) int {
		return cmp.Or(a.Start.Compare(b.Start), cmp.Compare(b.GrantedCoreHours, a.GrantedCoreHours),
			cmp.Compare(a.Owner+a.Project, b.Owner+b.Project))
	})
	return rows
}
