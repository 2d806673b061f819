package webtest

import (
	"context"

	"aliquot/cluster"
	"aliquot/manager/past"
	"aliquot/web"
)

// series holds the samples taken by Sample.
type series struct {
	cluster *past.Series
	nodes   *past.Collection[cluster.NodeID]
	runs    *past.Collection[cluster.RunID]
}

const day, values = 24 * 60, 1_000_000

func newSeries() series {
	return series{
		past.NewSeries(int(web.ClusterColumns), int(web.YieldLeast)),
		past.NewCollection[cluster.NodeID](int(web.NodeColumns), day, values),
		past.NewCollection[cluster.RunID](web.UsageColumns, day, values),
	}
}

// Sample adds the present state of the cluster and the usage set by SetUsage to the series.
func (c *Cluster) Sample() {
	v := c.Latest()
	c.mu.Lock()
	defer c.mu.Unlock()
	row := web.ClusterRow(v)
	c.series.cluster.Put(v.At, day, row[:]...)
	for n := range v.Nodes() {
		of := web.NodeRow(n)
		c.series.nodes.Put(n.ID, v.At, of[:]...)
	}
	for run, u := range c.usage {
		c.series.runs.Put(run, v.At, float64(u.CPU), float64(u.Memory))
	}
}

// Series returns the sampled series of the cluster.
func (c *Cluster) Series(from, to cluster.Time, rows int) past.Table {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.series.cluster.Between(from, to, rows)
}

// NodeSeries returns the sampled series of the node.
func (c *Cluster) NodeSeries(node cluster.NodeID, from, to cluster.Time, rows int) past.Table {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.series.nodes.Get(node).Between(from, to, rows)
}

// UsageOver returns the sampled usage of the run.
func (c *Cluster) UsageOver(_ context.Context, run cluster.RunID, from, to cluster.Time, rows int) past.Table {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.series.runs.Get(run).Between(from, to, rows)
}

// Book adds what a holder had at the time.
func (c *Cluster) Book(at cluster.Time, who past.Holder, had past.Amounts) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ledger.Add(at, 1, who, had)
	c.total.Add(who.Owner, had)
}

// Accounts returns what was booked.
func (c *Cluster) Accounts(from, to cluster.Time) past.Accounts {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ledger.Accounts(from, to)
}

// Totals returns what was booked for each owner.
func (c *Cluster) Totals() past.Total {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.total.Clone()
}

// Tally counts all events.
func (c *Cluster) Tally() map[past.Counted]uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	tally := past.NewTally()
	for _, e := range c.events {
		tally.Add(&e)
	}
	return tally.Counts()
}

// Spans returns the spans of all kept events.
func (c *Cluster) Spans(q past.Query) (past.Page, error) { return c.spans().Find(q) }

// Waits returns since when jobs have waited.
func (c *Cluster) Waits() map[cluster.JobID]cluster.Time { return c.spans().Waits() }

// Starts returns since when runs have been starting, by all kept events.
func (c *Cluster) Starts() map[cluster.TaskID]cluster.Time { return c.spans().Starts() }

// Losses returns the lost runs since a time.
func (c *Cluster) Losses(since cluster.Time) []past.Loss { return c.spans().Losses(since) }

func (c *Cluster) spans() *past.Spans {
	c.mu.Lock()
	defer c.mu.Unlock()
	spans := past.NewSpans(day)
	for i := range c.events {
		spans.Add(&c.events[i])
	}
	return spans
}
