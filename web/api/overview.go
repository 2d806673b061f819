package api

import "time"

// Overview is the cluster at one glance.
type Overview struct {
	Revision       uint64         `json:"revision"`
	At             time.Time      `json:"at"`
	Policy         Policy         `json:"policy"`
	NextDecision   *time.Time     `json:"nextDecision,omitempty" doc:"The next periodic one"`
	Leads          bool           `json:"leads" doc:"Whether the manager that answers leads; it alone knows what is used"`
	Leader         string         `json:"leader,omitempty" doc:"Address of the manager that leads, if this one does not"`
	Jobs           map[string]int `json:"jobs" doc:"How many are in each state, ended ones as long as they are remembered"`
	Tasks          map[string]int `json:"tasks" doc:"How many are in each state, of jobs that have not ended"`
	Nodes          map[string]int `json:"nodes" doc:"How many are in each state"`
	Yield          *YieldSummary  `json:"yield,omitempty" doc:"Left out: no job holds anything"`
	CPU            CPUSummary     `json:"cpu"`
	Memory         MemorySummary  `json:"memory"`
	StoreFreeBytes *int64         `json:"storeFreeBytes,omitempty" doc:"Of the store of saved images; left out: there is none"`
	MovesUnderWay  int            `json:"movesUnderWay"`
	Moves          []Move         `json:"moves" doc:"Under way, by task, at most 100"`
	Attention      []Attention    `json:"attention" doc:"What somebody should look at, the worst first, at most 50"`
	AttentionMore  int            `json:"attentionMore" doc:"How many more there are"`
}

// YieldSummary is the yields of the jobs that hold something.
type YieldSummary struct {
	Jobs   int     `json:"jobs"`
	Least  float64 `json:"least"`
	Mean   float64 `json:"mean"`
	Counts []int   `json:"counts" doc:"Jobs by tenth of yield: the first from 0 to below 0.1, the last from 0.9 to 1"`
	Full   int     `json:"full" doc:"Jobs at full need: yield 1, in the last tenth, too"`
}

// CPUSummary is demand against capacity in CPU.
type CPUSummary struct {
	CapacityMillicores int64  `json:"capacityMillicores" doc:"Of the nodes that are ready"`
	NeedMillicores     int64  `json:"needMillicores" doc:"Of the tasks that hold something"`
	WaitingMillicores  int64  `json:"waitingMillicores" doc:"Needs of the tasks that hold nothing and may run"`
	ShareMillicores    int64  `json:"shareMillicores" doc:"Granted on the nodes that are ready"`
	LostMillicores     int64  `json:"lostMillicores" doc:"Granted on nodes that are lost: what runs there cannot be seen"`
	UsedMillicores     *int64 `json:"usedMillicores,omitempty" doc:"Measured; the leader alone knows"`
}

// MemorySummary is demand against capacity in memory.
type MemorySummary struct {
	CapacityBytes int64 `json:"capacityBytes" doc:"Of the nodes that are ready"`
	ReservedBytes int64 `json:"reservedBytes" doc:"Of the tasks on the nodes that are ready, overhead included"`
	LostBytes     int64 `json:"lostBytes" doc:"Of the tasks on nodes that are lost, overhead included"`
	WaitingBytes  int64 `json:"waitingBytes" doc:"Of the tasks that hold nothing and may run, overhead included"`
}

// Attention is something that somebody should look at.
type Attention struct {
	Severity string `json:"severity" enum:"problem,warning,notice"`
	Code     string `json:"code" doc:"For programs" example:"node_silent"`
	Text     string `json:"text" doc:"What is the matter, with numbers"`
	Help     string `json:"help" doc:"What to do"`
	Job      string `json:"job,omitempty"`
	Node     string `json:"node,omitempty"`
}

// ClusterMap is the nodes with what runs on each.
type ClusterMap struct {
	Revision uint64    `json:"revision"`
	At       time.Time `json:"at"`
	Nodes    []MapNode `json:"nodes" doc:"In the order in which they joined"`
	Next     string    `json:"next,omitempty" doc:"Cursor of the next page; left out: this is the last"`
}

// MapNode is a node as the map shows it.
type MapNode struct {
	Name                string  `json:"name"`
	State               string  `json:"state" enum:"ready,cordoned,draining,drained,silent,down"`
	CPUMillicores       int64   `json:"cpuMillicores" doc:"Capacity for VMs of ours"`
	ShareMillicores     int64   `json:"shareMillicores" doc:"Shares of the tasks that were placed here"`
	UsedMillicores      *int64  `json:"usedMillicores,omitempty" doc:"Measured; the leader alone knows"`
	MemoryBytes         int64   `json:"memoryBytes" doc:"Capacity for VMs of ours"`
	MemoryReservedBytes int64   `json:"memoryReservedBytes" doc:"Charged for the tasks that were placed here"`
	ForeignMillicores   int64   `json:"foreignMillicores" doc:"Taken by VMs that are not ours"`
	ForeignMemoryBytes  int64   `json:"foreignMemoryBytes"`
	VMs                 []MapVM `json:"vms" doc:"By job and task"`
}

// MapVM is a VM on its node, or on its way there.
type MapVM struct {
	Job                   string `json:"job"`
	Task                  int    `json:"task"`
	State                 string `json:"state" enum:"starting,booting,running,frozen,resizing,pausing,resuming,moving,stopping"`
	Arriving              bool   `json:"arriving,omitempty" doc:"Not here yet: a move brings it"`
	Tier                  string `json:"tier" enum:"foreground,background"`
	NeedMillicores        int64  `json:"needMillicores"`
	CapAskedMillicores    int64  `json:"capAskedMillicores" doc:"Share that it has, or that a move under way gives it"`
	CapObservedMillicores int64  `json:"capObservedMillicores" doc:"In force at the hypervisor"`
	UsedMillicores        *int64 `json:"usedMillicores,omitempty" doc:"Measured; the leader alone knows"`
	MemoryBytes           int64  `json:"memoryBytes" doc:"Charged, overhead included"`
}
