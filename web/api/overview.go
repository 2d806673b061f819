package api

import "time"

// Overview is a summary of the cluster.
type Overview struct {
	Revision       uint64             `json:"revision"`
	At             time.Time          `json:"at"`
	Policy         Policy             `json:"policy"`
	NextDecision   *time.Time         `json:"nextDecision,omitempty" doc:"Time of the next periodic decision"`
	Leads          bool               `json:"leads" doc:"Whether the answering manager leads; only the leader knows the usage"`
	Leader         string             `json:"leader,omitempty" doc:"Address of the leader, if it is another manager"`
	Jobs           map[string]int     `json:"jobs" doc:"Number in each state, including ended ones that are not yet forgotten"`
	Tasks          map[string]int     `json:"tasks" doc:"Number in each state, of jobs that have not ended"`
	Nodes          map[string]int     `json:"nodes" doc:"Number in each state"`
	Yield          *YieldSummary      `json:"yield,omitempty" doc:"Left out: no standard job may run"`
	Background     *BackgroundSummary `json:"background,omitempty" doc:"Jobs of the classes background and either; left out: there is none that may run"`
	CPU            CPUSummary         `json:"cpu"`
	Memory         MemorySummary      `json:"memory"`
	StoreFreeBytes *int64             `json:"storeFreeBytes,omitempty" doc:"Free space of the store of saved images; left out: there is none"`
	MovesUnderWay  int                `json:"movesUnderWay"`
	Moves          []Move             `json:"moves" doc:"Moves in progress, by task, at most 100"`
	Attention      []Attention        `json:"attention" doc:"Issues that need attention, the worst first, at most 50"`
	AttentionMore  int                `json:"attentionMore" doc:"Number of further issues"`
}

// YieldSummary summarises the yields of the standard jobs that may run. The yield of a job without a share counts as 0.
type YieldSummary struct {
	Jobs    int     `json:"jobs" doc:"Standard jobs that may run"`
	Without int     `json:"without" doc:"Jobs without a share: they wait, are paused or in the background, and also count in the first tenth"`
	Least   float64 `json:"least"`
	Mean    float64 `json:"mean"`
	Counts  []int   `json:"counts" doc:"Jobs by tenth of yield: the first from 0 to below 0.1, the last from 0.9 to 1"`
	Full    int     `json:"full" doc:"Jobs with yield 1; they also count in the last tenth"`
}

// BackgroundSummary counts the jobs that may run and whose class is not standard.
type BackgroundSummary struct {
	Jobs       int `json:"jobs"`
	Foreground int `json:"foreground" doc:"In the foreground: their class is either"`
	Background int `json:"background" doc:"In the background"`
	Without    int `json:"without" doc:"Without a placement: they wait or are paused"`
}

// CPUSummary compares demand and capacity of CPU.
type CPUSummary struct {
	CapacityMillicores       int64  `json:"capacityMillicores" doc:"Of the ready nodes; cordoned and draining ones count with what is placed there"`
	NeedMillicores           int64  `json:"needMillicores" doc:"Of the placed tasks"`
	WaitingMillicores        int64  `json:"waitingMillicores" doc:"Of the tasks that are not placed and may run"`
	ShareMillicores          int64  `json:"shareMillicores" doc:"Granted on the ready nodes, guaranteed or not"`
	GuaranteedMillicores     int64  `json:"guaranteedMillicores" doc:"The part of it that nodes keep for tasks at any time"`
	BestEffortMillicores     int64  `json:"bestEffortMillicores" doc:"The part that no task is granted and background tasks may use; they may also use what others leave of theirs"`
	LostMillicores           int64  `json:"lostMillicores" doc:"Granted on lost nodes, whose VMs cannot be observed"`
	UsedMillicores           *int64 `json:"usedMillicores,omitempty" doc:"Measured; only the leader knows"`
	UsedBackgroundMillicores *int64 `json:"usedBackgroundMillicores,omitempty" doc:"The part of it that background tasks used"`
}

// MemorySummary compares demand and capacity of memory.
type MemorySummary struct {
	CapacityBytes int64 `json:"capacityBytes" doc:"Of the ready nodes; cordoned and draining ones count with what is placed there"`
	ReservedBytes int64 `json:"reservedBytes" doc:"Of the tasks on ready nodes, overhead included"`
	LostBytes     int64 `json:"lostBytes" doc:"Of the tasks on lost nodes, overhead included"`
	WaitingBytes  int64 `json:"waitingBytes" doc:"Of the tasks that are not placed and may run, overhead included"`
}

// Attention is an issue that an operator should look at.
type Attention struct {
	Severity string `json:"severity" enum:"problem,warning,notice"`
	Code     string `json:"code" doc:"For programs" example:"node_silent"`
	Text     string `json:"text" doc:"The issue, with numbers"`
	Help     string `json:"help" doc:"What to do"`
	Job      string `json:"job,omitempty"`
	Node     string `json:"node,omitempty"`
}

// ClusterMap lists the nodes with their VMs.
type ClusterMap struct {
	Revision uint64    `json:"revision"`
	At       time.Time `json:"at"`
	Nodes    []MapNode `json:"nodes" doc:"In the order in which they joined"`
	Next     string    `json:"next,omitempty" doc:"Cursor of the next page; left out: this is the last"`
}

// MapNode is a node on the map.
type MapNode struct {
	Name                 string  `json:"name"`
	State                string  `json:"state" enum:"ready,unreachable,stalled,returning,cordoned,draining,drained,silent,down"`
	CPUMillicores        int64   `json:"cpuMillicores" doc:"Capacity for the cluster's VMs"`
	ShareMillicores      int64   `json:"shareMillicores" doc:"Shares of the tasks placed here, guaranteed or not"`
	GuaranteedMillicores int64   `json:"guaranteedMillicores" doc:"The part of the shares that the node keeps for its tasks at any time"`
	UsedMillicores       *int64  `json:"usedMillicores,omitempty" doc:"Measured; only the leader knows"`
	MemoryBytes          int64   `json:"memoryBytes" doc:"Capacity for the cluster's VMs"`
	MemoryReservedBytes  int64   `json:"memoryReservedBytes" doc:"Charged for the tasks placed here, or for the VMs that are still here if that is more"`
	ForeignMillicores    int64   `json:"foreignMillicores" doc:"Taken by foreign VMs"`
	ForeignMemoryBytes   int64   `json:"foreignMemoryBytes"`
	VMs                  []MapVM `json:"vms" doc:"By job and task"`
}

// MapVM is a VM that is on its node or moves there.
type MapVM struct {
	Job                   string `json:"job"`
	Task                  int    `json:"task"`
	State                 string `json:"state" enum:"starting,booting,running,frozen,resizing,pausing,resuming,moving,stopping"`
	Arriving              bool   `json:"arriving,omitempty" doc:"It is not here yet: it arrives by a move"`
	Core                  int    `json:"core,omitempty" doc:"Processor of the node that it is bound to, from 1; left out: none"`
	Tier                  string `json:"tier" enum:"foreground,background"`
	NeedMillicores        int64  `json:"needMillicores"`
	CapAskedMillicores    int64  `json:"capAskedMillicores" doc:"Its present share, or the share that a move in progress gives it"`
	CapObservedMillicores int64  `json:"capObservedMillicores" doc:"In force at the hypervisor"`
	UsedMillicores        *int64 `json:"usedMillicores,omitempty" doc:"Measured; only the leader knows"`
	MemoryBytes           int64  `json:"memoryBytes" doc:"Charged, overhead included"`
}
