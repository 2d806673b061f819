package web

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"aliquot/cluster"
	"aliquot/web/api"
	"aliquot/wording"
)

// Thresholds for issues.
const (
	maxConcerns = 50
	maxVersions = 5
	slowMove    = 3 * cluster.Minute
	slowBoot    = 10 * cluster.Minute
	lately      = cluster.Hour
	lowStore    = cluster.Bytes(1 << 30)
)

// severities is in the order of listing.
var severities = []string{"problem", "warning", "notice"}

// concerns lists the issues that need attention, the worst first.
func concerns(v *cluster.Snapshot, m Manager) []api.Attention {
	list := clusterConcerns(v, m.Health())
	list = append(list, starved(v, m.Waits())...)
	list = append(list, hung(v, m.Starts())...)
	list = append(list, losses(v, m.Losses(v.At-lately))...)
	for n := range v.Nodes() {
		list = append(list, nodeConcerns(v, n)...)
	}
	for m := range v.Moves() {
		if late := v.At - m.Started; late > slowMove {
			list = append(list, api.Attention{Severity: "warning", Code: "move_slow", Job: m.Task.Job.String(),
				Text: fmt.Sprintf("the move of %v has been in progress for %s: %s", m.Task, late.Words(), doing[m.Kind]),
				Help: "It is aborted if it makes no progress. If that repeats, read the monitor's log on its node."})
		}
	}
	for j := range v.Jobs() {
		list = append(list, jobConcerns(v, j)...)
	}
	list = append(list, promiseConcerns(v)...)
	slices.SortStableFunc(list, func(a, b api.Attention) int {
		return slices.Index(severities, a.Severity) - slices.Index(severities, b.Severity)
	})
	return list
}

// doing describes each kind of move.
var doing = map[cluster.MoveKind]string{
	cluster.Start: "it starts", cluster.Stop: "it is stopped", cluster.Pause: "it is paused",
	cluster.Resume:  "it is resumed",
	cluster.Migrate: "it migrates", cluster.Resize: "its share changes",
}

func clusterConcerns(v *cluster.Snapshot, h Health) []api.Attention {
	list := []api.Attention{}
	say := func(severity, code, text, help string) {
		list = append(list, api.Attention{Severity: severity, Code: code, Text: text, Help: help})
	}
	nodes := 0
	for range v.Nodes() {
		nodes++
	}
	if h.Problem != "" {
		say("problem", "manager", fmt.Sprintf(
			"manager %d: %s", h.Replica, h.Problem), "Read the manager's log; if its clock is wrong, correct it.")
	}
	switch room := v.StoreRoom(); {
	case nodes == 0:
		say("notice", "no_nodes", "no node has joined yet, so no job can run",
			"Invite a node: `aliquot node invite NAME`. Then start a monitor with that token, and a fence, on its machine.")
	case room < 0:
		say("warning", "no_store", "no node reaches the store: no VM can start, pause or resume",
			"Mount the same folder on all nodes and name it with --store.")
	case room < max(lowStore, largestSaving(v)):
		text := fmt.Sprintf("the store of saved images has %s left", room.Words())
		if largest := largestSaving(v); largest > 0 {
			text += fmt.Sprintf(", and pausing the largest job may need %s", largest.Words())
		}
		help := "Free some space on it: jobs cannot be paused without it."
		if room >= largestSaving(v) {
			help = fmt.Sprintf("Free some space on it while jobs can still be paused: %s should be left.", lowStore.Words())
		}
		say("warning", "store_full", text, help)
	}
	if versions := monitorVersions(v); len(versions) > 1 {
		say("notice", "versions", "monitors of different versions: "+strings.Join(versions, ", "),
			"Finish the upgrade: restart the monitors of the other nodes one by one; their VMs run on.")
	}
	failed := 0
	for j := range v.History() {
		if j.Ending.Outcome == cluster.Failed && v.At-j.Ended < lately {
			failed++
		}
	}
	if failed > 0 {
		say("notice", "jobs_failed", fmt.Sprintf("%s failed in the last hour", counted(failed, "job")),
			"List them with their causes: `aliquot job list --state failed`.")
	}
	return list
}

// monitorVersions returns the versions of the connected nodes' monitors, each with the number of its nodes.
func monitorVersions(v *cluster.Snapshot) (list []string) {
	nodes := map[string]int{}
	for n := range v.Nodes() {
		if n.Health == cluster.Ready {
			nodes[cmp.Or(n.Description.Program, "an earlier release")]++
		}
	}
	for _, version := range slices.Sorted(maps.Keys(nodes)) {
		list = append(list, version+" on "+counted(nodes[version], "node"))
	}
	if more := len(list) - maxVersions; more > 0 {
		list = append(list[:maxVersions], fmt.Sprintf("and %d more", more))
	}
	return list
}

// largestSaving returns the space that pausing the largest job needs.
func largestSaving(v *cluster.Snapshot) (most cluster.Bytes) {
	for j := range v.Jobs() {
		most = max(most, v.View().Saving(j))
	}
	return most
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func nodeConcerns(v *cluster.Snapshot, n *cluster.Node) []api.Attention {
	var list []api.Attention
	say := func(severity, code, help, text string, args ...any) {
		list = append(list, api.Attention{Severity: severity, Code: code, Node: n.Name, Text: n.Name + " " +
			fmt.Sprintf(text, args...), Help: help})
	}
	since := (v.At - n.Since).Words()
	if n.Health != cluster.Down { // it was last heard of when its connection broke
		since = (v.At - cmp.Or(n.Unlinked, n.Since)).Words()
	}
	switch {
	case n.Health == cluster.Ready && n.Unlinked != 0:
		say("problem", "node_unreachable",
			"Check its monitor, its machine and its network. VMs there run on, but none can start, stop or move.",
			"has had no connection to the leader for %s", since)
	case n.Health == cluster.Silent && !n.FenceAlive:
		say("problem", "node_silent", "Check the machine. Only if nothing runs there any more: `aliquot node confirm-down "+
			n.Name+"`.",
			"has been silent for %s and its fence was not alive: its tasks start elsewhere only when you confirm that it is down", since)
	case n.Health == cluster.Silent:
		say("problem", "node_silent",
			"Check the machine and its network. Its tasks start elsewhere once its fence must have acted.",
			"has been silent for %s; its VMs may still run", since)
	case n.Health == cluster.Down:
		say("warning", "node_down", "Bring it back, or leave it down: its tasks start elsewhere.",
			"has been down for %s", since)
	case !n.FenceAlive:
		say("warning", "fence_dead", "Start `aliquotd fence` there.",
			"has no living fence: if it fails, its tasks start elsewhere only when you confirm that it is down")
	}
	if n.Health == cluster.Ready && n.HypervisorSilent {
		say("problem", "hypervisor_silent", "Start libvirtd on "+n.Name+" again; the monitor's log says what failed.",
			"has a hypervisor that does not answer: its VMs run on, but no VM can start, stop or move there")
	}
	if n.Health == cluster.Ready && !n.StoreProven && v.StoreRoom() >= 0 {
		say("warning", "store_unproven", "Mount the store there at the same path; the monitor's log says what failed.",
			"does not reach the store of saved images: no VM can start, pause or resume there")
	}
	if k := len(n.Strays); k > 0 {
		say("warning", "strays", "Adopt or destroy them: `aliquot node strays`.", "has %s that should not be there",
			counted(k, "VM"))
	}
	if over := n.Occupied - n.Capacity().Memory; over > 0 && n.Health == cluster.Ready {
		say("warning", "overcommitted", "Aliquot relieves it. If that does not help, remove foreign VMs.",
			"has %s less memory than its VMs need", over.Words())
	}
	if w := n.InMaintenance(); w != nil {
		say("notice", "node_in_maintenance", servedHelp(n, w),
			"is in maintenance until %s%s", w.Until.Moment(), because(w.Reason))
	} else if nodeState(v, n) == "drained" {
		say("notice", "node_drained", "Switch it off, or use it again: `aliquot node uncordon "+n.Name+"`.",
			"is drained: it has no VMs of the cluster")
	}
	return list
}

// servedHelp says how maintenance of the node ends.
func servedHelp(n *cluster.Node, w *cluster.Maintenance) string {
	now := "`aliquot node maintain " + n.Name + " --cancel` ends it at once."
	switch {
	case w.Drain:
		return "It stays drained after that: an operator wants it so. " + now
	case w.Cordon:
		return "It stays cordoned after that: an operator wants it so. " + now
	}
	return "It takes VMs again after that. " + now
}

// because appends a reason that people gave, if there is one.
func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + reason
}

// stuck maps the reasons that do not pass by waiting to their help.
var stuck = map[cluster.ReasonCode]string{
	cluster.WhyTooFewNodes: "Add nodes that are large enough, or submit it with smaller tasks.",
	cluster.WhyTooFewCores: "Add nodes that are large enough, or submit it with smaller tasks.",
	cluster.WhyNoNode:      "Uncordon or add a node that its placement allows.",
	cluster.WhyNoEstimate:  "Submit it again with an estimate, or choose a policy that needs none.",
	cluster.WhyRivalSilent: "Check that node; only if nothing runs there any more, confirm that it is down.",
	cluster.WhyClings:      "Until then it keeps running where it is, but cannot be paused or moved.",
	cluster.WhyContested:   "Check the node that may have a copy of the VM; if it is off, confirm that it is down.",
}

// maxNamed limits the nodes that a remedy names.
const maxNamed = 3

// remedy returns the help for a reason that does not pass by waiting, "" for others. Where a node that does not answer,
// or its hypervisor, keeps the job from it, it names the node.
func remedy(v *cluster.Snapshot, j *cluster.Job, why cluster.Reason) string {
	if why.Code != cluster.WhyNoNode {
		return stuck[why.Code]
	}
	var advice []string
	for _, cure := range []struct {
		verb, object string
		of           func(*cluster.Node) bool
	}{
		{"start libvirtd on ", " again", func(n *cluster.Node) bool { return nodeState(v, n) == "stalled" }},
		{"bring ", " back", func(n *cluster.Node) bool { return n.Health != cluster.Ready || n.Unlinked != 0 }},
		{"wait for the end of the maintenance of ", "", func(n *cluster.Node) bool { return n.InMaintenance() != nil }},
	} {
		if names := nodesThat(v, j.Spec, cure.of); names != "" {
			advice = append(advice, cure.verb+names+cure.object)
		}
	}
	if names := named(v, func(n *cluster.Node) bool { return v.LacksLimit(n, j.Spec) }); names != "" {
		advice = append(advice, "let "+names+" limit network cards, or the network have no bandwidth")
	}
	if why.Promises() {
		kept := func(n *cluster.Node) bool { return promisedNow(v, n) }
		if names := nodesThat(v, j.Spec, kept); names != "" {
			advice = append(advice, "wait for the end of the promises on "+names)
		}
	}
	if advice == nil {
		return stuck[why.Code]
	}
	text := strings.Join(append(advice, "uncordon or add a node that its placement allows."), ", or ")
	return strings.ToUpper(text[:1]) + text[1:]
}

// promisedNow reports whether a promise in force has room on the node.
func promisedNow(v *cluster.Snapshot, n *cluster.Node) bool {
	for p := range v.Promised() {
		if slices.Contains(p.Nodes, n.ID) && promiseState(p, v.At) == "in_force" {
			return true
		}
	}
	return false
}

// nodesThat names the nodes of a kind that are large enough for a task, and on which its placement allows it.
func nodesThat(v *cluster.Snapshot, spec *cluster.Spec, kind func(*cluster.Node) bool) string {
	return named(v, func(n *cluster.Node) bool {
		large := n.Description.Memory >= v.Charge(spec) && n.Description.CPU >= spec.MinShare()
		return kind(n) && large && v.Allows(n, spec, "")
	})
}

// named names the nodes of a kind: the first if they are many.
func named(v *cluster.Snapshot, kind func(*cluster.Node) bool) string {
	var names []string
	for n := range v.Nodes() {
		if kind(n) {
			names = append(names, n.Name)
		}
	}
	if more := len(names) - maxNamed; more > 0 {
		names = append(names[:maxNamed], fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

func jobConcerns(v *cluster.Snapshot, j *cluster.Job) []api.Attention {
	id := j.ID.String()
	why := v.Reason(j)
	if help := remedy(v, j, why); help != "" && j.Schedulable() && (v.Target(j.ID) == nil || v.View().Stuck(j)) {
		return []api.Attention{{Severity: "warning", Code: string(why.Code), Job: id, Text: id + ": " +
			wording.Reason(why, wording.Of(v.State)), Help: help}}
	}
	for i := range j.Tasks {
		if t := &j.Tasks[i]; t.Attempts > 1 {
			text, help := "", "Its events say why the moves failed."
			if t.Trouble != nil {
				text = " (the last: " + wording.Cause(*t.Trouble, wording.Of(v.State)) + ")"
				help = "If that repeats, mend what it names: the log of the monitor on its node tells more."
			}
			return []api.Attention{{Severity: "warning", Code: "moves_fail", Job: id,
				Text: fmt.Sprintf("%s of task %d of %s failed in a row%s; the next attempt is in %s", counted(t.Attempts, "move"), i,
					id, text, (t.RetryAt - v.At).Words()), Help: help}}
		}
	}
	return nil
}
