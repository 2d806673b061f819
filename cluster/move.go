package cluster

// Move is one step from the actual allocation to the Target. It changes one task. Plans propose moves; StartMoves
// writes their ID, Run, Image and Started. Invariant: a task has at most one move under way.
type Move struct {
	ID      MoveID // given by StartMoves, from 1; never reused
	Kind    MoveKind
	Task    TaskID
	Run     int    // number of the run that it moves; for Start, of the new run
	From    NodeID // Stop, Pause, Migrate, Resize: where the VM is; else 0
	To      NodeID // Start, Resume, Migrate: where it will be; else 0
	CPU     CPU    // cap after the move, in millicores; 0 for Stop and Pause
	Tier    Tier   // tier after the move; it means nothing for Stop and Pause
	Image   Bytes  // store space reserved by a Pause, in bytes; else 0
	Started Time   // in microseconds
	Aborted bool   // AbortMove has asked its nodes to give it up
	Abort   *Cause // why it is Aborted; nil: it is not, or was below Format 10. Shared, never changed
}

// MoveKind is the kind of change that a move makes.
type MoveKind uint8

// The kinds of moves.
const (
	Start   MoveKind = iota + 1 // from nothing to a booting VM
	Stop                        // from a VM, or a saved image, to nothing; its work is lost
	Pause                       // from a VM to a saved image
	Resume                      // from a saved image to a VM
	Migrate                     // from one node to another
	Resize                      // another share on the same node
)

func (k MoveKind) String() string {
	return [...]string{"", "start", "stop", "pause", "resume", "migrate", "resize"}[k]
}

// Fills reports whether the move takes memory on its To node.
func (k MoveKind) Fills() bool { return k == Start || k == Resume || k == Migrate }

// Relocates reports whether after the move the task continues in another VM than its present one, or is saved for that.
func (k MoveKind) Relocates() bool { return k.Fills() || k == Pause }

// Frees reports whether the move releases memory on its From node when it completes.
func (k MoveKind) Frees() bool { return k == Stop || k == Pause || k == Migrate }
