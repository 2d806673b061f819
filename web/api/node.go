package api

import "time"

// Node is one machine with a hypervisor.
type Node struct {
	Name                     string            `json:"name" example:"n1"`
	State                    string            `json:"state" enum:"ready,unreachable,stalled,returning,cordoned,draining,drained,silent,down" doc:"stalled: its hypervisor does not answer"`
	Health                   string            `json:"health" enum:"ready,silent,down"`
	Since                    time.Time         `json:"since" doc:"Since when it has its present health"`
	LastSeen                 *time.Time        `json:"lastSeen,omitempty" doc:"When it lost its connection to the leader, if it has none: all that is told of it dates from then"`
	Cordoned                 bool              `json:"cordoned" doc:"Takes no new VMs"`
	Draining                 bool              `json:"draining" doc:"…and its VMs must leave"`
	CPUMillicores            int64             `json:"cpuMillicores" doc:"Capacity for the cluster's VMs"`
	NeedMillicores           int64             `json:"needMillicores" doc:"Needs of the tasks placed here"`
	ShareMillicores          int64             `json:"shareMillicores" doc:"Shares of the tasks placed here, guaranteed or not"`
	GuaranteedMillicores     int64             `json:"guaranteedMillicores" doc:"The part of the shares that the node keeps for its tasks at any time"`
	BestEffortMillicores     int64             `json:"bestEffortMillicores" doc:"The part of the shares that no task is granted and background tasks may use; they may also use what others leave of theirs"`
	UsedMillicores           *int64            `json:"usedMillicores,omitempty" doc:"Measured use of the tasks that run here; only the leader knows"`
	UsedBackgroundMillicores *int64            `json:"usedBackgroundMillicores,omitempty" doc:"The part of it that background tasks used"`
	Host                     *Host             `json:"host,omitempty" doc:"Measured use of the whole machine; only the leader knows"`
	Bridged                  bool              `json:"bridged" doc:"It has a bridge for VMs: it takes jobs with a network"`
	LimitsBandwidth          bool              `json:"limitsBandwidth" doc:"It can limit the network cards of VMs: it takes jobs with a network also while the network has a bandwidth"`
	Disks                    bool              `json:"disks" doc:"Its VMs boot images of kind disk: it takes jobs that have one"`
	Immobile                 bool              `json:"immobile" doc:"Its VMs move to no other node alive, and none come so: they stay, or pause and resume elsewhere"`
	Speed                    float64           `json:"speed" doc:"How fast its processors work: 1 is the reference, in whose millicores all CPU is counted"`
	SpeedSource              string            `json:"speedSource" enum:"declared,assumed,measured" doc:"declared by its monitor's settings, measured by its monitor's benchmark, or assumed to be 1 although another was measured"`
	MeasuredSpeed            float64           `json:"measuredSpeed,omitempty" doc:"By its monitor's benchmark; left out: none ran, because a speed is declared or the release is too old"`
	Class                    string            `json:"class" doc:"Of nodes on which work is equally fast: a setting of its monitor, or the name of its processors; empty: not known"`
	Slots                    int               `json:"slots" doc:"Processors that policies of two tiers fill, each with a foreground and a background task; 1: the node counts as one"`
	MemoryBytes              int64             `json:"memoryBytes" doc:"Capacity for the cluster's VMs"`
	MemoryReservedBytes      int64             `json:"memoryReservedBytes" doc:"Charged for the tasks placed here, overhead included, or for the VMs that are still here if that is more"`
	Tasks                    int               `json:"tasks" doc:"Number of tasks placed here, or of VMs that are still here if that is more"`
	ForeignMillicores        int64             `json:"foreignMillicores" doc:"Taken by foreign VMs"`
	ForeignMemoryBytes       int64             `json:"foreignMemoryBytes"`
	OverheadBytes            int64             `json:"overheadBytes" doc:"Asked for per VM in addition to its memory; the largest of all nodes is charged on every node"`
	Program                  string            `json:"program" doc:"Version of its monitor; empty: the release is too old to report it"`
	Hypervisor               string            `json:"hypervisor"`
	Platforms                []string          `json:"platforms"`
	Labels                   map[string]string `json:"labels"`
	FenceAlive               bool              `json:"fenceAlive" doc:"Whether its fence was alive at the last report"`
	StoreProven              bool              `json:"storeProven" doc:"The node can read and write the store of saved images"`
	HypervisorAnswers        bool              `json:"hypervisorAnswers" doc:"If false, no VM can start, stop or move here"`
	StrayMemoryBytes         int64             `json:"strayMemoryBytes" doc:"Taken by strays"`
	Maintenance              []Maintenance     `json:"maintenance" doc:"Planned, by start: nothing is promised there then, and its VMs leave when it begins"`
	Strays                   []string          `json:"strays" doc:"Runs found here that are not expected here" example:"[\"j3/0/1\"]"`
}

// Maintenance is an interval in which a node gives nothing.
type Maintenance struct {
	Start  time.Time `json:"start"`
	End    time.Time `json:"end"`
	Reason string    `json:"reason" example:"a new disk"`
	Begun  bool      `json:"begun" doc:"The node drains because of it"`
}

// NewMaintenance plans maintenance of a node.
type NewMaintenance struct {
	Start    string `json:"start,omitempty" format:"date-time" maxLength:"40" doc:"When it begins; left out: now" example:"2026-11-26T22:00:00Z"`
	Duration string `json:"duration" minLength:"2" maxLength:"32" doc:"After which the node takes VMs again" example:"2h"`
	Reason   string `json:"reason,omitempty" maxLength:"256" doc:"For people" example:"a new disk"`
	Force    bool   `json:"force,omitempty" doc:"Break promises that have no room elsewhere then; their owners are told. Otherwise it is refused with them"`
}

// Host is the measured use of a node's whole machine, whatever runs on it.
type Host struct {
	CPUMillicores  int64 `json:"cpuMillicores" doc:"All CPU of the machine, in its own millicores; 0: not measured yet"`
	UsedMillicores int64 `json:"usedMillicores" doc:"In millicores of the machine itself, mean over the last interval"`
	MemoryBytes    int64 `json:"memoryBytes" doc:"All memory of the machine"`
	UsedBytes      int64 `json:"usedBytes" doc:"Memory that cannot be had without swapping"`
	DiskBytes      int64 `json:"diskBytes" doc:"The file system with the data of the node's monitor, without what is kept for root, as df counts its percentage"`
	DiskUsedBytes  int64 `json:"diskUsedBytes"`
}

// NodeList lists all nodes in the order in which they joined.
type NodeList struct {
	Nodes []Node `json:"nodes"`
}

// Stray is a VM of the cluster that is not expected on its node.
type Stray struct {
	Node string `json:"node"`
	Run  string `json:"run" example:"j3/0/1"`
}

// StrayList lists all strays by node and run.
type StrayList struct {
	Strays []Stray `json:"strays"`
}

// Settlement is the order for a stray.
type Settlement struct {
	Run    string `json:"run" maxLength:"64" doc:"As listed" example:"j3/0/1"`
	Action string `json:"action" enum:"adopt,destroy" doc:"adopt: it is the task's run again; destroy: its work is lost"`
}

// NewInvitation is a request for a join token of a node.
type NewInvitation struct {
	For string `json:"for,omitempty" maxLength:"32" doc:"How long it may be used, at most 168h; left out: 1h" example:"1h"`
}

// Invitation is a join token, which is shown only here.
type Invitation struct {
	Node    string    `json:"node" example:"n1"`
	Token   string    `json:"token" doc:"For the file that the node's monitor is given as --join-token"`
	Expires time.Time `json:"expires"`
}

// OpenInvitation is an invitation that a machine may still use.
type OpenInvitation struct {
	Node    string    `json:"node" example:"n1"`
	Expires time.Time `json:"expires"`
}

// InvitationList lists the open invitations.
type InvitationList struct {
	Invitations []OpenInvitation `json:"invitations" doc:"In the order in which the names became known"`
}
