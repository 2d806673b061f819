package api

import "time"

// Event is one event in the cluster's history.
type Event struct {
	ID              string    `json:"id" doc:"Cursor of this event: revision.index" example:"1204.0"`
	Revision        uint64    `json:"revision"`
	At              time.Time `json:"at"`
	Kind            string    `json:"kind" example:"task_started"`
	Job             string    `json:"job,omitempty"`
	Task            *int      `json:"task,omitempty" doc:"Left out: the whole job, or none"`
	Run             int       `json:"run,omitempty"`
	Node            string    `json:"node,omitempty"`
	From            string    `json:"from,omitempty" doc:"Source node of a migration"`
	ShareMillicores int64     `json:"shareMillicores,omitempty"`
	Tier            string    `json:"tier,omitempty" enum:"background" doc:"background: it has of the share what others leave. Left out: foreground, or no share"`
	Actor           string    `json:"actor,omitempty"`
	Text            string    `json:"text,omitempty"`
}

// EventPage is one page of the history, newest first.
type EventPage struct {
	Events []Event `json:"events"`
	Next   string  `json:"next,omitempty" doc:"Cursor of the next, older page; left out: this is the last"`
}

// Hello is the first message of an event stream, and its heartbeat.
type Hello struct {
	Revision uint64 `json:"revision" doc:"Newest revision of this replica"`
	Replica  uint64 `json:"replica"`
}

// Policy is the scheduling policy and the period of its tick.
type Policy struct {
	Name   string `json:"name" minLength:"1" maxLength:"256" doc:"Published name" example:"GreedyPM */per/opt=min/minvt=600"`
	Period string `json:"period,omitempty" maxLength:"32" doc:"Between periodic decisions; left out: unchanged" example:"10m"`
}

// NewTime sets the cluster's clock.
type NewTime struct {
	Time time.Time `json:"time" doc:"The right time"`
}

// PolicyList lists all policies by name.
type PolicyList struct {
	Policies []PolicyLine `json:"policies"`
}

// PolicyLine describes an available policy.
type PolicyLine struct {
	Name   string `json:"name" doc:"As published, without parameters" example:"GreedyPM */per"`
	Family string `json:"family" enum:"backfill,dfrs,tiered" doc:"backfill: whole nodes or cores; dfrs: fractions; tiered: fore- and background"`
	About  string `json:"about" doc:"Description in one line"`
}

// Hypothesis is the assumption of a plan, with at most one field. Without one, the plan shows the next periodic
// decision, made now.
type Hypothesis struct {
	Drain  string        `json:"drain,omitempty" maxLength:"63" doc:"Name of a node to drain"`
	Submit *JobSpec      `json:"submit,omitempty" doc:"A job to submit"`
	Stand  *StandingSpec `json:"stand,omitempty" doc:"A standing reservation to make"`
	Policy *Policy       `json:"policy,omitempty" doc:"A policy to set"`
}

// PlanOrder is a request to apply a plan.
type PlanOrder struct {
	Basis      uint64     `json:"basis" minimum:"1" doc:"Basis of the announced plan"`
	Hypothesis Hypothesis `json:"hypothesis"`
	Force      bool       `json:"force,omitempty" doc:"Of a drain: break the promises that the plan lists as broken. Without it, such a drain is refused; other plans do not take it."`
}

// Plan shows the result of a decision without applying it.
type Plan struct {
	Basis         uint64        `json:"basis" doc:"Revision on which the decision was made"`
	Moves         []Move        `json:"moves" doc:"In a feasible order; empty: no beneficial move"`
	Blocked       []BlockedTask `json:"blocked" doc:"Tasks that should change or leave a draining node but cannot at present; the obstacle may pass by itself"`
	Jobs          []JobOutlook  `json:"jobs" doc:"Jobs that change, and those that could not go on"`
	Refusals      []PlanRefusal `json:"refusals" doc:"Jobs that could never run"`
	Cancelled     []string      `json:"cancelled" doc:"Jobs that would be cancelled, because they wait for one that would fail at once"`
	Broken        []PlanBroken  `json:"broken" doc:"Promises that would break"`
	YieldBefore   *float64      `json:"yieldBefore,omitempty" doc:"Least yield of the placed standard jobs, 0 for one in the background; left out: none is placed"`
	YieldAfter    *float64      `json:"yieldAfter,omitempty" doc:"Left out: no standard job would be placed"`
	YieldBound    *float64      `json:"yieldBound,omitempty" doc:"Upper bound of the least yield that any placement of these jobs can reach; left out: no job would be placed"`
	RunningBefore int           `json:"runningBefore" doc:"Number of placed jobs of all classes"`
	RunningAfter  int           `json:"runningAfter"`
	Yields        YieldChange   `json:"yields" doc:"Of all jobs that may run: those that wait or are paused count as 0"`
	Paused        []string      `json:"paused" doc:"Jobs that would lose their placement"`
	Nodes         []NodeOutlook `json:"nodes" doc:"Nodes that change"`
	Cost          PlanCost      `json:"cost"`
	Weighed       *Weighed      `json:"weighed,omitempty" doc:"Gain and cost of the best plan that the policy found for running jobs; left out: the policy does not weigh them"`
}

// PlanBroken is a promise that a plan would break.
type PlanBroken struct {
	Job   string    `json:"job" example:"j17"`
	Owner string    `json:"owner" example:"alice"`
	From  time.Time `json:"from" doc:"When its interval begins"`
	Until time.Time `json:"until" doc:"When its interval ends"`
}

// Weighed compares the gain and the cost of a plan for running jobs, in progress of all jobs together.
type Weighed struct {
	Beneficial     bool    `json:"beneficial" doc:"Its moves are made only if true"`
	Jobs           int     `json:"jobs" doc:"Number of jobs that would move; 0: no other mapping is better"`
	GainSeconds    float64 `json:"gainSeconds" doc:"Progress gained within the horizon"`
	CostSeconds    float64 `json:"costSeconds" doc:"Progress lost while the moving jobs stand still"`
	HorizonSeconds float64 `json:"horizonSeconds" doc:"How far ahead gains count"`
	Margin         int     `json:"margin" doc:"Least ratio of gain to cost of a beneficial plan"`
	Resting        int     `json:"resting" doc:"Number of jobs below their need that were not considered, because they were started or moved a short time ago"`
	RestSeconds    float64 `json:"restSeconds" doc:"Until the first of them may move; 0: none has to rest"`
	Fixed          int     `json:"fixed" doc:"Number of jobs below their need that cannot be moved now: their moves keep failing, or their node is silent or offers too little"`
	Text           string  `json:"text" doc:"The same for people"`
}

// YieldChange compares the yields before and after a plan.
type YieldChange struct {
	Before *YieldSummary `json:"before,omitempty" doc:"Left out: no job may run"`
	After  *YieldSummary `json:"after,omitempty" doc:"Left out: no job may run"`
}

// NodeOutlook shows the effect of a plan on one node.
type NodeOutlook struct {
	Node          string `json:"node"`
	CPUMillicores int64  `json:"cpuMillicores" doc:"Capacity for the cluster's VMs"`
	MemoryBytes   int64  `json:"memoryBytes" doc:"Capacity for the cluster's VMs"`
	Before        Load   `json:"before"`
	After         Load   `json:"after"`
}

// Load is the load placed on a node.
type Load struct {
	Tasks                int   `json:"tasks"`
	NeedMillicores       int64 `json:"needMillicores"`
	ShareMillicores      int64 `json:"shareMillicores" doc:"Guaranteed or not"`
	GuaranteedMillicores int64 `json:"guaranteedMillicores"`
	BestEffortMillicores int64 `json:"bestEffortMillicores"`
	MemoryBytes          int64 `json:"memoryBytes" doc:"Charged, overhead included"`
}

// PlanCost is the cost of a plan's moves.
type PlanCost struct {
	Moves map[string]int `json:"moves" doc:"Number of moves by kind"`
	Bytes int64          `json:"bytes" doc:"Memory saved, restored or sent to another node"`
}

// BlockedTask is a task that should change but cannot at present.
type BlockedTask struct {
	Job      string `json:"job"`
	Task     int    `json:"task"`
	Obstacle string `json:"obstacle" doc:"For people" example:"the store of saved images has no room, or there is none"`
}

// JobOutlook shows the effect of a plan on one job.
type JobOutlook struct {
	Job         string   `json:"job"`
	New         bool     `json:"new,omitempty" doc:"This is the job of the hypothesis"`
	YieldBefore *float64 `json:"yieldBefore,omitempty" doc:"Left out: not placed, or in the background"`
	YieldAfter  *float64 `json:"yieldAfter,omitempty" doc:"Left out: would not be placed, or would be in the background"`
	TierBefore  string   `json:"tierBefore,omitempty" enum:"foreground,background" doc:"Left out: not placed"`
	TierAfter   string   `json:"tierAfter,omitempty" enum:"foreground,background" doc:"Left out: would not be placed"`
	NodesBefore []string `json:"nodesBefore"`
	NodesAfter  []string `json:"nodesAfter"`
	Why         *Why     `json:"why,omitempty"`
	Promise     *Promise `json:"promise,omitempty" doc:"What the new job would be promised; left out: nothing, or it is no new job"`
}

// PlanRefusal is a job that could never run.
type PlanRefusal struct {
	Job   string `json:"job"`
	Why   Why    `json:"why"`
	Later bool   `json:"later" doc:"It is held or waits for other jobs, and would fail when its turn comes"`
}

// Image is a guest image for jobs.
type Image struct {
	Reference string    `json:"reference" doc:"Name for use in jobs" example:"busybox@sha256:…"`
	Name      string    `json:"name"`
	Digest    string    `json:"digest" doc:"SHA-256, hex"`
	Kind      string    `json:"kind" enum:"kernel,disk" doc:"kernel: VMs boot its kernel; its files are in memory. disk: VMs boot a copy of its disk"`
	SizeBytes int64     `json:"sizeBytes"`
	DiskBytes int64     `json:"diskBytes,omitempty" doc:"Size of the disk that VMs see, and the least that a job can have; left out: it has none"`
	Cmdline   string    `json:"cmdline,omitempty"`
	Added     time.Time `json:"added"`
	Builtin   bool      `json:"builtin"`
	// StartSeconds is left out of the answer to a push.
	StartSeconds float64 `json:"startSeconds,omitempty" doc:"Time that a promised VM is given to boot it: nine in ten of its latest starts took no longer, or of all images while fewer than ten of its own are known"`
}

// ImageList lists all images by name, newest first.
type ImageList struct {
	Images   []Image `json:"images"`
	MaxBytes int64   `json:"maxBytes" doc:"Limit of the size of a pushed archive"`
}

// Health is the state of the answering replica.
type Health struct {
	Status   string `json:"status" enum:"ok,unavailable"`
	Replica  uint64 `json:"replica"`
	Leads    bool   `json:"leads"`
	Revision uint64 `json:"revision"`
	Problem  string `json:"problem,omitempty"`
	Version  string `json:"version"`

	Format       uint32 `json:"format" doc:"Format of the replicated state: the version of its rules in force"`
	LatestFormat uint32 `json:"latestFormat" doc:"The highest format that this manager's program understands"`
}

// ManagerList lists all managers of the cluster by replica.
type ManagerList struct {
	Managers []Manager `json:"managers"`
}

// Manager is one of the replicas, as it answers now.
type Manager struct {
	Replica  uint64  `json:"replica"`
	Address  string  `json:"address,omitempty" doc:"Address of its REST; left out: unknown to the answering manager"`
	Answers  bool    `json:"answers" doc:"Whether it is the manager that answers this request"`
	Leads    bool    `json:"leads"`
	Status   string  `json:"status" enum:"ok,unavailable,unreachable,unknown" doc:"unavailable: it answers, but cannot serve; unreachable: it does not answer; unknown: it has no address here"`
	Revision *uint64 `json:"revision,omitempty" doc:"Newest revision that it has applied; left out: unknown"`
	Behind   *uint64 `json:"behind,omitempty" doc:"Number of revisions behind the newest replica; a few are normal, because the replicas are not asked at the same instant"`
	Problem  string  `json:"problem,omitempty"`
	Version  string  `json:"version,omitempty"`

	Format       uint32 `json:"format,omitempty" doc:"Format of its replicated state: the version of the rules in force, raised once all managers understand a higher one; left out: unknown"`
	LatestFormat uint32 `json:"latestFormat,omitempty" doc:"The highest format that its program understands; left out: not reported, which means format 2"`
}

// Version describes the answering program.
type Version struct {
	Version string `json:"version"`
	API     string `json:"api" example:"v1"`
	Go      string `json:"go"`
}
