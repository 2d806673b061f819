package cluster

// Move is one step from the actual to the target allocation: it changes one task.
type Move struct {
	ID      MoveID
	Kind    MoveKind
	Task    TaskID
	Run     int    // number of the run that it moves, or, for Start, makes
	From    NodeID // Stop, Pause, Migrate, Resize: where the VM is
	To      NodeID // Start, Resume, Migrate: where it will be
	CPU     CPU    // share during and after the move
	Tier    Tier
	Image   Bytes // store space reserved by a Pause
	Started Time
	Aborted bool // its nodes are asked to give it up
}

// MoveKind is what a move does.
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

// Fills tells whether the move takes memory on its To node.
func (k MoveKind) Fills() bool { return k == Start || k == Resume || k == Migrate }

// Relocates tells whether the move lets the task go on in another VM than it has, or saves it for one.
func (k MoveKind) Relocates() bool { return k.Fills() || k == Pause }

// Frees tells whether the move gives up memory on its From node when it has ended.
func (k MoveKind) Frees() bool { return k == Stop || k == Pause || k == Migrate }
