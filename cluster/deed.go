package cluster

import (
	"fmt"
	"strconv"
	"strings"
)

// deed is what the sender of a named request had done, and to which object. Two requests with one name that differ in
// it are different requests. It leaves out whatever may differ when a request is repeated: images found by name,
// secrets, times.
type deed struct {
	kind   deedKind
	node   NodeID // zero: the kind has none
	number uint64 // of the job, or the revision of the plan
	name   string // of the run, project, owner, policy or token, or the time in microseconds by which an end is moved
}

// deedKind is what was done. States hold the numbers: they are never given to another kind.
type deedKind uint8

const (
	deedOther deedKind = iota // the manager's own action
	deedSubmit
	deedCancel
	deedHold
	deedRelease
	deedUncordon
	deedCordon
	deedDrain
	deedConfirmDown
	deedSettleStray
	deedSetPolicy
	deedSetProjectQuota
	deedSetOwnerQuota
	deedSetTime
	deedRemoveImage
	deedRevokeToken
	deedCreateToken
	deedApplyPlan
	deedMaintain
	deedReopen
	deedSubmitWorkflow
	deedSetSubnet
	deedAcceptOffer
	deedDeclineOffer
	deedReschedule
	deedStand
	deedCancelStanding
	deedSetTheta
)

func deedOf(a Action) deed {
	switch a := a.(type) {
	case Submit:
		return deed{kind: deedSubmit}
	case SubmitWorkflow:
		return deed{kind: deedSubmitWorkflow, number: uint64(a.Joins)}
	case Cancel:
		return deed{kind: deedCancel, number: uint64(a.Job)}
	case Hold:
		return deed{kind: deedHold, number: uint64(a.Job)}
	case Release:
		return deed{kind: deedRelease, number: uint64(a.Job)}
	case SetNode:
		return deed{kind: wished(a.Want), node: a.Node}
	case Maintain:
		return deed{kind: deedMaintain, node: a.Node}
	case Reopen:
		return deed{kind: deedReopen, node: a.Node}
	case SettleStray:
		return deed{kind: deedSettleStray, node: a.Node, name: a.Run.String()}
	case SetPolicy:
		return deed{kind: deedSetPolicy, name: a.Name}
	case SetQuota:
		if a.Quota.Project == "" {
			return deed{kind: deedSetOwnerQuota, name: a.Quota.Owner}
		}
		return deed{kind: deedSetProjectQuota, name: a.Quota.Project}
	case AcceptOffer:
		return deed{kind: deedAcceptOffer, number: uint64(a.Offer)}
	case DeclineOffer:
		return deed{kind: deedDeclineOffer, number: uint64(a.Offer)}
	case Reschedule:
		return deed{kind: deedReschedule, number: uint64(a.Job), name: strconv.FormatInt(int64(a.By), 10)}
	case Stand:
		return deed{kind: deedStand}
	case CancelStanding:
		return deed{kind: deedCancelStanding, number: uint64(a.Standing)}
	case SetSubnet:
		return deed{kind: deedSetSubnet}
	case SetTheta:
		return deed{kind: deedSetTheta, name: a.Theta.String()}
	case SetTime:
		return deed{kind: deedSetTime}
	case RemoveImage:
		return deed{kind: deedRemoveImage}
	case PutToken:
		if a.Token.Revoked {
			return deed{kind: deedRevokeToken, name: a.Token.ID}
		}
		return deed{kind: deedCreateToken, name: a.Token.Name}
	case Enact:
		return deed{kind: deedApplyPlan, number: a.Basis}
	}
	return deed{}
}

func wished(w NodeWish) deedKind {
	return map[NodeWish]deedKind{
		Uncordon: deedUncordon, Cordon: deedCordon, Drain: deedDrain, ConfirmDown: deedConfirmDown,
		ForceDrain: deedDrain, ForceCordon: deedCordon,
	}[w]
}

var deedWords = [...]string{
	deedOther:           "do something else",
	deedSubmit:          "submit a job",
	deedCancel:          "cancel {job}",
	deedHold:            "hold {job}",
	deedRelease:         "release {job}",
	deedUncordon:        "uncordon node {node}",
	deedCordon:          "cordon node {node}",
	deedDrain:           "drain node {node}",
	deedConfirmDown:     "confirm that node {node} is down",
	deedSettleStray:     "settle the stray {name} on node {node}",
	deedSetPolicy:       "set the policy {name}",
	deedSetProjectQuota: "set the quota of project {name}",
	deedSetOwnerQuota:   "set the quota of owner {name}",
	deedSetTime:         "set the time",
	deedRemoveImage:     "remove an image",
	deedRevokeToken:     "revoke the token {name}",
	deedCreateToken:     "create the token {name}",
	deedApplyPlan:       "apply the plan of revision {number}",
	deedMaintain:        "plan maintenance of node {node}",
	deedReopen:          "cancel maintenance of node {node}",
	deedSubmitWorkflow:  "submit a workflow",
	deedSetSubnet:       "set the subnet",
	deedAcceptOffer:     "accept {offer}",
	deedDeclineOffer:    "decline {offer}",
	deedReschedule:      "extend or shorten {job}",
	deedStand:           "make a standing reservation",
	deedCancelStanding:  "cancel {standing}",
	deedSetTheta:        "set theta to {name}",
}

// String returns the deed for people, as in "the key was used to cancel j1". States and hashes do not hold it.
func (d deed) String() string {
	return strings.NewReplacer("{job}", JobID(d.number).String(), "{number}", fmt.Sprint(d.number),
		"{offer}", OfferID(d.number).String(), "{standing}", StandingID(d.number).String(),
		"{node}", fmt.Sprint(d.node), "{name}", d.name).Replace(deedWords[d.kind])
}
