package api

import "time"

// JobSpec is a user's specification of a job.
type JobSpec struct {
	Name      string            `json:"name,omitempty" maxLength:"128" pattern:"^[a-zA-Z0-9]([a-zA-Z0-9._-]*[a-zA-Z0-9])?$" patternDescription:"of letters, digits and ._-, with a letter or digit at both ends" doc:"For people; need not be unique" example:"render"`
	Tasks     int               `json:"tasks,omitempty" minimum:"1" maximum:"10000" default:"1" doc:"Identical tasks, each in its own VM"`
	CPU       string            `json:"cpu" minLength:"1" maxLength:"32" doc:"CPU that each task can use at full speed; it may get less" example:"500m"`
	Memory    string            `json:"memory" minLength:"1" maxLength:"32" doc:"Memory of each task; granted whole or not at all" example:"96Mi"`
	Image     string            `json:"image,omitempty" maxLength:"256" doc:"name@sha256:digest, where a digest prefix is enough, or a name for its newest image; left out: the built-in image" example:"busybox"`
	Command   []string          `json:"command,omitempty" maxItems:"256" doc:"Program and first arguments; required; hidden from users of other projects, like args" example:"[\"/bin/sh\",\"-c\"]"`
	Args      []string          `json:"args,omitempty" maxItems:"1024" doc:"Arguments after the command"`
	Env       map[string]string `json:"env,omitempty" maxProperties:"256" doc:"Environment of each task; its values are hidden from users of other projects"`
	Disk      string            `json:"disk,omitempty" maxLength:"32" doc:"Size of the disk of each task, for images of kind disk; left out: that of the image's disk" example:"10Gi"`
	CloudInit string            `json:"cloudInit,omitempty" maxLength:"32768" doc:"User-data for cloud-init in an image of kind disk: YAML that begins with the line #cloud-config; hidden from users of other projects" example:"#cloud-config\ntimezone: Europe/Berlin\n"`
	Files     map[string]string `json:"files,omitempty" maxProperties:"64" doc:"Small text files by their path in the folder /work, in which the command then starts. A task can put others in their places there, and in an image of kind disk it can change them; their contents are hidden from users of other projects"`
	Outputs   []string          `json:"outputs,omitempty" maxItems:"64" doc:"Files that are kept when the command of a task ends, successful or not: paths, folders and patterns with *, ? and [], from the folder /work, in which the command then starts, or from the root" example:"[\"results/*.csv\"]"`
	Network   string            `json:"network,omitempty" enum:"none,bridge" doc:"Network of each task. none: loopback only. bridge: an address of the cluster's subnet, which it keeps until the job ends; tasks find each other by ALIQUOT_PEERS and by the names task-0, task-1. Left out: none"`
	Restart   *Restart          `json:"restart,omitempty" doc:"When a task starts again; left out: only after the cluster lost it"`
	Limits    *Limits           `json:"limits,omitempty" doc:"Limits of run time and output"`
	Estimate  string            `json:"estimate,omitempty" maxLength:"32" doc:"Expected run time at full speed, for policies that use it: they expect no more, and less if similar jobs took less" example:"20m"`
	Type      string            `json:"type,omitempty" maxLength:"128" pattern:"^[a-zA-Z0-9]([a-zA-Z0-9._-]*[a-zA-Z0-9])?$" patternDescription:"of letters, digits and ._-, with a letter or digit at both ends" doc:"Type of work: jobs of one type, number of tasks and CPU are expected to take equally long. Left out: jobs of the same image name, command and input are of one type" example:"render"`
	Labels    map[string]string `json:"labels,omitempty" maxProperties:"256" doc:"For selecting jobs; their values are hidden from users of other projects"`
	Placement *Placement        `json:"placement,omitempty" doc:"Restricts the nodes"`
	Class     string            `json:"class,omitempty" enum:"standard,background,either" doc:"Class of service; left out: standard. standard: its CPU comes before that of other classes; policies of two tiers may let it begin in the background. background: it gets what standard jobs leave, at times nothing, and makes way for them first. either: as standard while its nodes have CPU for all, otherwise as background"`
	After     []string          `json:"after,omitempty" maxItems:"1000" doc:"Jobs that must have ended before, and how: j17 or j17:succeeded, j17:failed (it failed or was cancelled), j17:ended. If one ends otherwise, this job is cancelled" example:"[\"j17\",\"j18:ended\"]"`
	MinYield  float64           `json:"minYield,omitempty" minimum:"0" maximum:"1" doc:"Its yield is never below while it runs: it waits, or is paused, rather than get less. Only for class standard" example:"0.5"`
	Reserve   *Reserve          `json:"reserve,omitempty" doc:"The interval in which it is promised its full CPU; it does not run before. Refused with alternatives if that cannot be promised. Left out: it runs when and as it can"`
	Deadline  *Deadline         `json:"deadline,omitempty" doc:"The time until which it is promised to have its work; it runs before as any other. Refused with alternatives if that cannot be promised"`
	Budget    *float64          `json:"budget,omitempty" doc:"The most core-hours that its promise may cost. Refused with cheaper alternatives if it costs more. Only with reserve or deadline; left out: any price" example:"3"`
}

// Hidden takes the place of texts of a job that the reader may not see.
const Hidden = "(hidden)"

// Restart sets when a task starts again.
type Restart struct {
	OnFailure int   `json:"onFailure,omitempty" minimum:"0" maximum:"1000" doc:"How many failures of the guest lead to a new start; runs lost by the cluster do not count"`
	OnLoss    *bool `json:"onLoss,omitempty" doc:"Whether a task starts again after the cluster lost it, for example with its node; false: the job fails instead of running twice; left out: true"`
}

// Limits limit a job's run time and output.
type Limits struct {
	Runtime  string `json:"runtime,omitempty" maxLength:"32" doc:"Running wall time after which the job fails; left out: none" example:"2h"`
	LogBytes string `json:"logBytes,omitempty" maxLength:"32" doc:"Output kept of each task; left out: 10Mi" example:"1Mi"`

	ResultBytes string `json:"resultBytes,omitempty" maxLength:"32" doc:"Contents of the files kept of each task, see outputs; files that do not fit are left out; not set: 100Mi" example:"1Gi"`
}

// Placement restricts the nodes of a job's tasks.
type Placement struct {
	Nodes  []string          `json:"nodes,omitempty" maxItems:"1000" doc:"Names of the allowed nodes; left out: all"`
	Labels map[string]string `json:"labels,omitempty" maxProperties:"64" doc:"Labels that a node must carry"`
	Spread bool              `json:"spread,omitempty" doc:"No two tasks on one node"`
}

// Job is a job in its present or final state.
type Job struct {
	ID              string         `json:"id" example:"j17"`
	Name            string         `json:"name"`
	Owner           string         `json:"owner"`
	Project         string         `json:"project"`
	State           string         `json:"state" enum:"waiting,dependent,starting,running,pausing,paused,moving,held,stopping,succeeded,failed,cancelled" doc:"dependent: it waits for other jobs to end"`
	Workflow        string         `json:"workflow,omitempty" doc:"The workflow that it is a task of" example:"w6"`
	Spec            JobSpec        `json:"spec"`
	Submitted       time.Time      `json:"submitted"`
	Started         *time.Time     `json:"started,omitempty" doc:"First time that all tasks ran"`
	Ended           *time.Time     `json:"ended,omitempty"`
	Held            bool           `json:"held" doc:"A user has put the job on hold"`
	Outcome         string         `json:"outcome,omitempty" enum:"succeeded,failed,cancelled" doc:"Settled when its tasks are ordered to stop; left out: it may still run"`
	Cause           string         `json:"cause,omitempty" doc:"Why it is stopping or has ended"`
	Why             *Why           `json:"why,omitempty" doc:"Reason of the last decision about it, with the present yield of a job that was placed; left out: it is being stopped, unless something keeps it from that, or has ended, for which cause is the reason"`
	NeedMillicores  int64          `json:"needMillicores" doc:"Need of each task"`
	MemoryBytes     int64          `json:"memoryBytes" doc:"Memory of each task, without the overhead of its VM"`
	ChargeBytes     int64          `json:"chargeBytes" doc:"Memory charged to the node for each task, including the overhead of its VM"`
	Yield           *float64       `json:"yield,omitempty" doc:"Share granted / need, from 0 to 1; left out: it is not placed, or in the background, where progressRate tells what it gets"`
	FlowSeconds     float64        `json:"flowSeconds" doc:"Time since submission, or since the last job that it waited for ended, up to its end"`
	ProgressRate    *float64       `json:"progressRate,omitempty" doc:"Present rate of virtual time, from 0 to 1: cap / need × CPU time had / (had + waited for), least over tasks; left out: it makes no progress"`
	ProgressSource  string         `json:"progressSource,omitempty" enum:"observed,cap,grant" doc:"Source of progressRate. observed: nodes report the CPU time that tasks had and waited for. cap: the CPU time of a task is not observed, so its cap counts in full. grant: the CPU time of a background task is not observed; nothing is guaranteed to it, so nothing counts"`
	VirtualSeconds  float64        `json:"virtualSeconds" doc:"Integral of the rate of progress"`
	RunningSeconds  float64        `json:"runningSeconds" doc:"Wall time during which all tasks made progress"`
	Priority        *float64       `json:"priority,omitempty" doc:"Flow time / virtual time²; left out: it has not run, which is the highest priority, or it has ended"`
	Promise         *Promise       `json:"promise,omitempty" doc:"Left out: it reserved nothing and has no deadline, has ended, or its interval is over"`
	Similar         *Similar       `json:"similar,omitempty" doc:"How long jobs like it took; left out: fewer than three have succeeded. In lists only with tasks=true"`
	ForecastSeconds float64        `json:"forecastSeconds,omitempty" doc:"Run time at full speed that policies expect of it; left out: nothing is known. In lists only with tasks=true"`
	Phases          map[string]int `json:"phases" doc:"Number of tasks in each state"`
	Tasks           []Task         `json:"tasks,omitempty" doc:"In lists only with tasks=true"`
}

// Why is a reason for people and for programs.
type Why struct {
	Text   string  `json:"text" example:"waits for memory: 1 of 2 VMs of 96 MiB each would fit"`
	Code   string  `json:"code" example:"no_memory"`
	Values []int64 `json:"values" doc:"The numbers of the text; memory in bytes, CPU in millicores, yields in thousandths"`
}

// Task is one task of a job.
type Task struct {
	Index                 int        `json:"index"`
	Run                   int        `json:"run" doc:"Number of the latest run; 0: none yet"`
	State                 string     `json:"state" enum:"waiting,starting,booting,running,frozen,resizing,pausing,paused,resuming,moving,stopping,ended" doc:"A move in progress takes precedence over the present state"`
	Node                  string     `json:"node,omitempty" doc:"Node of its VM"`
	Core                  int        `json:"core,omitempty" doc:"Processor of the node that its VM is bound to, from 1; left out: none"`
	Address               string     `json:"address,omitempty" doc:"Left out: its job has no network" example:"10.77.0.2"`
	Target                string     `json:"target,omitempty" doc:"Node on which the last decision places it; left out: none, or its VM is there"`
	Tier                  string     `json:"tier" enum:"foreground,background"`
	NeedMillicores        int64      `json:"needMillicores"`
	ShareMillicores       int64      `json:"shareMillicores" doc:"Granted by the last decision; in the background, the most that it may use"`
	Yield                 float64    `json:"yield" doc:"Share / need; 0 in the background, where nothing is granted"`
	CapAskedMillicores    int64      `json:"capAskedMillicores"`
	CapObservedMillicores int64      `json:"capObservedMillicores" doc:"In force at the hypervisor"`
	UsedMillicores        *int64     `json:"usedMillicores,omitempty" doc:"Measured over the last interval; only the leader knows"`
	UsedMemoryBytes       *int64     `json:"usedMemoryBytes,omitempty"`
	Move                  *Move      `json:"move,omitempty" doc:"Move in progress"`
	Exit                  *Exit      `json:"exit,omitempty" doc:"Exit of the last ended run"`
	Failures              int        `json:"failures" doc:"Number of runs that failed in the guest"`
	Losses                int        `json:"losses" doc:"Number of runs lost by the cluster within a day"`
	Attempts              int        `json:"attempts" doc:"Number of moves that failed in a row"`
	Trouble               string     `json:"trouble,omitempty" doc:"Why its last move failed; left out: it did not, or that is not known" example:"migrate: given up: no progress within 2 min"`
	RetryAt               *time.Time `json:"retryAt,omitempty" doc:"No move before this time"`
}

// Move is one step of one task towards the decided placement.
type Move struct {
	Kind            string     `json:"kind" enum:"start,stop,pause,resume,migrate,resize"`
	Job             string     `json:"job,omitempty"`
	Task            int        `json:"task"`
	From            string     `json:"from,omitempty"`
	To              string     `json:"to,omitempty"`
	ShareMillicores int64      `json:"shareMillicores"`
	Started         *time.Time `json:"started,omitempty"`
	Aborted         bool       `json:"aborted,omitempty" doc:"Its nodes have the order to abort it"`
	After           []int      `json:"after,omitempty" doc:"In plans: indexes of the moves that must end first"`
}

// Exit describes the end of a run.
type Exit struct {
	Code   *int   `json:"code,omitempty" doc:"Left out when the run was killed, lost or could not start"`
	Signal string `json:"signal,omitempty"`
	Cause  string `json:"cause,omitempty" doc:"Why the run was lost or could not start"`
}

// JobPage is one page of jobs, in the requested order.
type JobPage struct {
	Jobs  []Job  `json:"jobs"`
	Total int    `json:"total" doc:"Number of matches on all pages"`
	Next  string `json:"next,omitempty" doc:"Cursor of the next page; left out: this is the last"`
}

// Accepted is the answer to a durable command.
type Accepted struct {
	Revision uint64   `json:"revision" doc:"Revision of the state that contains it"`
	Job      string   `json:"job,omitempty" example:"j17"`
	Standing string   `json:"standing,omitempty" doc:"The standing reservation that was made" example:"s3"`
	Promise  *Promise `json:"promise,omitempty" doc:"Of an end that was moved: what is promised then, with its price"`
	Repeated bool     `json:"repeated,omitempty" doc:"An earlier request with this key has already done it"`
}
