package cluster

import (
	"cmp"
	"slices"

	"github.com/google/btree"
)

// Limits on the contents of State.
const (
	maxJobs    = 1_000_000 // that have not ended
	maxHistory = 10_000    // ended jobs
	maxLosses  = 10        // restarts after losses by the cluster, per task and lossPeriod
	maxTokens  = 10_000
	maxImages  = 1_000
)

// State is the data that Raft replicates. Apply is its only writer, except that a Model changes its own State in place.
// It is not safe for concurrent use; a Clone is independent.
type State struct {
	Format     uint32                // version of the state in force; Raise alone changes it, and only upwards
	Cluster    [16]byte              // identity of the cluster; set at bootstrap and never changed
	Generation uint64                // 1 at first; raised by Import, to about its time in microseconds
	Epoch      uint64                // revision of the last accepted Claim
	Leader     uint64                // replica that made that Claim; 0: none yet
	Term       uint64                // Raft term of that Claim; 0 after an Import
	Now        Time                  // of the last command, in microseconds; only SetTime moves it back
	TimeSet    uint64                // revision of the last SetTime; 0: none
	Revision   uint64                // of the last command applied, rejected ones included
	Policy     PolicyChoice          // in force, or the founders' choice; written by New and SetPolicy
	Occasion   Occasion              // pending; Adopt clears the part that its decision saw. Invariant: Due is empty
	Agenda     Agenda                // alarms of the adopted decision, or SetPolicy's tick; below Format 3, a tick at most
	StoreFree  Bytes                 // free space of the store as last reported, in bytes; -1: unknown or no store
	NextJob    JobID                 // id of the next job. Invariant: at least 1, never lowered
	Unheard    []Gap                 // ranges of job ids below NextJob that a restored backup may not know
	NextNode   NodeID                // id of the next node that joins. Invariant: at least 1, never lowered
	NextMove   MoveID                // id of the next move. Invariant: at least 1, never lowered
	target     Allocation            // the Target: placements by job
	jobs       table[JobID, Job]     // that have not ended
	history    table[JobID, Job]     // jobs that have ended, at most maxHistory
	nodes      table[NodeID, Node]   // all that ever joined
	moves      tree[*Move]           // under way, by task
	images     tree[*Image]          // by digest
	tokens     tree[*Token]          // by id
	quotas     tree[*Quota]          // by project and owner
	starts     []Time                // how long the latest starts of VMs took, until Format 7 restores, too
	restores   []Time                // how long the latest restores of VMs took
	losses     []Parts               // margins that the latest promises with deadlines would have needed
	boots      tree[*Boots]          // the latest starts by image
	Subnet     Subnet                // addresses that VMs get; written by SetSubnet
	experience tree[*RunTimes]       // of jobs that succeeded, by category
	speeds     tree[*RunTimes]       // of jobs that succeeded, by category and class of their nodes
	promises   table[JobID, Promise] // to jobs that have not ended
	requests   tree[request]         // named requests and their outcomes, by name
	ages       tree[request]         // index of the requests by revision
	senders    tree[sent]            // index of the requests by sender and revision
	refusals   tree[refused]         // named requests that were refused lately, by name
	latest     tree[refused]         // index of the refusals by revision
	blocks     tree[block]           // index of the addresses of jobs
	uses       tree[used]            // index of what jobs take, by party
	located    tree[located]         // index of jobs by node
	held       tree[located]         // index of the Target by node
	waiting    set[JobID]            // index of jobs without a placement
	unsettled  set[JobID]            // index of jobs with a task that differs from the Target
	others     set[JobID]            // index of jobs of other classes than standard
	retries    tree[Alarm]           // index of Task.RetryAt
	turns      tree[Alarm]           // index of the times at which promises fall due or end
	deadlines  tree[deadline]        // index of jobs by the time at which they will have run for too long
	astray     set[NodeID]           // index of nodes with strays
	serviced   set[NodeID]           // index of nodes whose maintenance is planned
	silent     set[NodeID]           // index of nodes that are silent, or whose hypervisor is
	vacancies  Vacancies             // index of nodes by the room that the Target leaves
	pasts      tree[past]            // index of the history by end
	contests   tree[contest]         // index of Node.Condemned by run
	dependents tree[dependent]       // index of jobs by the jobs that they wait for
	reserved   Bytes                 // store space reserved by pauses under way, in bytes
	overhead   Bytes                 // charged per VM, in bytes: the largest Description.Overhead of all nodes
	ended      uint64                // revision that last set Occasion.Ended
	changed    uint64                // revision that last set Occasion.NodesChanged
	freed      tree[freed]           // nodes freed since the last decision; not stored
	author     author                // of the Target; not stored

	NextOffer OfferID                  // id of the next offer; 0: 1. Invariant: never lowered
	offers    table[OfferID, JobOffer] // that were neither answered nor withdrawn

	Theta Theta // limit of the prices of promises; written by SetTheta

	NextStanding StandingID                  // id of the next standing reservation; 0: 1. Invariant: never lowered
	standings    table[StandingID, Standing] // that have not ended
	shelves      table[NodeID, shelf]        // index of promises and offers by node
	owners       tree[owned]                 // index of promises by owner
	projects     tree[owned]                 // index of promises by project
	calendar     *calendar                   // index of promises that do not move by time
	movers       tree[mover]                 // index of promises that move by their end
	answers      table[OfferID, answer]      // index of offers by submission
	sum          *Offer                      // of what nodes have that are not down; nil while a command changes nodes
}

// author records which policy made the whole Target, and when the last decision was adopted. Only the next decision
// reads it. It is not stored: on a state that was read back, the first decision looks at everything.
type author struct {
	name string // Adopt.By; "": the Target is not the whole work of one policy
	at   uint64 // revision of the last adoption
}

// Gap is a range of job ids that were skipped when a backup was restored. Jobs with these ids may have been submitted
// after the backup was made; the state does not know them.
type Gap struct {
	From, To JobID // To is excluded
}

// PolicyChoice is a policy and its period.
type PolicyChoice struct {
	Name   string // in the published scheme, as policy/catalog parses it; Apply checks only that it is not empty
	Period Time   // of its tick, in microseconds. Invariant: from 1 s to 24 h once SetPolicy wrote it
}

// tree is a persistent ordered set.
type tree[T any] struct{ *btree.BTreeG[T] }

func newTree[T any](less func(a, b T) bool) tree[T] { return tree[T]{btree.NewG(16, less)} }

func (t tree[T]) clone() tree[T] { return tree[T]{t.Clone()} }

// set is a tree of ids.
type set[T cmp.Ordered] = tree[T]

func newSet[T cmp.Ordered]() set[T] { return newTree(cmp.Less[T]) }

// note inserts id into the set if in is true, and deletes it otherwise.
func note[T any](s tree[T], id T, in bool) {
	switch {
	case in == s.Has(id): // the usual case; it copies nothing
	case in:
		s.ReplaceOrInsert(id)
	default:
		s.Delete(id)
	}
}

// New returns the empty state of a new cluster, with the given policy and FirstFormat.
func New(cluster [16]byte, policy PolicyChoice) *State {
	return &State{
		Format: FirstFormat, Cluster: cluster, Generation: 1, Policy: policy,
		StoreFree: -1, NextJob: 1, NextNode: 1, NextMove: 1,
		target:     NewAllocation(),
		jobs:       newTable(func(j *Job) JobID { return j.ID }),
		history:    newTable(func(j *Job) JobID { return j.ID }),
		nodes:      newTable(func(n *Node) NodeID { return n.ID }),
		moves:      newTree(func(a, b *Move) bool { return a.Task.Compare(b.Task) < 0 }),
		images:     newTree(func(a, b *Image) bool { return a.Digest < b.Digest }),
		tokens:     newTree(func(a, b *Token) bool { return a.ID < b.ID }),
		requests:   newTree(func(a, b request) bool { return a.name < b.name }),
		ages:       newTree(func(a, b request) bool { return a.revision < b.revision }),
		senders:    newTree(sent.less),
		refusals:   newTree(func(a, b refused) bool { return a.name < b.name }),
		latest:     newTree(func(a, b refused) bool { return a.revision < b.revision }),
		quotas:     newTree((*Quota).less),
		experience: newTree((*RunTimes).less),
		speeds:     newTree((*RunTimes).less),
		boots:      newTree((*Boots).less),
		promises:   newTable(func(p *Promise) JobID { return p.Job }),
		offers:     newTable(func(o *JobOffer) OfferID { return o.ID }),
		standings:  newTable(func(o *Standing) StandingID { return o.ID }),
		shelves:    newTable(func(h *shelf) NodeID { return h.node }),
		owners:     newTree(owned.less),
		projects:   newTree(owned.less),
		movers:     newTree(mover.less),
		answers:    newTable(func(a *answer) OfferID { return a.first }),
		turns:      newTree(Alarm.less),
		uses:       newTree(used.less),
		blocks:     newTree(block.less),
		located:    newTree(located.less),
		held:       newTree(located.less),
		waiting:    newSet[JobID](), unsettled: newSet[JobID](), retries: newTree(Alarm.less),
		deadlines: newTree(deadline.less),
		serviced:  newSet[NodeID](),
		astray:    newSet[NodeID](), silent: newSet[NodeID](), freed: newTree(freed.less),
		pasts:    newTree(past.less),
		contests: newTree(contest.less), dependents: newTree(dependent.less),
		others: newSet[JobID](),
	}
}

// Newest returns an empty state with LatestFormat, for models and tests, which have no stored past.
func Newest(cluster [16]byte, policy PolicyChoice) *State {
	s := New(cluster, policy)
	s.Format = LatestFormat
	return s
}

// Clone returns an independent copy; its cost does not depend on the size of the state.
func (s *State) Clone() *State {
	c := *s
	c.Occasion.Submitted = slices.Clip(s.Occasion.Submitted) // see State.wish
	c.target = s.target.Clone()
	c.jobs, c.history, c.nodes = s.jobs.clone(), s.history.clone(), s.nodes.clone()
	c.moves, c.images = s.moves.clone(), s.images.clone()
	c.tokens, c.requests = s.tokens.clone(), s.requests.clone()
	c.quotas, c.uses, c.blocks = s.quotas.clone(), s.uses.clone(), s.blocks.clone()
	c.promises, c.turns, c.offers = s.promises.clone(), s.turns.clone(), s.offers.clone()
	c.standings = s.standings.clone()
	c.shelves, c.owners, c.projects = s.shelves.clone(), s.owners.clone(), s.projects.clone()
	c.movers, c.answers = s.movers.clone(), s.answers.clone()
	c.ages, c.senders = s.ages.clone(), s.senders.clone()
	c.refusals, c.latest = s.refusals.clone(), s.latest.clone()
	c.located, c.pasts, c.contests = s.located.clone(), s.pasts.clone(), s.contests.clone()
	c.held, c.waiting, c.unsettled = s.held.clone(), s.waiting.clone(), s.unsettled.clone()
	c.retries, c.deadlines, c.freed = s.retries.clone(), s.deadlines.clone(), s.freed.clone()
	c.serviced = s.serviced.clone()
	c.astray, c.silent, c.others = s.astray.clone(), s.silent.clone(), s.others.clone()
	c.dependents, c.experience, c.boots = s.dependents.clone(), s.experience.clone(), s.boots.clone()
	c.speeds = s.speeds.clone()
	return &c
}
