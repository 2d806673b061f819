package cluster

import "fmt"

// Result is the outcome of Apply. A nil Rejection means that the command was applied.
type Result struct {
	Revision  uint64 // of the state after the command
	Job       JobID
	Node      NodeID
	Standing  StandingID
	Epoch     uint64
	Admission uint64 // of the node that Admit let in
	Rejection *Rejection
	Offered   *Rejection // of a Submit: why there is no job, with offers that are held
	Events    []Event
	Repeated  bool // the request had been applied before, and was not applied again
}

// Rejection is the reason for which a command was not applied.
type Rejection struct {
	Code   Code
	Field  string // of the request, if one is to blame
	Detail string // for people, with numbers and advice

	Alternatives []Alternative // of a reservation that cannot be promised

	Unquoted string // owner or project that a quota would let have more, like "owner ann"; "": there is another limit
}

func (r *Rejection) Error() string { return fmt.Sprintf("%s: %s", r.Code, r.Detail) }

// Code names the kind of a rejection for programs.
type Code string

// The codes of rejections.
const (
	CodeNotFound      Code = "not_found"
	CodeForbidden     Code = "forbidden"
	CodeInvalid       Code = "invalid"
	CodeConflict      Code = "conflict"
	CodeStaleEpoch    Code = "stale_epoch"
	CodeStaleBasis    Code = "stale_basis"
	CodeNeedsMoreCPU  Code = "need_exceeds_every_node"
	CodeNeedsMoreMem  Code = "memory_exceeds_every_node"
	CodeTooManyTasks  Code = "tasks_exceed_cluster"
	CodeNoAllowedNode Code = "no_allowed_node"
	CodeImageInUse    Code = "image_in_use"
	CodeUnknownImage  Code = "unknown_image"
	CodeKeyReused     Code = "idempotency_key_reused"
	CodeLimit         Code = "limit_reached"
	CodeQuota         Code = "quota_exceeded"
	CodeNoPromise     Code = "cannot_be_promised"
	CodeInternalBug   Code = "internal_bug"
)

func reject(code Code, field, format string, args ...any) Result {
	return Result{Rejection: &Rejection{Code: code, Field: field, Detail: fmt.Sprintf(format, args...)}}
}
