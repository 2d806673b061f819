package web

import (
	"github.com/prometheus/client_golang/prometheus"

	"aliquot/cluster"
)

var (
	nodeReady  = gauge("node_ready", "1 if the node's lease is valid.", "node")
	nodeLinked = gauge("node_linked", "1 if the node's monitor is connected to the leader.", "node")
	hypervisor = gauge("node_hypervisor_answers", "1 if the node's hypervisor answered at the last report.", "node")
	nodeCPU    = gauge("node_cpu_cores",
		"CPU of a node: its capacity for the cluster, the needs and shares placed on it, the guaranteed part of the shares and the rest (best_effort), what VMs of others use (foreign), and what our VMs used in the latest samples (used, and of it used_background; only from the leader).", "node", "what")
	nodeMemory = gauge("node_memory_bytes",
		"Memory of a node: its capacity for the cluster, the reserved part, what VMs of others take (foreign), and what our VMs have in the host (used; only from the leader).", "node", "what")
	nodeWork = gauge("node_work_seconds",
		"Work of the VMs on a node, as last reported: CPU time that they had (ran), and CPU time that their caps allowed but the node did not give (waited).", "node", "what")
	nodeStrays = gauge("node_strays", "VMs of the cluster that are not expected on the node.", "node")
	hostCPU    = gauge("node_host_cpu_cores",
		"CPU of a node's machine, whatever runs on it: all that there is (total), and the used part; only from the leader.",
		"node", "what")
	hostMemory = gauge("node_host_memory_bytes",
		"Memory of a node's machine: all that there is (total), and what cannot be had without swapping (used); only from the leader.",
		"node", "what")
	hostDisk = gauge("node_host_disk_bytes",
		"The file system with the data of a node's monitor: its size without what is kept for root (total), and the used part; only from the leader.",
		"node", "what")

	nodeDescriptors = []*prometheus.Desc{nodeReady, nodeLinked, hypervisor, nodeCPU, nodeMemory, nodeWork, nodeStrays,
		hostCPU, hostMemory, hostDisk}
)

// workByNode sums the reported work of the VMs on each node.
func workByNode(v *cluster.Snapshot) map[cluster.NodeID]cluster.Work {
	work := map[cluster.NodeID]cluster.Work{}
	for j := range v.Jobs() {
		for i := range j.Tasks {
			if t := &j.Tasks[i]; t.Progress != nil {
				sum := work[t.Node]
				sum.Ran += t.Progress.Work.Ran
				sum.Waited += t.Progress.Work.Waited
				work[t.Node] = sum
			}
		}
	}
	return work
}

// nodeUse is the sum of the samples of a node's VMs.
type nodeUse struct {
	Usage
	background cluster.CPU // part of it in the background
}

// usageByNode sums the samples of the VMs on each node.
func usageByNode(v *cluster.Snapshot, used map[cluster.TaskID]Usage) map[cluster.NodeID]nodeUse {
	sums := map[cluster.NodeID]nodeUse{}
	for id, u := range used {
		task := &v.Job(id.Job).Tasks[id.Index]
		sum := sums[task.Node]
		sum.CPU, sum.Memory = sum.CPU+u.CPU, sum.Memory+u.Memory
		if task.Tier == cluster.Background {
			sum.background += u.CPU
		}
		sums[task.Node] = sum
	}
	return sums
}

func cores(c cluster.CPU) float64 { return float64(c) / float64(cluster.Core) }

func collectNodes(v *cluster.Snapshot, m Manager, used map[cluster.TaskID]Usage, set setter) {
	work, usage := workByNode(v), usageByNode(v, used)
	for n := range v.Nodes() {
		set(nodeReady, float64(bit(n.Health == cluster.Ready)), n.Name)
		set(nodeLinked, float64(bit(n.Unlinked == 0 && n.Health != cluster.Down)), n.Name)
		set(hypervisor, float64(bit(!n.HypervisorSilent)), n.Name)
		set(nodeWork, work[n.ID].Ran.Seconds(), n.Name, "ran")
		set(nodeWork, work[n.ID].Waited.Seconds(), n.Name, "waited")
		set(nodeStrays, float64(len(n.Strays)), n.Name)
		collectAmounts(n, set)
		if used != nil {
			set(nodeCPU, cores(usage[n.ID].CPU), n.Name, "used")
			set(nodeCPU, cores(usage[n.ID].background), n.Name, "used_background")
			set(nodeMemory, float64(usage[n.ID].Memory), n.Name, "used")
		}
		if h, known := m.Host(n.ID); known && n.Health == cluster.Ready {
			collectHost(n, h, set)
		}
	}
}

// collectHost sends the measured use of the node's machine.
func collectHost(n *cluster.Node, h Host, set setter) {
	set(hostCPU, cores(h.CPUs), n.Name, "total")
	set(hostCPU, cores(h.CPU), n.Name, "used")
	set(hostMemory, float64(h.Memory), n.Name, "total")
	set(hostMemory, float64(h.MemoryUsed), n.Name, "used")
	set(hostDisk, float64(h.Disk), n.Name, "total")
	set(hostDisk, float64(h.DiskUsed), n.Name, "used")
}

func collectAmounts(n *cluster.Node, set setter) {
	c := n.Capacity()
	for what, amount := range map[string]cluster.CPU{"capacity": c.CPU, "need": n.Load.Need, "share": n.Shared().Granted(),
		"guaranteed": n.Load.Guaranteed, "best_effort": n.Shared().BestEffort, "foreign": n.Foreign.CPU} {
		set(nodeCPU, cores(amount), n.Name, what)
	}
	for what, amount := range map[string]cluster.Bytes{"capacity": c.Memory, "reserved": reserved(n),
		"foreign": n.Foreign.Memory} {
		set(nodeMemory, float64(amount), n.Name, what)
	}
}
