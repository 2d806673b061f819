package web

import (
	"github.com/prometheus/client_golang/prometheus"

	"aliquot/cluster"
)

var (
	ownerJobs = gauge("owner_jobs", "Jobs of an owner in a project that have not ended, by state; absent if there is none.",
		"project", "owner", "state")
	ownerCPU = gauge("owner_cpu_cores",
		"CPU of the jobs of an owner in a project: what they need, what they are granted (share), and what their VMs used in the latest samples (used; only from the leader).",
		"project", "owner", "what")
	ownerMemory = gauge("owner_memory_bytes",
		"Memory of the jobs of an owner in a project: what they ask for (requested), and what is charged for those that are placed (reserved).",
		"project", "owner", "what")

	ownerDescriptors = []*prometheus.Desc{ownerJobs, ownerCPU, ownerMemory}
)

// holder is an owner in a project.
type holder struct{ project, owner string }

// holding is what the jobs of a holder want and have.
type holding struct {
	states              map[string]int
	need, share, used   cluster.CPU
	requested, reserved cluster.Bytes
}

func (h *holding) add(v *cluster.Snapshot, j *cluster.Job, used map[cluster.TaskID]Usage) {
	tasks := j.Spec.Tasks
	h.states[stateOf(v, j)]++
	h.need += j.Spec.Need * cluster.CPU(tasks)
	h.requested += j.Spec.Requirement.Memory * cluster.Bytes(tasks)
	if p := v.Target(j.ID); p != nil {
		h.share += p.Cap * cluster.CPU(tasks)
		h.reserved += v.Charge(j.Spec) * cluster.Bytes(tasks)
	}
	for i := range j.Tasks {
		h.used += used[cluster.TaskID{Job: j.ID, Index: i}].CPU
	}
}

func collectOwners(v *cluster.Snapshot, used map[cluster.TaskID]Usage, set setter) {
	holdings := map[holder]*holding{}
	for j := range v.Jobs() {
		who := holder{j.Spec.Project, j.Spec.Owner}
		if holdings[who] == nil {
			holdings[who] = &holding{states: map[string]int{}}
		}
		holdings[who].add(v, j, used)
	}
	for who, h := range holdings {
		for state, n := range h.states {
			set(ownerJobs, float64(n), who.project, who.owner, state)
		}
		set(ownerCPU, cores(h.need), who.project, who.owner, "need")
		set(ownerCPU, cores(h.share), who.project, who.owner, "share")
		if used != nil {
			set(ownerCPU, cores(h.used), who.project, who.owner, "used")
		}
		set(ownerMemory, float64(h.requested), who.project, who.owner, "requested")
		set(ownerMemory, float64(h.reserved), who.project, who.owner, "reserved")
	}
}
