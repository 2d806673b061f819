package reconcile

import (
	"cmp"
	"slices"

	"aliquot/cluster"
)

// Verb is what an action does.
type Verb uint8

// The verbs, in the order in which actions of one step begin: actions that free resources come before
// actions that take them.
const (
	Abort   Verb = iota + 1 // cancel the action in progress
	Wake                    // let its process go on, for which the action in progress waits; its vCPUs do what they did
	Destroy                 // end the VM
	Freeze                  // stop its vCPUs
	Save                    // write its memory to the store and end it
	Lower                   // put a smaller cap, or another tier, in force
	Ask                     // ask the peer whether it has the VM
	Expect                  // prepare for it, before the peer sends it
	Thaw                    // let its vCPUs run
	Migrate                 // send it to the peer
	Finish                  // name a memory image that is completely written
	Discard                 // delete its memory images
	Restore                 // make it from its memory image
	Start                   // make it for the first time
	Raise                   // put a larger cap in force
)

func (v Verb) String() string {
	return [...]string{"", "abort", "wake", "destroy", "freeze", "save", "lower", "ask", "expect", "thaw", "migrate",
		"finish", "discard", "restore", "start", "raise"}[v]
}

// Action is one thing to do for a run. Order is the order behind it; its Want is 0 for a VM that the
// orders do not mention.
type Action struct {
	Verb  Verb
	Run   cluster.RunID
	Order cluster.Order
}

// Beside reports whether the action is carried out beside another one of its run.
func (a Action) Beside() bool { return a.Verb == Abort || a.Verb == Wake }

// needsProcess reports whether the action ends only if the VM's process takes part in it. No guest runs by that: the VM
// ran here when the action was ordered, or its vCPUs are stopped until the action has ended.
func (a Action) needsProcess() bool {
	switch a.Verb {
	case Start, Restore, Save, Migrate:
		return true
	}
	return false
}

// Concludes reports whether a failure of the action is a failure of the ordered move. The leader then
// orders anew; the monitor itself retries all other actions.
func (a Action) Concludes() bool {
	switch a.Verb {
	case Start, Restore, Save, Migrate:
		return true
	case Lower, Raise:
		return a.Order.Want == cluster.Stay && a.Order.Move != 0
	}
	return false
}

// inOrder sorts the actions for dispatch. No cap of a running VM rises while another must fall.
func (w *World) inOrder(actions []Action) []Action {
	falling := slices.ContainsFunc(actions, func(a Action) bool { return a.Verb == Lower })
	for _, a := range w.Busy {
		falling = falling || a.Verb == Lower
	}
	actions = slices.DeleteFunc(actions, func(a Action) bool {
		return a.Verb == Raise && falling && w.Domains[a.Run].State == Running
	})
	slices.SortFunc(actions, func(a, b Action) int {
		return cmp.Or(cmp.Compare(a.Verb, b.Verb), a.Run.Compare(b.Run))
	})
	return actions
}
