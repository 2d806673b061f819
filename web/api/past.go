package api

import "time"

// Axis is the time axis of a series: one row per step. In every list, null is a gap: the value was not sampled or is
// unknown.
type Axis struct {
	Start       time.Time `json:"start" doc:"Time of the first row"`
	StepSeconds int       `json:"stepSeconds" doc:"Whole minutes; a row is the mean over its step, unless the field is a least value"`
	Rows        int       `json:"rows"`
}

// ClusterSeries is the cluster over time.
type ClusterSeries struct {
	Axis
	YieldLeast          []*float64   `json:"yieldLeast" doc:"Least yield of the jobs that may run, 0 for those without a share; the least of the step"`
	YieldMean           []*float64   `json:"yieldMean"`
	YieldCounts         [][]*float64 `json:"yieldCounts" doc:"Ten lists: jobs by tenth of yield, the first from 0 to below 0.1"`
	CapacityMillicores  []*float64   `json:"capacityMillicores" doc:"Of the ready nodes; cordoned and draining ones count with what is placed there"`
	NeedMillicores      []*float64   `json:"needMillicores" doc:"Of the placed tasks"`
	WaitingMillicores   []*float64   `json:"waitingMillicores" doc:"Of the tasks that are not placed and may run"`
	ShareMillicores     []*float64   `json:"shareMillicores" doc:"Granted on the ready nodes"`
	UsedMillicores      []*float64   `json:"usedMillicores" doc:"Only the leader knows"`
	MemoryCapacityBytes []*float64   `json:"memoryCapacityBytes" doc:"Of the ready nodes; cordoned and draining ones count with what is placed there"`
	MemoryReservedBytes []*float64   `json:"memoryReservedBytes" doc:"Of the tasks on ready nodes, overhead included"`
	JobsHolding         []*float64   `json:"jobsHolding" doc:"Number of placed jobs"`
	JobsWaiting         []*float64   `json:"jobsWaiting" doc:"Number of jobs that are not placed and may run"`
	JobsHeld            []*float64   `json:"jobsHeld" doc:"Number of jobs on hold"`
}

// NodeSeries is a node over time.
type NodeSeries struct {
	Axis
	CapacityMillicores  []*float64 `json:"capacityMillicores"`
	NeedMillicores      []*float64 `json:"needMillicores"`
	ShareMillicores     []*float64 `json:"shareMillicores"`
	UsedMillicores      []*float64 `json:"usedMillicores" doc:"Only the leader knows"`
	MemoryReservedBytes []*float64 `json:"memoryReservedBytes"`
}

// JobUsage is the usage of a job's tasks over time.
type JobUsage struct {
	Axis
	Tasks  []TaskUsage `json:"tasks" doc:"By index and run, without runs whose usage is unknown"`
	Next   *int        `json:"next,omitempty" doc:"First task of the next page; left out: this is the last"`
	Leader string      `json:"leader,omitempty" doc:"Address of the leader, which knows the usage, if it is another manager"`
}

// TaskUsage is the usage of a task's run over time.
type TaskUsage struct {
	Task           int        `json:"task"`
	Run            int        `json:"run"`
	UsedMillicores []*float64 `json:"usedMillicores"`
	MemoryBytes    []*float64 `json:"memoryBytes" doc:"Resident on the node"`
}

// Timeline is one page of spans: first the open ones, by task, then the ended ones, latest end first.
type Timeline struct {
	Spans []Span    `json:"spans"`
	Next  string    `json:"next,omitempty" doc:"Cursor of the next page; left out: this is the last"`
	At    time.Time `json:"at" doc:"Time up to which open spans are known"`
	Since time.Time `json:"since" doc:"Spans that ended before may be missing"`
}

// Span is a period without change for a task, or for a job without a placement.
type Span struct {
	Job             string     `json:"job"`
	Name            string     `json:"name,omitempty" doc:"Of the job, while it is not forgotten"`
	Task            *int       `json:"task,omitempty" doc:"Left out: the job as a whole, waiting or held"`
	Run             int        `json:"run,omitempty"`
	Node            string     `json:"node,omitempty" doc:"Left out: on no node, or on a forgotten one"`
	State           string     `json:"state" enum:"starting,running,frozen,moving,pausing,paused,resuming,stopping,waiting,dependent,held"`
	ShareMillicores int64      `json:"shareMillicores" doc:"Share on the node; the task makes progress while it runs or moves"`
	Tier            string     `json:"tier,omitempty" enum:"background" doc:"background: it has of the share what others leave. Left out: foreground"`
	NeedMillicores  int64      `json:"needMillicores,omitempty" doc:"Left out: the job is forgotten"`
	From            time.Time  `json:"from"`
	To              *time.Time `json:"to,omitempty" doc:"Left out: the span is open"`
	Began           string     `json:"began" doc:"Kind of the event that began it" example:"task_migrated"`
	Text            string     `json:"text,omitempty" doc:"Text of that event"`
}
