package webtest

import (
	"testing"

	"aliquot/cluster"
	"aliquot/web"
)

// Join adds a ready node whose monitor has reported a store with 4 GiB free.
func (c *Cluster) Join(t testing.TB, name string, cpu cluster.CPU, memory cluster.Bytes) cluster.NodeID {
	t.Helper()
	id := c.Must(t, cluster.Join{Name: name, Boot: "1", Description: cluster.Description{
		CPU: cpu, Memory: memory, Overhead: 16 * cluster.MiB, Platforms: []string{"q35-7.2"},
		Hypervisor: "QEMU 7.2.22, TCG", MigrateURI: "qemu+tls://" + name, Labels: []cluster.Pair{{Key: "zone", Value: "a"}},
	}}).Node
	c.Report(t, id)
	return id
}

// Report sends observations from a node.
func (c *Cluster) Report(t testing.TB, node cluster.NodeID, seen ...cluster.Observation) {
	t.Helper()
	c.Must(t, cluster.Report{Node: node, FenceAlive: true, StoreProven: true, StoreFree: 4096 * cluster.MiB,
		Observations: seen})
}

// Place adopts a placement of the job in the foreground, one node per live task.
func (c *Cluster) Place(t testing.TB, job cluster.JobID, share cluster.CPU, nodes ...cluster.NodeID) {
	t.Helper()
	c.place(t, job, cluster.Foreground.Grant(share), nodes)
}

func (c *Cluster) place(t testing.TB, job cluster.JobID, grant cluster.Grant, nodes []cluster.NodeID) {
	t.Helper()
	v := c.Latest()
	yield := int64(1000 * grant.Cap / v.Job(job).Spec.Need)
	c.Must(t, cluster.Adopt{
		Basis: v.Revision, Seen: v.View().Pending(),
		Set: []cluster.Holding{{Job: job, Placement: cluster.Placement{Grant: grant, Nodes: nodes}}},
		Why: []cluster.Reason{{Job: job, Code: cluster.WhyPlaced, Values: []int64{yield}}},
	})
}

// Run places the job in the foreground and makes all its tasks run there with that cap.
func (c *Cluster) Run(t testing.TB, job cluster.JobID, share cluster.CPU, nodes ...cluster.NodeID) {
	t.Helper()
	c.RunIn(t, cluster.Foreground, job, share, nodes...)
}

// RunIn places the job in the tier and makes all its tasks run there with that cap.
func (c *Cluster) RunIn(t testing.TB, tier cluster.Tier, job cluster.JobID, share cluster.CPU,
	nodes ...cluster.NodeID) {
	t.Helper()
	c.place(t, job, tier.Grant(share), nodes)
	for i, node := range c.Latest().Target(job).Nodes {
		id := cluster.TaskID{Job: job, Index: i}
		m := c.Move(t, cluster.Move{Kind: cluster.Start, Task: id, To: node, CPU: share, Tier: tier})
		run := cluster.RunID{Job: job, Index: i, Number: m.Run}
		c.Report(t, node, cluster.Observation{Run: run, Move: m.ID, Seen: cluster.SeenBooting, Cap: share,
			Tier: tier, Tiered: true, Platform: "q35-7.2"})
		c.Report(t, node, cluster.Observation{Run: run, Seen: cluster.SeenRunning, Cap: share, Tier: tier, Tiered: true})
	}
}

// Move starts a move and returns it as the state recorded it.
func (c *Cluster) Move(t testing.TB, m cluster.Move) *cluster.Move {
	t.Helper()
	c.Must(t, cluster.StartMoves{Moves: []cluster.Move{m}})
	return c.Latest().Move(m.Task)
}

// Exit makes a run end by itself with the code.
func (c *Cluster) Exit(t testing.TB, run cluster.RunID, code int) {
	t.Helper()
	node := c.Latest().Job(run.Job).Tasks[run.Index].Node
	c.mu.Lock()
	c.ended[run] = true
	c.mu.Unlock()
	c.Report(t, node, cluster.Observation{Run: run, Seen: cluster.SeenExited, Exit: &cluster.Exit{Code: code}})
}

// Print appends to the output of a run.
func (c *Cluster) Print(run cluster.RunID, text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.logs[run] = append(c.logs[run], text...)
	c.touch()
}

// SetConsole sets the output of the kernel of a run's guest.
func (c *Cluster) SetConsole(run cluster.RunID, text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.console[run] = []byte(text)
}

// SetHost sets the sample of a node's machine.
func (c *Cluster) SetHost(node cluster.NodeID, h web.Host) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hosts[node] = h
}

// SetUsage sets the sample of a run.
func (c *Cluster) SetUsage(run cluster.RunID, cpu cluster.CPU, memory cluster.Bytes) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.usage[run] = web.Usage{CPU: cpu, Memory: memory, At: c.now}
}
