package api

import "time"

// Node is one machine with a hypervisor.
type Node struct {
	Name                 string            `json:"name" example:"n1"`
	State                string            `json:"state" enum:"ready,cordoned,draining,drained,silent,down"`
	Health               string            `json:"health" enum:"ready,silent,down"`
	Since                time.Time         `json:"since" doc:"Of the present health"`
	Cordoned             bool              `json:"cordoned" doc:"Takes no new VMs"`
	Draining             bool              `json:"draining" doc:"…and its VMs are to leave"`
	CPUMillicores        int64             `json:"cpuMillicores" doc:"Capacity for VMs of ours"`
	NeedMillicores       int64             `json:"needMillicores" doc:"Needs of the tasks that were placed here"`
	ShareMillicores      int64             `json:"shareMillicores" doc:"Shares of the tasks that were placed here, guaranteed or not"`
	GuaranteedMillicores int64             `json:"guaranteedMillicores" doc:"Of the shares, what the node keeps for its tasks at any time"`
	BestEffortMillicores int64             `json:"bestEffortMillicores" doc:"Of the shares, what tasks get only as far as others leave it"`
	UsedMillicores       *int64            `json:"usedMillicores,omitempty" doc:"Measured use of the tasks that run here; the leader alone knows"`
	MemoryBytes          int64             `json:"memoryBytes" doc:"Capacity for VMs of ours"`
	MemoryReservedBytes  int64             `json:"memoryReservedBytes" doc:"Charged for the tasks that were placed here, overhead included"`
	Tasks                int               `json:"tasks" doc:"Placed here"`
	ForeignMillicores    int64             `json:"foreignMillicores" doc:"Taken by VMs that are not ours"`
	ForeignMemoryBytes   int64             `json:"foreignMemoryBytes"`
	OverheadBytes        int64             `json:"overheadBytes" doc:"Charged per VM on top of its memory"`
	Hypervisor           string            `json:"hypervisor"`
	Platforms            []string          `json:"platforms"`
	Labels               map[string]string `json:"labels"`
	FenceAlive           bool              `json:"fenceAlive" doc:"At its last report"`
	StoreProven          bool              `json:"storeProven" doc:"It reads and writes the store of saved images"`
	Strays               []string          `json:"strays" doc:"Runs found here that are not expected here" example:"[\"j3/0/1\"]"`
}

// NodeList is all nodes in the order in which they joined.
type NodeList struct {
	Nodes []Node `json:"nodes"`
}

// Stray is a VM of ours that is not expected where it was found.
type Stray struct {
	Node string `json:"node"`
	Run  string `json:"run" example:"j3/0/1"`
}

// StrayList is all strays by node and run.
type StrayList struct {
	Strays []Stray `json:"strays"`
}

// Settlement says what to do with a stray.
type Settlement struct {
	Run    string `json:"run" maxLength:"64" doc:"As listed" example:"j3/0/1"`
	Action string `json:"action" enum:"adopt,destroy" doc:"adopt: it is the task's run again; destroy: its work is lost"`
}
