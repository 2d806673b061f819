package api

import "time"

// Reserve is an interval in which a job is promised its full CPU and memory.
type Reserve struct {
	Start    string `json:"start" format:"date-time" maxLength:"40" doc:"When its VMs run; a job that falls due earlier than its VMs can start is refused" example:"2026-11-26T14:00:00Z"`
	Duration string `json:"duration" minLength:"2" maxLength:"32" doc:"How long it has its full CPU; a job that runs longer goes on as any other" example:"2h"`
}

// Deadline is the time until which a job is promised to have its work. One of duration and work is given.
type Deadline struct {
	By       string `json:"by" format:"date-time" maxLength:"40" doc:"When it has had its work, at the latest" example:"2026-11-26T18:00:00Z"`
	Duration string `json:"duration,omitempty" maxLength:"32" doc:"How long it takes with its full CPU" example:"2h"`
	Work     string `json:"work,omitempty" maxLength:"32" doc:"CPU time that all of its tasks take together, in equal parts" example:"8h"`
	Ready    string `json:"ready,omitempty" format:"date-time" maxLength:"40" doc:"It does not run before; left out: it may run at once"`
	Pausable bool   `json:"pausable,omitempty" doc:"Its work may be promised in up to 8 parts, between which it may be paused. Left out: at a stretch"`
}

// Part is an interval in which a job with a deadline is promised a part of its work.
type Part struct {
	From  time.Time `json:"from"`
	Until time.Time `json:"until"`
	Nodes []string  `json:"nodes,omitempty" doc:"Of its tasks that have not ended, in their order; left out: it is not promised yet"`
}

// Promise is what is kept for a job that reserved an interval or has a deadline.
type Promise struct {
	State string    `json:"state" enum:"promised,in_force,over,broken" doc:"promised: it begins later, and until then a job with a deadline runs as any other. in_force: the job gets what it was promised, at the latest from due on. over: the interval has passed. broken: too little is left of the nodes; the job runs when and as it can"`
	From  time.Time `json:"from"`
	Until time.Time `json:"until"`
	Due   time.Time `json:"due" doc:"When its VMs begin to start, and others make room"`
	Nodes []string  `json:"nodes" doc:"Of its tasks that have not ended, in their order; they can change as long as it has not begun, and when a node is lost"`

	Indexes []int `json:"indexes" doc:"Of the same tasks"`

	PriceCoreHours float64 `json:"priceCoreHours,omitempty" doc:"What it costs, as it was agreed when it was made; left out: nothing, or it was made before promises had prices"`

	Deadline     *time.Time `json:"deadline,omitempty" doc:"When the job has had its work, at the latest; left out: it reserved an interval. With a deadline, from is when the job has its full CPU at the latest, for what it then lacks; it is later the more the job has done"`
	Ready        *time.Time `json:"ready,omitempty" doc:"The job does not run before; left out: it may run at once, or it has no deadline"`
	LeftSeconds  *float64   `json:"leftSeconds,omitempty" doc:"Running time at its full CPU that the job lacks of what it declared; left out: it has no deadline"`
	Margin       float64    `json:"margin,omitempty" doc:"The part of the work for whose length its nodes are kept besides, as it was when the promise was made; left out: it has no deadline"`
	SlackSeconds *float64   `json:"slackSeconds,omitempty" doc:"How long the job could make no progress before it gets its full CPU; left out: it has no deadline, or too little is kept (shortSeconds)"`
	ShortSeconds *float64   `json:"shortSeconds,omitempty" doc:"Running time at its full CPU of what the job lacks for which nothing is kept, because a part was over before its work was done: it has to be made up for; left out: enough is kept, or the promise is broken"`
	Parts        []Part     `json:"parts,omitempty" doc:"The parts that are not over, in order, if the work is promised in several: from, until and nodes are those of the first. Left out: it is promised at a stretch"`
}

// Reservation is a promise to a job.
type Reservation struct {
	Job           string `json:"job" example:"j17"`
	Name          string `json:"name"`
	Owner         string `json:"owner"`
	Project       string `json:"project"`
	Tasks         int    `json:"tasks" doc:"Tasks that have not ended"`
	CPUMillicores int64  `json:"cpuMillicores" doc:"Promised to each task"`
	MemoryBytes   int64  `json:"memoryBytes" doc:"Promised to each task, with the overhead of its VM"`
	Standing      string `json:"standing,omitempty" doc:"The standing reservation of which it is an occurrence; left out: of none" example:"s3"`
	Promise
}

// ReservationList lists promises, those that begin first first.
type ReservationList struct {
	Reservations  []Reservation   `json:"reservations"`
	Expected      []ExpectedStart `json:"expected" doc:"What FCFS, EASY, conservative and the policies of two tiers booked for waiting jobs, by their estimates; at most the 1000 that start first"`
	ExpectedTotal int             `json:"expectedTotal" doc:"How many jobs are booked in all"`
	Capacity      []Promisable    `json:"capacity" doc:"CPU of all nodes together that promises can count on, from now on, the earliest first; the last lasts"`
	Margin        Margin          `json:"margin"`
}

// Promisable is the CPU that promises can count on from a time on, until the next one in the list.
type Promisable struct {
	From          time.Time `json:"from"`
	CPUMillicores int64     `json:"cpuMillicores" doc:"A node that is down, drains or is in maintenance then gives none; one that takes no new VMs gives what is promised there"`
}

// Margin is what new promises with a deadline keep besides their work, for what other programs of a node take from its
// VMs, and for moves.
type Margin struct {
	Part     float64 `json:"part" doc:"Of the work; from 0.02 to 0.25: what 19 of 20 of the latest promises lost while they were in force"`
	Measured int     `json:"measured" doc:"Promises whose losses are known, the latest 64 at most; the margin is 0.02 while they are fewer than 20"`
	Learnt   bool    `json:"learnt" doc:"They are enough"`
}

// ExpectedStart is when a waiting job starts at the latest, if no estimate is exceeded. A policy booked it at its last
// decision, and may book another at the next one.
type ExpectedStart struct {
	Job           string     `json:"job" example:"j17"`
	Name          string     `json:"name"`
	Owner         string     `json:"owner"`
	Project       string     `json:"project"`
	Tasks         int        `json:"tasks" doc:"Tasks that have not ended"`
	CPUMillicores int64      `json:"cpuMillicores" doc:"Need of each task"`
	Start         time.Time  `json:"start" doc:"Jobs whose start has passed, because others run longer than was estimated, are not listed"`
	Until         *time.Time `json:"until,omitempty" doc:"When it ends by its estimate; left out: it has none"`
}

// Theta is the limit of the price of every promise.
type Theta struct {
	Theta          float64  `json:"theta" doc:"0: there is no limit" example:"0.2"`
	LimitCoreHours *float64 `json:"limitCoreHours,omitempty" doc:"The most that a promise may cost now: theta × the CPU of all nodes that are not down × one hour; left out: there is no limit"`
}

// NewTheta sets the limit of the price of every promise.
type NewTheta struct {
	Theta float64 `json:"theta" doc:"From 0.001 to 100, or 0 for no limit; it is kept to a thousandth" example:"0.2"`
}

// Moving says by how much an end is moved.
type Moving struct {
	By string `json:"by" maxLength:"32" doc:"A duration" example:"30m"`
}

// Alternative is a reservation or a deadline that could be promised instead of one that was refused.
type Alternative struct {
	Start    time.Time `json:"start"`
	Duration string    `json:"duration" doc:"Of all parts together" example:"2h"`
	Tasks    int       `json:"tasks"`
	Parts    []Part    `json:"parts,omitempty" doc:"The parts in which the work could be promised, if the job may be paused: accepting it makes the job pausable. Left out: at a stretch"`

	Deadline *time.Time `json:"deadline,omitempty" doc:"For a job with a deadline: the one that could be promised"`
	Offer    string     `json:"offer,omitempty" doc:"The offer that holds it, to be accepted; left out: it is not held" example:"o17"`
	Expires  *time.Time `json:"expires,omitempty" doc:"Until which it is held"`

	PriceCoreHours float64 `json:"priceCoreHours,omitempty" doc:"What it would cost"`
}

// Offer is what a job can be promised instead of what was refused. Its room is held until it expires.
type Offer struct {
	Offer         string     `json:"offer" example:"o17"`
	Answer        string     `json:"answer" doc:"The first offer of the same answer: one of them can be accepted" example:"o16"`
	Name          string     `json:"name" doc:"Of the job"`
	Owner         string     `json:"owner"`
	Project       string     `json:"project"`
	Tasks         int        `json:"tasks"`
	CPUMillicores int64      `json:"cpuMillicores" doc:"For each task"`
	MemoryBytes   int64      `json:"memoryBytes" doc:"For each task, with the overhead of its VM"`
	From          time.Time  `json:"from" doc:"Begin of the interval in which it has all of its CPU; of a job with a deadline, at the latest"`
	Until         time.Time  `json:"until"`
	Deadline      *time.Time `json:"deadline,omitempty" doc:"By which the job has had its work"`
	Parts         []Part     `json:"parts,omitempty" doc:"The parts in which the job has its work, between which it may be paused; from, until and nodes are those of the first. Left out: at a stretch"`
	Nodes         []string   `json:"nodes" doc:"One for each task; they may change"`
	Expires       time.Time  `json:"expires"`

	PriceCoreHours float64 `json:"priceCoreHours,omitempty" doc:"What the promise costs, as it was when it was offered"`
}

// OfferList lists the offers that can be accepted, by id.
type OfferList struct {
	Offers []Offer `json:"offers"`
}
