package cluster

import "fmt"

// A Format is a version of Apply's outcomes and of the stored and hashed data. State.Format is the one in force. New
// gives FirstFormat forever: until its first snapshot a replica's log is applied to a new state, and every program
// must come to the same outcome. Raise is the only way up, and the leader proposes it once every manager understands
// the Format.
//
// A change of Apply's outcome or of the stored or hashed data takes a new Format, and a line here:
//
//	1  the first
//	2  jobs count their moves: Job.Moves, Job.Moved
//	3  replicas compare hashes again; below, programs that walk over the state in another way may take part.
//	   Reports tell the tier in force and the work of runs: Task.Progress, Clock.Steal.
//	   That work also tells what CPU runs used or waited for: Progress.Used.
//	   Reports tell how much memory strays take. It is not offered: Node.Astray.
//	   Reports tell that a hypervisor does not answer; no run moves to or from such a node: Node.HypervisorSilent.
//	   The agenda has alarms besides the tick.
//	   The part of a cap that is not guaranteed is best effort, which needs no room: Grant.Guaranteed, Load.BestEffort.
//	   A node lists maxStrays at most, offers no more than a node can have, and gets back only runs that were handed out.
//	   Jobs may fail on loss: Spec.FailOnLoss.
//	   Endings and exits have codes where they had sentences: Cause, Exit.Why.
//	   One command moves time by MaxStep at most, and SetTime sets it: State.TimeSet, Command.TimeSet.
//	   A loss counts for a day: Task.LossesSince
//	   Requests are remembered by sender and age, with what they did.
//	   Quotas limit what jobs take, and the history is limited by tasks and text, too: SetQuota.
//	   Nodes are invited, admitted and removed: Node.Invitation, Node.Admission, Node.Absent.
//	   Nodes tell the version of their monitor: Description.Program.
//	   A restore ends jobs that were ending and whose tasks have no VM.
//	   Tasks know the nodes that their runs were given to, and no other can claim them: Task.Given.
//	   A VM that has left for a node that went down was lost there, not where it came from.
//	   A node without a link is unreachable: Node.Unlinked, SetLink.
//	   A node that came back, or that may have a copy of a VM, takes no VMs before it has reported under orders of then:
//	   Node.Awaited, Report.Revision, Orders.Awaited.
//	   Reports of a former link do not count: Node.Joined, Report.Joined.
//	   Jobs may have another class than standard: Spec.Class.
//	   A decision can give up the work of jobs: Adopt.Kill, Task.Killed.
//	   Jobs know when they came to the foreground, and an occasion knows the tier of ended jobs: Job.Foreground,
//	   Occasion.EndedForeground.
//	   Nodes tell how many processors VMs can be bound to, and placements bind them: Description.Cores, Placement.Cores.
//	4  jobs may reserve an interval, and promises are kept: Spec.Reserve, State.promises
//	5  images may be disks, and jobs bring files along: Image.Disk, .Least, Spec.Disk, .CloudInit, .Files
//	   Nodes tell that they boot no disk images, or move no VMs alive: Description.Diskless, .Immobile
//	   Nodes tell the speed of their processors: Description.Speed
//	6  jobs may wait for others, and several are submitted at once: Spec.After, SubmitWorkflow
//	   Jobs may have deadlines: Spec.Deadline, Promise.Work, .Ready, .Base, .Wake
//	   Jobs may have a least yield: Spec.MinYield
//	   States measure how long starts and restores take: Task.Began, State.starts
//	   Maintenance of nodes is planned: Node.Maintenance, Maintain, Reopen
//	   Jobs leave files behind, which their quotas count: Spec.Outputs, Limits.ResultBytes
//	   VMs may have a network: SetSubnet, Description.Bridged, Spec.Network, Job.Address.
//	7  run times of jobs that succeeded are remembered: State.experience, Spec.Type
//	   Alternatives to what cannot be promised are held: Submit.Hold, JobOffer, AcceptOffer, DeclineOffer
//	   Ends of promises are moved: Reschedule
//	   Reservations are made again every week: Stand, CancelStanding, Job.Standing
//	   Promises have prices, and jobs a budget: Promise.Price, Spec.Budget
//	   Operators limit prices: SetTheta, State.Theta
//	   Copies of a named command that was refused are refused, too: State.refusals
//	   Starts are measured by image, and restores apart from them: State.boots, State.restores
//	   The margin of deadlines is learnt: Promise.Margin, .Since, .Had, State.losses
//	   Deadlines are promised in parts: Deadline.Pausable, Promise.Later
//	   A job whose floors the nodes can never give together is refused.
//	   A command may end all jobs that another waits for. Below, it fails.
//	8  Promises in parts are kept as all of a promise is: their later parts are looked at when a part is over, are found
//	   only where jobs can be paused, and are looked for again if they hold too little.
//	   Floors count on all of a node, whatever else it runs.
//	   The built-in image cannot be removed, and an image that was pushed can become it.
//	   A drain that would break promises is rejected unless it is forced: ForceDrain.
//	   A job keeps telling that its promise is broken while it waits.
//	9  Where a guest exits while its VM migrates, the other node has to destroy what is there of it.
//	   The event of an exit names the node that its task was on.
//	   A cordon that would break promises is rejected unless it is forced: ForceCordon.
//	10 Projects are isolated on the network, and its cards have a limit: Job.Segment, Description.Isolates, .Limits,
//	   Subnet.Open, .Rate
//	   A promise that moves gives a cordoned node no more tasks than it has of the job.
//	   Tasks know why their last move failed: Task.Trouble, Move.Abort.
//	   Nodes tell the speed that a benchmark measured: Description.Measured
//	   Run times are remembered by class of nodes, too: State.speeds, Description.Class
const (
	FirstFormat  = 2  // of a new state
	LatestFormat = 10 // that this program understands

	countsMoves = 2
	compares    = 3
	keepsAlarms = 3
	raises      = 3 // a reader of a Raise knows at least this one
	observes    = 3
	grants      = 3
	boundsNodes = 3
	handsOut    = 3
	failsOnLoss = 3
	keepsCodes  = 3
	setsTime    = 3
	forgetsLoss = 3
	keepsKeys   = 3
	hasQuotas   = 3
	invites     = 3
	versions    = 3
	reaps       = 3
	awaits      = 3
	blames      = 3
	setsLink    = 3
	hasClasses  = 3
	kills       = 3
	tellsTiers  = 3
	binds       = 3
	promises    = 4
	hasDisks    = 5
	hasSpeeds   = 5
	hasSteps    = 6
	punctual    = 6
	hasFloors   = 6
	maintains   = 6
	measures    = 6
	hasResults  = 6
	connects    = 6
	remembers   = 7
	hearsMany   = 7
	offers      = 7
	reschedules = 7
	stands      = 7
	prices      = 7
	limits      = 7
	refuses     = 7
	learns      = 7
	parts       = 7
	floorsFit   = 7
	keepsParts  = 8
	guards      = 8
	cleansUp    = 9
	cordons     = 9
	isolates    = 10
	shutsOut    = 10
	blamesMoves = 10
	benchmarks  = 10
	classifies  = 10
)

// Comparable reports whether replicas may compare hashes of this state. Programs that know only Formats below walk over
// a state in another way, and one of them may be a member.
func (s *State) Comparable() bool { return s.Format >= compares }

// SetsTime reports whether SetTime is understood, and one command moves the clock by MaxStep at most.
func (s *State) SetsTime() bool { return s.Format >= setsTime }

// Raise puts a higher Format in force. All replicas must understand it: DecodeCommand refuses one that this program
// does not know, so that an old replica halts rather than going on with a state that differs.
type Raise struct{ Format uint32 }

func (a Raise) apply(t *transaction) Result {
	if a.Format <= t.Format || a.Format > LatestFormat {
		return reject(CodeConflict, "format", "format %d is not between the one in force, %d, and the latest known, %d",
			a.Format, t.Format, LatestFormat)
	}
	before := t.Format
	t.Format = a.Format
	if before < grants && grants <= t.Format {
		t.recount()
		t.reindex()
	}
	if before < keepsKeys && keepsKeys <= t.Format {
		t.date()
		t.reindex()
	}
	if before < isolates && isolates <= t.Format {
		t.Subnet.Open = t.Subnet.Bits > 0 // an upgrade must not cut what runs
		t.adaptAll()
	}
	t.emit(Event{Kind: FormatRaised, Task: -1, Cause: Because(WhyFormat, int64(a.Format))})
	return Result{}
}

// formatOf returns the least Format whose readers know the action.
func formatOf(a Action) uint32 {
	switch a := a.(type) {
	case Raise:
		return raises
	case SetTime:
		return setsTime
	case SetQuota:
		return hasQuotas
	case SetLink:
		return setsLink
	case Maintain, Reopen:
		return maintains
	case AcceptOffer, DeclineOffer:
		return offers
	case Reschedule:
		return reschedules
	case Stand, CancelStanding:
		return stands
	case SetTheta:
		return limits
	case SetSubnet:
		if a.Subnet.Open || a.Subnet.Rate != 0 {
			return isolates
		}
		return connects
	case Invite, Admit, RemoveNode:
		return invites
	case Join:
		switch d := &a.Description; {
		case d.Isolates || d.Limits || d.Diskless || d.Immobile:
			return isolates
		case d.Measured != 0:
			return benchmarks
		case d.Class != "":
			return classifies
		case d.Bridged:
			return connects
		case d.Speed != 0:
			return hasSpeeds
		case a.Admission != 0:
			return invites
		case d.Program != "":
			return versions
		case d.Cores != 0:
			return binds
		}
	case Report:
		if a.observes() {
			return observes
		}
	case SetNode:
		switch a.Want {
		case ForceDrain:
			return guards
		case ForceCordon:
			return cordons
		}
	case PutImage:
		if i := &a.Image; i.Kind == DiskImage || i.Disk != 0 || i.Least != 0 {
			return hasDisks
		}
	case SubmitWorkflow:
		need := uint32(hasSteps)
		for i := range a.Steps {
			need = max(need, formatOf(Submit{Spec: a.Steps[i].Spec}))
		}
		return need
	case Submit:
		if a.Spec.Deadline != nil && a.Spec.Deadline.Pausable {
			return parts
		}
		if a.Spec.Budget != 0 {
			return prices
		}
		if a.Spec.Type != "" {
			return remembers
		}
		if a.Hold != 0 {
			return offers
		}
		if a.Spec.After != nil || a.Spec.Workflow != "" {
			return hasSteps
		}
		if a.Spec.Deadline != nil {
			return punctual
		}
		if a.Spec.MinYield != 0 {
			return hasFloors
		}
		if len(a.Spec.Outputs) > 0 || a.Spec.Limits.ResultBytes != 0 || a.Spec.Network != NoNetwork {
			return hasResults
		}
		if a.Spec.baggage() {
			return hasDisks
		}
		if a.Spec.Reserve != nil {
			return promises
		}
		if a.Spec.Class != StandardClass {
			return hasClasses
		}
		if a.Spec.FailOnLoss {
			return failsOnLoss
		}
	case Adopt:
		if len(a.Kill) > 0 {
			return kills
		}
		if a.grants() {
			return grants
		}
		if a.binds() {
			return binds
		}
	case Cancel:
		return a.Cause.format()
	case AbortMove:
		return a.Cause.format()
	case Enact:
		return max(formatOf(a.Wish), formatOf(a.Decision))
	}
	return 1
}

// Unready returns why an action must not be done before a higher Format is in force, or nil. It must be asked before
// the action is proposed, too: a replica of an older program would halt at an action it cannot read. Raise is the
// exception: the leader asks all replicas before it.
func (s *State) Unready(a Action) *Rejection {
	if _, raise := a.(Raise); raise {
		return nil
	}
	if need := formatOf(a); need > s.Format {
		return &Rejection{Code: CodeConflict, Detail: fmt.Sprintf(
			"this needs format %d of the state, and %d is in force: it is raised once all managers run a program that knows it",
			need, s.Format)}
	}
	return nil
}
