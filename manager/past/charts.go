package past

import (
	"maps"
	"slices"

	"aliquot/cluster"
)

// Charts are the series of the cluster, of its nodes and of its runs, and the minutes that are recorded: those in which
// a leader sampled.
type Charts struct {
	Cluster *Series
	Nodes   *Collection[cluster.NodeID]
	Runs    *Collection[cluster.RunID]

	longest  int             // minutes kept of the cluster's series
	recorded map[minute]bool // none older than longest
	led      map[minute]bool // minutes in which this manager sampled as the leader, whose records are not saved
}

// NewCharts returns empty charts. The cluster's series keeps at most longest minutes.
func NewCharts(of *Series, longest int, nodes *Collection[cluster.NodeID],
	runs *Collection[cluster.RunID]) *Charts {
	return &Charts{Cluster: of, Nodes: nodes, Runs: runs, longest: longest,
		recorded: map[minute]bool{}, led: map[minute]bool{}}
}

// mostFinished bounds the records that Finish returns, which are many after the disk was full for long.
const mostFinished = 120

// Led notes that this manager sampled the minute as the leader.
func (c *Charts) Led(at cluster.Time) { c.led[minuteOf(at)] = true }

// Finish returns the records of the oldest minutes before now that this manager sampled as the leader, each once, by
// time.
func (c *Charts) Finish(now cluster.Time) (list []Record) {
	for _, m := range slices.Sorted(maps.Keys(c.led)) {
		if m >= minuteOf(now) || len(list) == mostFinished {
			break
		}
		delete(c.led, m)
		c.recorded[m] = true
		list = append(list, c.record(m))
	}
	return list
}

// Retry makes Finish return the record again, because it could not be saved.
func (c *Charts) Retry(r *Record) { c.led[minuteOf(r.At)] = true }

func (c *Charts) record(m minute) Record {
	r := Record{At: cluster.Time(m) * cluster.Minute, Cluster: valuesOf(c.Cluster.row(m)),
		Nodes: map[cluster.NodeID][]Value{}, Runs: map[RunKey][]Value{}}
	for id, row := range c.Nodes.rows(m) {
		r.Nodes[id] = valuesOf(row)
	}
	for id, row := range c.Runs.rows(m) {
		r.Runs[RunKey(id)] = valuesOf(row)
	}
	return r
}

// Fill adds what a record knows. It reports whether the minute was not recorded before. A record of the future is
// damaged, or of a clock that was wrong; it is refused.
func (c *Charts) Fill(r *Record, now cluster.Time) (added bool) {
	m := minuteOf(r.At)
	if m >= minuteOf(now) || m < minuteOf(now)-minute(c.longest) {
		return false
	}
	if len(r.Cluster) > 0 {
		c.Cluster.Fill(r.At, c.longest, rowOf(r.Cluster, c.Cluster.columns))
	}
	for id, row := range r.Nodes {
		c.Nodes.Fill(id, r.At, rowOf(row, c.Nodes.columns))
	}
	for id, row := range r.Runs {
		c.Runs.Fill(cluster.RunID(id), r.At, rowOf(row, c.Runs.columns))
	}
	added = !c.recorded[m]
	c.recorded[m] = true
	return added
}

// Forget drops what is too old.
func (c *Charts) Forget(now cluster.Time) {
	c.Nodes.Forget(now)
	c.Runs.Forget(now)
	old := func(m minute, _ bool) bool { return m < minuteOf(now)-minute(c.longest) }
	maps.DeleteFunc(c.recorded, old)
	maps.DeleteFunc(c.led, old)
}

// Recorded returns the recorded minutes after the given time, in order.
func (c *Charts) Recorded(after cluster.Time) (list []cluster.Time) {
	for m := range c.recorded {
		if at := cluster.Time(m) * cluster.Minute; at > after {
			list = append(list, at)
		}
	}
	slices.Sort(list)
	return list
}

// Record returns the record of a minute; false if it is not recorded.
func (c *Charts) Record(at cluster.Time) (Record, bool) {
	m := minuteOf(at)
	return c.record(m), c.recorded[m]
}
