package cluster

import (
	"cmp"

	"github.com/google/btree"
)

// Limits of what State keeps.
const (
	maxJobs     = 1_000_000 // that have not ended
	maxHistory  = 10_000    // ended jobs
	maxRequests = 100_000   // remembered for idempotence
	maxLosses   = 10        // restarts after losses by the cluster, per task and lossPeriod
	maxTokens   = 10_000
	maxImages   = 1_000
)

// State is what Raft replicates. It is not safe for concurrent use; a Clone is independent.
type State struct {
	Format     uint32   // in force; never lowered, raised by Raise alone
	Cluster    [16]byte // made once, by the first claim's bootstrap
	Generation uint64   // raised when a backup is imported
	Epoch      uint64   // of the last accepted claim
	Leader     uint64   // replica that made it
	Term       uint64   // of its claim
	Now        Time     // of the last command; goes back by SetTime alone
	TimeSet    uint64   // revision of the last SetTime; 0: none
	Revision   uint64   // of the last command
	Policy     PolicyChoice
	Occasion   Occasion // Submitted, Ended and NodesChanged that are pending; Due is empty
	Agenda     Agenda   // what the adopted decision asked for, or SetPolicy; below format 3, a tick or nothing
	StoreFree  Bytes    // least free space of the store that a monitor reported
	NextJob    JobID
	Unheard    []Gap // job ids below NextJob of which the state never heard
	NextNode   NodeID
	NextMove   MoveID
	target     Allocation
	jobs       table[JobID, Job]
	history    table[JobID, Job]
	nodes      table[NodeID, Node]
	moves      tree[*Move] // by task
	images     tree[*Image]
	tokens     tree[*Token]
	requests   tree[request] // by name
	ages       tree[request] // the same by revision
	located    tree[located] // index of jobs by node
	held       tree[located] // index of the Target by node
	waiting    set[JobID]    // index of jobs that hold nothing
	unsettled  set[JobID]    // index of jobs of which not all is as the Target says
	retries    tree[Alarm]   // index of when tasks may be moved again whose move failed
	limited    set[JobID]    // index of jobs that may run so long and no longer
	astray     set[NodeID]   // index of nodes with strays
	silent     set[NodeID]   // index of nodes that are silent
	vacancies  Vacancies     // index of nodes by what the Target leaves of them
	pasts      tree[past]    // index of the history by end
	contests   tree[contest] // index of what nodes have condemned by run
	reserved   Bytes         // store space of pauses under way
	overhead   Bytes         // charged per VM: the most that any node reports
	ended      uint64        // revision that last set Occasion.Ended
	changed    uint64        // revision that last set Occasion.NodesChanged
	freed      tree[freed]   // by node; what no decision has seen yet, not written down
	author     author        // of the Target
}

// author is who decided what the Target is, all of it, and when it was last decided on. It is for who decides next
// alone, and not written down: on a state that was read, the first decision looks at everything.
type author struct {
	name string
	at   uint64 // revision
}

// Gap is a range of job ids that a restored backup leaves out: jobs that were submitted
// after it was made, and are not known to it.
type Gap struct {
	From, To JobID // To is not in it
}

// PolicyChoice is the policy in force and its period.
type PolicyChoice struct {
	Name   string
	Period Time
}

// request remembers the outcome of a named request.
type request struct {
	name     string
	revision uint64
	job      JobID
}

// tree is a persistent ordered set.
type tree[T any] struct{ *btree.BTreeG[T] }

func newTree[T any](less func(a, b T) bool) tree[T] { return tree[T]{btree.NewG(16, less)} }

func (t tree[T]) clone() tree[T] { return tree[T]{t.Clone()} }

// set is a tree of ids.
type set[T cmp.Ordered] = tree[T]

func newSet[T cmp.Ordered]() set[T] { return newTree(cmp.Less[T]) }

// note puts what is in the set into it, and takes what is not out of it.
func note[T any](s tree[T], id T, in bool) {
	switch {
	case in == s.Has(id): // nearly always, and nothing is copied then
	case in:
		s.ReplaceOrInsert(id)
	default:
		s.Delete(id)
	}
}

// New returns the state of a cluster in which nothing has happened, with the given policy and FirstFormat.
func New(cluster [16]byte, policy PolicyChoice) *State {
	return &State{
		Format: FirstFormat, Cluster: cluster, Generation: 1, Policy: policy,
		StoreFree: -1, NextJob: 1, NextNode: 1, NextMove: 1,
		target:   NewAllocation(),
		jobs:     newTable(func(j *Job) JobID { return j.ID }),
		history:  newTable(func(j *Job) JobID { return j.ID }),
		nodes:    newTable(func(n *Node) NodeID { return n.ID }),
		moves:    newTree(func(a, b *Move) bool { return a.Task.Compare(b.Task) < 0 }),
		images:   newTree(func(a, b *Image) bool { return a.Digest < b.Digest }),
		tokens:   newTree(func(a, b *Token) bool { return a.ID < b.ID }),
		requests: newTree(func(a, b request) bool { return a.name < b.name }),
		ages:     newTree(func(a, b request) bool { return a.revision < b.revision }),
		located:  newTree(located.less),
		held:     newTree(located.less),
		waiting:  newSet[JobID](), unsettled: newSet[JobID](), retries: newTree(Alarm.less), limited: newSet[JobID](),
		astray: newSet[NodeID](), silent: newSet[NodeID](), freed: newTree(freed.less),
		pasts:    newTree(past.less),
		contests: newTree(contest.less),
	}
}

// Newest returns such a state with LatestFormat, for worlds that have no past: models, and tests.
func Newest(cluster [16]byte, policy PolicyChoice) *State {
	s := New(cluster, policy)
	s.Format = LatestFormat
	return s
}

// Clone returns an independent copy; its cost does not depend on the size of the state.
func (s *State) Clone() *State {
	c := *s
	c.Occasion.Submitted = append([]JobID(nil), s.Occasion.Submitted...)
	c.target = s.target.Clone()
	c.jobs, c.history, c.nodes = s.jobs.clone(), s.history.clone(), s.nodes.clone()
	c.moves, c.images = s.moves.clone(), s.images.clone()
	c.tokens, c.requests, c.ages = s.tokens.clone(), s.requests.clone(), s.ages.clone()
	c.located, c.pasts, c.contests = s.located.clone(), s.pasts.clone(), s.contests.clone()
	c.held, c.waiting, c.unsettled = s.held.clone(), s.waiting.clone(), s.unsettled.clone()
	c.retries, c.limited, c.freed = s.retries.clone(), s.limited.clone(), s.freed.clone()
	c.astray, c.silent = s.astray.clone(), s.silent.clone()
	return &c
}
