package api

import "time"

// Axis is the rows of a series: one per step, beginning with the start. In every list, null is a gap: nobody sampled then, or knows.
type Axis struct {
	Start       time.Time `json:"start" doc:"Of the first row"`
	StepSeconds int       `json:"stepSeconds" doc:"Whole minutes; a row is the mean over its step, unless it says least"`
	Rows        int       `json:"rows"`
}

// ClusterSeries is the cluster over time.
type ClusterSeries struct {
	Axis
	YieldLeast          []*float64   `json:"yieldLeast" doc:"Least yield of the jobs that hold something, the least of the step"`
	YieldMean           []*float64   `json:"yieldMean"`
	YieldCounts         [][]*float64 `json:"yieldCounts" doc:"Ten lists: jobs by tenth of yield, the first from 0 to below 0.1"`
	CapacityMillicores  []*float64   `json:"capacityMillicores" doc:"Of the nodes that are ready"`
	NeedMillicores      []*float64   `json:"needMillicores" doc:"Of the tasks that hold something"`
	WaitingMillicores   []*float64   `json:"waitingMillicores" doc:"Of the tasks that hold nothing and may run"`
	ShareMillicores     []*float64   `json:"shareMillicores" doc:"Granted on the nodes that are ready"`
	UsedMillicores      []*float64   `json:"usedMillicores" doc:"The leader alone knows"`
	MemoryCapacityBytes []*float64   `json:"memoryCapacityBytes" doc:"Of the nodes that are ready"`
	MemoryReservedBytes []*float64   `json:"memoryReservedBytes" doc:"Of the tasks on the nodes that are ready, overhead included"`
	JobsHolding         []*float64   `json:"jobsHolding" doc:"Jobs that hold something"`
	JobsWaiting         []*float64   `json:"jobsWaiting" doc:"Jobs that hold nothing and may run"`
	JobsHeld            []*float64   `json:"jobsHeld" doc:"Jobs that their users keep from running"`
}

// NodeSeries is a node over time.
type NodeSeries struct {
	Axis
	CapacityMillicores  []*float64 `json:"capacityMillicores"`
	NeedMillicores      []*float64 `json:"needMillicores"`
	ShareMillicores     []*float64 `json:"shareMillicores"`
	UsedMillicores      []*float64 `json:"usedMillicores" doc:"The leader alone knows"`
	MemoryReservedBytes []*float64 `json:"memoryReservedBytes"`
}

// JobUsage is what the tasks of a job used over time.
type JobUsage struct {
	Axis
	Tasks  []TaskUsage `json:"tasks" doc:"By index and run; runs of which nothing is known are left out"`
	Next   *int        `json:"next,omitempty" doc:"First task of the next page; left out: this is the last"`
	Leader string      `json:"leader,omitempty" doc:"Address of the manager that knows what is used, if it is not this one"`
}

// TaskUsage is what a run of a task used over time.
type TaskUsage struct {
	Task           int        `json:"task"`
	Run            int        `json:"run"`
	UsedMillicores []*float64 `json:"usedMillicores"`
	MemoryBytes    []*float64 `json:"memoryBytes" doc:"Resident on the node"`
}

// Timeline is one page of spans: first those that have ended, by their end, then those that last, by task.
type Timeline struct {
	Spans []Span    `json:"spans"`
	Next  string    `json:"next,omitempty" doc:"Cursor of the next page; left out: this is the last"`
	At    time.Time `json:"at" doc:"Until when spans that last are known"`
	Since time.Time `json:"since" doc:"Spans that ended before may be missing"`
}

// Span is a stretch of time in which nothing changed for a task, or for a job that held nothing.
type Span struct {
	Job             string     `json:"job"`
	Task            *int       `json:"task,omitempty" doc:"Left out: the job as a whole, which waits or is held"`
	Run             int        `json:"run,omitempty"`
	Node            string     `json:"node,omitempty" doc:"Left out: on none, or on one that is not known any more"`
	State           string     `json:"state" enum:"starting,running,frozen,moving,pausing,paused,resuming,stopping,waiting,held"`
	ShareMillicores int64      `json:"shareMillicores" doc:"That it has on the node; it makes progress while it runs or moves"`
	NeedMillicores  int64      `json:"needMillicores,omitempty" doc:"Left out: the job is forgotten"`
	From            time.Time  `json:"from"`
	To              *time.Time `json:"to,omitempty" doc:"Left out: it lasts"`
	Began           string     `json:"began" doc:"Kind of the event that began it" example:"task_migrated"`
	Text            string     `json:"text,omitempty" doc:"Of that event"`
}
