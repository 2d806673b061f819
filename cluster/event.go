package cluster

import "slices"

// Event is one thing that happened. Events are made by Apply and kept outside the state.
type Event struct {
	Revision uint64
	Index    int // within the revision
	At       Time
	Kind     EventKind
	Job      JobID  // 0: not about a job
	Task     int    // index; -1: the whole job
	Run      int    // number; 0: none
	Node     NodeID // 0: not about a node
	From     NodeID // of a migration
	CPU      CPU    // share, for events that change it, in millicores
	Tier     Tier   `json:",omitempty"` // in which it has that share
	Actor    string
	Cause    // or detail, such as a name; its Text is all that events of older programs have
}

// EventKind is the kind of an event.
type EventKind string

// The kinds of events.
const (
	JobSubmitted             EventKind = "job_submitted"
	JobHeld                  EventKind = "job_held"
	JobReleased              EventKind = "job_released"
	JobDependent             EventKind = "job_dependent"
	JobEligible              EventKind = "job_eligible"
	JobEnding                EventKind = "job_ending"
	JobEnded                 EventKind = "job_ended"
	JobPlaced                EventKind = "job_placed"
	JobUnplaced              EventKind = "job_unplaced"
	JobKilled                EventKind = "job_killed"
	JobPromised              EventKind = "job_promised"
	JobRepromised            EventKind = "job_repromised"
	JobPromiseBroken         EventKind = "job_promise_broken"
	JobOverran               EventKind = "job_overran"
	JobRescheduled           EventKind = "job_rescheduled"
	JobPartOver              EventKind = "job_part_over"
	OfferMade                EventKind = "offer_made"
	OfferAccepted            EventKind = "offer_accepted"
	OfferDeclined            EventKind = "offer_declined"
	OfferExpired             EventKind = "offer_expired"
	OfferWithdrawn           EventKind = "offer_withdrawn"
	StandingMade             EventKind = "standing_made"
	StandingCancelled        EventKind = "standing_cancelled"
	StandingEnded            EventKind = "standing_ended"
	StandingLacking          EventKind = "standing_lacking"
	StandingMissed           EventKind = "standing_missed"
	TaskStarting             EventKind = "task_starting"
	TaskStarted              EventKind = "task_started"
	TaskResized              EventKind = "task_resized"
	TaskPausing              EventKind = "task_pausing"
	TaskPaused               EventKind = "task_paused"
	TaskResuming             EventKind = "task_resuming"
	TaskResumed              EventKind = "task_resumed"
	TaskMigrating            EventKind = "task_migrating"
	TaskMigrated             EventKind = "task_migrated"
	TaskStopping             EventKind = "task_stopping"
	TaskStopped              EventKind = "task_stopped"
	TaskExited               EventKind = "task_exited"
	TaskLost                 EventKind = "task_lost"
	TaskFound                EventKind = "task_found"
	TaskFrozen               EventKind = "task_frozen"
	TaskThawed               EventKind = "task_thawed"
	MoveFailed               EventKind = "move_failed"
	TaskQuarantined          EventKind = "task_quarantined"
	NodeInvited              EventKind = "node_invited"
	NodeAdmitted             EventKind = "node_admitted"
	NodeJoined               EventKind = "node_joined"
	NodeReady                EventKind = "node_ready"
	NodeSilent               EventKind = "node_silent"
	NodeDown                 EventKind = "node_down"
	NodeCordoned             EventKind = "node_cordoned"
	NodeDraining             EventKind = "node_draining"
	NodeUncordoned           EventKind = "node_uncordoned"
	NodeStray                EventKind = "node_stray"
	NodeBarred               EventKind = "node_barred"
	NodeRemoved              EventKind = "node_removed"
	NodeMaintenance          EventKind = "node_maintenance"
	NodeMaintenanceCancelled EventKind = "node_maintenance_cancelled"

	NodeHypervisorSilent EventKind = "node_hypervisor_silent"
	NodeHypervisorBack   EventKind = "node_hypervisor_back"
	NodeUnreachable      EventKind = "node_unreachable"
	NodeReachable        EventKind = "node_reachable"
	LeaderClaimed        EventKind = "leader_claimed"
	PolicySet            EventKind = "policy_set"
	ImagePut             EventKind = "image_put"
	ImageRemoved         EventKind = "image_removed"
	QuotaSet             EventKind = "quota_set"
	SubnetSet            EventKind = "subnet_set"
	ThetaSet             EventKind = "theta_set"
	TokenCreated         EventKind = "token_created"
	TokenRevoked         EventKind = "token_revoked"
	ReplicaDiverged      EventKind = "replica_diverged"
	BackupImported       EventKind = "backup_imported"
	FormatRaised         EventKind = "format_raised"
	TimeWasSet           EventKind = "time_set"
)

var eventKinds = []EventKind{
	JobSubmitted, JobHeld, JobReleased, JobDependent, JobEligible,
	JobEnding, JobEnded, JobPlaced, JobUnplaced, JobKilled, JobPromised,
	JobRepromised, JobPromiseBroken, JobOverran, JobRescheduled, JobPartOver, OfferMade, OfferAccepted,
	OfferDeclined, OfferExpired, OfferWithdrawn,
	StandingMade, StandingCancelled, StandingEnded, StandingLacking, StandingMissed, TaskStarting, TaskStarted,
	TaskResized, TaskPausing, TaskPaused, TaskResuming, TaskResumed, TaskMigrating, TaskMigrated, TaskStopping,
	TaskStopped, TaskExited, TaskLost, TaskFound, TaskFrozen, TaskThawed, MoveFailed, TaskQuarantined,
	NodeInvited, NodeAdmitted, NodeJoined, NodeReady, NodeSilent, NodeDown, NodeCordoned, NodeDraining, NodeUncordoned,
	NodeStray, NodeBarred, NodeRemoved, NodeMaintenance, NodeMaintenanceCancelled,
	NodeHypervisorSilent, NodeHypervisorBack, NodeUnreachable, NodeReachable,
	LeaderClaimed, PolicySet, ImagePut, ImageRemoved, QuotaSet, SubnetSet, ThetaSet, TokenCreated, TokenRevoked,
	ReplicaDiverged, BackupImported, FormatRaised, TimeWasSet,
}

// EventKinds lists all kinds, in the order above.
func EventKinds() []EventKind { return slices.Clone(eventKinds) }
