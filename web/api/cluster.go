package api

import "time"

// Event is one thing that happened.
type Event struct {
	ID              string    `json:"id" doc:"Cursor of this event: revision.index" example:"1204.0"`
	Revision        uint64    `json:"revision"`
	At              time.Time `json:"at"`
	Kind            string    `json:"kind" example:"task_started"`
	Job             string    `json:"job,omitempty"`
	Task            *int      `json:"task,omitempty" doc:"Left out: the whole job, or none"`
	Run             int       `json:"run,omitempty"`
	Node            string    `json:"node,omitempty"`
	From            string    `json:"from,omitempty" doc:"Of a migration"`
	ShareMillicores int64     `json:"shareMillicores,omitempty"`
	Actor           string    `json:"actor,omitempty"`
	Text            string    `json:"text,omitempty"`
}

// EventPage is one page of the history, newest first.
type EventPage struct {
	Events []Event `json:"events"`
	Next   string  `json:"next,omitempty" doc:"Cursor of the next, older page; left out: this is the last"`
}

// Hello is the first message of an event stream, and of every heartbeat.
type Hello struct {
	Revision uint64 `json:"revision" doc:"Newest of this replica"`
	Replica  uint64 `json:"replica"`
}

// Policy is the scheduling policy and the period of its tick.
type Policy struct {
	Name   string `json:"name" minLength:"1" maxLength:"256" doc:"Published name" example:"GreedyPM */per/opt=min/minvt=600"`
	Period string `json:"period,omitempty" maxLength:"32" doc:"Between periodic decisions; left out: as it is" example:"10m"`
}

// NewTime is what the cluster's clock is set to.
type NewTime struct {
	Time time.Time `json:"time" doc:"The right time"`
}

// PolicyList is all policies by name.
type PolicyList struct {
	Policies []PolicyLine `json:"policies"`
}

// PolicyLine is a policy that there is.
type PolicyLine struct {
	Name   string `json:"name" doc:"As published, without parameters" example:"GreedyPM */per"`
	Family string `json:"family" enum:"backfill,dfrs" doc:"backfill gives jobs whole nodes or cores, dfrs gives them fractions"`
	About  string `json:"about" doc:"What it does, in a line"`
}

// Hypothesis is what a plan assumes: at most one field. With none, the plan is what the next periodic decision would do now.
type Hypothesis struct {
	Drain  string   `json:"drain,omitempty" maxLength:"253" doc:"Name of a node to be drained"`
	Submit *JobSpec `json:"submit,omitempty" doc:"A job to be submitted"`
	Policy *Policy  `json:"policy,omitempty" doc:"A policy to be set"`
}

// PlanOrder applies a plan.
type PlanOrder struct {
	Basis      uint64     `json:"basis" minimum:"1" doc:"Of the plan as it was announced"`
	Hypothesis Hypothesis `json:"hypothesis"`
}

// Plan is what would be done.
type Plan struct {
	Basis         uint64        `json:"basis" doc:"Revision that was decided on"`
	Moves         []Move        `json:"moves" doc:"In an order in which they may be done; empty: no beneficial move"`
	Blocked       []BlockedTask `json:"blocked" doc:"Tasks that should change but cannot for now; what stands in the way may go by itself"`
	Jobs          []JobOutlook  `json:"jobs" doc:"Jobs for which something changes"`
	Refusals      []PlanRefusal `json:"refusals" doc:"Jobs that could never run"`
	YieldBefore   *float64      `json:"yieldBefore,omitempty" doc:"Least yield of the jobs that hold something"`
	YieldAfter    *float64      `json:"yieldAfter,omitempty"`
	YieldBound    *float64      `json:"yieldBound,omitempty" doc:"No placement gives all jobs that would hold something a least yield above it; left out: nobody would"`
	RunningBefore int           `json:"runningBefore" doc:"Jobs that hold something"`
	RunningAfter  int           `json:"runningAfter"`
	Yields        YieldChange   `json:"yields" doc:"Of the jobs that hold something"`
	Paused        []string      `json:"paused" doc:"Jobs that hold something and would hold nothing"`
	Nodes         []NodeOutlook `json:"nodes" doc:"Nodes on which something changes"`
	Cost          PlanCost      `json:"cost"`
	Weighed       *Weighed      `json:"weighed,omitempty" doc:"What the best plan that the policy found for running jobs is worth; left out: it does not weigh"`
}

// Weighed is what a plan for running jobs would gain and cost, in progress of all jobs together.
type Weighed struct {
	Beneficial     bool    `json:"beneficial" doc:"Only then are its moves made"`
	Jobs           int     `json:"jobs" doc:"That would move; 0: no other mapping gives more"`
	GainSeconds    float64 `json:"gainSeconds" doc:"Of progress within the horizon"`
	CostSeconds    float64 `json:"costSeconds" doc:"Of progress, while the jobs that move stand still"`
	HorizonSeconds float64 `json:"horizonSeconds" doc:"How far ahead a gain counts at most"`
	Margin         int     `json:"margin" doc:"How many times its cost a plan must gain"`
	Text           string  `json:"text" doc:"The same for people"`
}

// YieldChange is what a plan does to the yields.
type YieldChange struct {
	Before *YieldSummary `json:"before,omitempty" doc:"Left out: no job holds anything"`
	After  *YieldSummary `json:"after,omitempty" doc:"Left out: no job would hold anything"`
}

// NodeOutlook is what a plan means for one node.
type NodeOutlook struct {
	Node          string `json:"node"`
	CPUMillicores int64  `json:"cpuMillicores" doc:"Capacity for VMs of ours"`
	MemoryBytes   int64  `json:"memoryBytes" doc:"Capacity for VMs of ours"`
	Before        Load   `json:"before"`
	After         Load   `json:"after"`
}

// Load is what is placed on a node.
type Load struct {
	Tasks           int   `json:"tasks"`
	NeedMillicores  int64 `json:"needMillicores"`
	ShareMillicores int64 `json:"shareMillicores"`
	MemoryBytes     int64 `json:"memoryBytes" doc:"Charged, overhead included"`
}

// PlanCost is what the moves of a plan take.
type PlanCost struct {
	Moves map[string]int `json:"moves" doc:"How many there are of each kind"`
	Bytes int64          `json:"bytes" doc:"Memory that is saved, restored or sent to another node"`
}

// BlockedTask is a task that should change but cannot for now.
type BlockedTask struct {
	Job      string `json:"job"`
	Task     int    `json:"task"`
	Obstacle string `json:"obstacle" doc:"For people" example:"the store of saved images has no room, or there is none"`
}

// JobOutlook is what a plan means for one job.
type JobOutlook struct {
	Job         string   `json:"job"`
	New         bool     `json:"new,omitempty" doc:"The job that the plan assumes to be submitted"`
	YieldBefore *float64 `json:"yieldBefore,omitempty" doc:"Left out: holds nothing"`
	YieldAfter  *float64 `json:"yieldAfter,omitempty" doc:"Left out: would hold nothing"`
	NodesBefore []string `json:"nodesBefore"`
	NodesAfter  []string `json:"nodesAfter"`
	Why         *Why     `json:"why,omitempty"`
}

// PlanRefusal is a job that could never run.
type PlanRefusal struct {
	Job string `json:"job"`
	Why Why    `json:"why"`
}

// Image is a guest image that jobs may name.
type Image struct {
	Reference string    `json:"reference" doc:"How jobs name it" example:"busybox@sha256:…"`
	Name      string    `json:"name"`
	Digest    string    `json:"digest" doc:"SHA-256, hex"`
	Kind      string    `json:"kind" enum:"kernel"`
	SizeBytes int64     `json:"sizeBytes"`
	Cmdline   string    `json:"cmdline,omitempty"`
	Added     time.Time `json:"added"`
	Builtin   bool      `json:"builtin"`
}

// ImageList is all images by name, newest first.
type ImageList struct {
	Images   []Image `json:"images"`
	MaxBytes int64   `json:"maxBytes" doc:"An archive that is pushed may have so many"`
}

// Health is the state of the replica that answers.
type Health struct {
	Status   string `json:"status" enum:"ok,unavailable"`
	Replica  uint64 `json:"replica"`
	Leads    bool   `json:"leads"`
	Revision uint64 `json:"revision"`
	Problem  string `json:"problem,omitempty"`
	Version  string `json:"version"`

	Format       uint32 `json:"format" doc:"Of the replicated state: the version of its rules that is in force"`
	LatestFormat uint32 `json:"latestFormat" doc:"The highest format that this manager's program understands"`
}

// ManagerList is all managers of the cluster by replica.
type ManagerList struct {
	Managers []Manager `json:"managers"`
}

// Manager is one of the replicas, as it answered just now.
type Manager struct {
	Replica  uint64  `json:"replica"`
	Address  string  `json:"address,omitempty" doc:"Of its REST; left out: the one that answers does not know it"`
	Answers  bool    `json:"answers" doc:"Whether it is the one that answers this request"`
	Leads    bool    `json:"leads"`
	Status   string  `json:"status" enum:"ok,unavailable,unreachable,unknown" doc:"unavailable: it answers, but cannot serve; unreachable: it does not answer; unknown: it has no address here"`
	Revision *uint64 `json:"revision,omitempty" doc:"That it has applied; left out: it did not say"`
	Behind   *uint64 `json:"behind,omitempty" doc:"Revisions that the foremost is ahead of it; a few are normal, since they are not asked at one instant"`
	Problem  string  `json:"problem,omitempty"`
	Version  string  `json:"version,omitempty"`

	Format       uint32 `json:"format,omitempty" doc:"Of its replicated state: the version of the rules in force, raised once all managers understand a higher one; left out: it did not say"`
	LatestFormat uint32 `json:"latestFormat,omitempty" doc:"The highest format that its program understands; left out: it did not say, so format 2"`
}

// Version is what answers.
type Version struct {
	Version string `json:"version"`
	API     string `json:"api" example:"v1"`
	Go      string `json:"go"`
}
