package reconcile

import (
	"cmp"
	"slices"

	"aliquot/cluster"
)

// Verb is what an action does.
type Verb uint8

// The verbs, in the order in which actions of one step are begun: what gives comes
// before what takes.
const (
	Abort   Verb = iota + 1 // give up what is under way
	Destroy                 // end the VM
	Freeze                  // stop its vCPUs
	Save                    // write its memory to the store and end it
	Lower                   // put a smaller cap, or another tier, in force
	Ask                     // ask the peer whether it has the VM
	Thaw                    // let its vCPUs run
	Migrate                 // send it to the peer
	Finish                  // take over a memory image that was written to its end, but not named
	Discard                 // delete its memory images
	Restore                 // make it from its memory image
	Start                   // make it anew
	Raise                   // put a larger cap in force
)

func (v Verb) String() string {
	return [...]string{"", "abort", "destroy", "freeze", "save", "lower", "ask", "thaw", "migrate", "finish", "discard", "restore", "start", "raise"}[v]
}

// Action is one thing to do for a run. Order is the one that it follows; its Want is 0 for a
// VM that the orders do not mention.
type Action struct {
	Verb  Verb
	Run   cluster.RunID
	Order cluster.Order
}

// Concludes tells whether a failure of the action is the failure of the ordered move, which
// the leader will order anew; all other actions are tried again by the monitor.
func (a Action) Concludes() bool {
	switch a.Verb {
	case Start, Restore, Save, Migrate:
		return true
	case Lower, Raise:
		return a.Order.Want == cluster.Stay && a.Order.Move != 0
	}
	return false
}

// inOrder sorts the actions for dispatch. Caps rise only when none is left to fall.
func inOrder(actions []Action, busy map[cluster.RunID]Action) []Action {
	falling := slices.ContainsFunc(actions, func(a Action) bool { return a.Verb == Lower })
	for _, a := range busy {
		falling = falling || a.Verb == Lower
	}
	actions = slices.DeleteFunc(actions, func(a Action) bool { return a.Verb == Raise && falling })
	slices.SortFunc(actions, func(a, b Action) int {
		return cmp.Or(cmp.Compare(a.Verb, b.Verb), a.Run.Compare(b.Run))
	})
	return actions
}
