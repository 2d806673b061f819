package migrate

import (
	"slices"
	"strings"

	"aliquot/cluster"
)

const testImage = "busybox@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

// world brings a state to the situation that a test wants, by ordinary commands.
type world struct {
	fatalf func(format string, args ...any)
	s      *cluster.State
	store  cluster.Bytes // free space, as the monitors report it
	lazy   bool          // nodes do not destroy copies when told to
}

func newWorld(fatalf func(string, ...any)) *world {
	w := &world{fatalf, cluster.Newest([16]byte{1}, cluster.PolicyChoice{Name: "FCFS", Period: cluster.Minute}),
		100_000 * cluster.MiB, false}
	_, digest, _ := strings.Cut(testImage, "@sha256:")
	w.must(cluster.PutImage{Image: cluster.Image{Name: "busybox", Digest: digest, Kind: "kernel", Size: 1}})
	w.must(cluster.Claim{Replica: 1, Term: 1})
	return w
}

func (w *world) apply(a cluster.Action) cluster.Result { return w.applyAt(w.s.Now+1, a) }

// wait lets time pass.
func (w *world) wait(d cluster.Time) { w.applyAt(w.s.Now+d, cluster.Checkpoint{}) }

func (w *world) applyAt(at cluster.Time, a cluster.Action) cluster.Result {
	root := cluster.Actor{Name: "root", Owner: "root", Project: "default", Role: cluster.System}
	r := w.s.Apply(w.s.Revision+1, cluster.Command{At: at, Actor: root, Epoch: w.s.Epoch, Action: a})
	if err := w.s.Check(); err != nil {
		w.fatalf("after %T: %v", a, err)
	}
	return r
}

func (w *world) must(a cluster.Action) cluster.Result {
	r := w.apply(a)
	if r.Rejection != nil {
		w.fatalf("%T %+v: %v", a, a, r.Rejection)
	}
	return r
}

func (w *world) view() *cluster.View { return w.s.View(w.s.Now) }

func (w *world) join(name string, d cluster.Description) {
	w.report(w.must(cluster.Join{Name: name, Boot: "boot", Description: d}).Node)
}

func (w *world) report(n cluster.NodeID, seen ...cluster.Observation) {
	w.must(cluster.Report{
		Node: n, Foreign: w.s.Node(n).Foreign, FenceAlive: true,
		StoreProven: w.store >= 0, StoreFree: w.store, Observations: seen,
	})
}

// submit returns the new job, or nil if it could never run.
func (w *world) submit(tasks int, need cluster.CPU, memory cluster.Bytes) *cluster.Job {
	spec := &cluster.Spec{Owner: "root", Project: "default", Image: testImage, Tasks: tasks, Need: need,
		Requirement: cluster.Requirement{Memory: memory}}
	return w.s.Job(w.apply(cluster.Submit{Spec: spec}).Job)
}

// start starts a move of the task and reports whether the state accepted it.
func (w *world) start(kind cluster.MoveKind, task cluster.TaskID, to cluster.NodeID, cpu cluster.CPU) bool {
	from := w.s.Job(task.Job).Tasks[task.Index].Node
	return w.apply(cluster.StartMoves{Moves: []cluster.Move{{Kind: kind, Task: task, From: from, To: to,
		CPU: cpu}}}).Rejection == nil
}

// end reports that the task's move under way has succeeded, or that it failed.
func (w *world) end(task cluster.TaskID, success bool) {
	m := *w.s.Move(task)
	o := cluster.Observation{Run: cluster.RunID{Job: task.Job, Index: task.Index, Number: m.Run}, Move: m.ID, Cap: m.CPU,
		Tier: m.Tier, Tiered: true, Cause: "bad luck"}
	o.Seen = map[cluster.MoveKind]cluster.Sight{
		cluster.Start: cluster.SeenBooting, cluster.Stop: cluster.SeenAbsent, cluster.Pause: cluster.SeenSaved,
		cluster.Resume: cluster.SeenRunning, cluster.Migrate: cluster.SeenArrived, cluster.Resize: cluster.SeenRunning,
	}[m.Kind]
	if !success {
		o.Seen = cluster.SeenFailed
	}
	charge := w.s.Charge(w.s.Job(task.Job).Spec)
	switch {
	case success && m.Kind == cluster.Pause:
		w.store, o.Image = w.store-charge, charge
	case success && m.Kind == cluster.Resume:
		w.store += charge
	}
	at := m.To
	if at == 0 {
		at = m.From
	}
	w.report(at, o)
	w.clean()
}

// clean lets all ready nodes destroy the copies that they were told to destroy, and report it.
func (w *world) clean() {
	for _, n := range slices.Collect(w.s.Nodes()) {
		var gone []cluster.Observation
		for _, run := range w.s.Orders(n.ID).Destroy {
			gone = append(gone, cluster.Observation{Run: run, Seen: cluster.SeenAbsent})
		}
		if len(gone) > 0 && n.Health == cluster.Ready && !w.lazy {
			w.report(n.ID, gone...)
		}
	}
}

// run reports that a booting guest has started.
func (w *world) run(task cluster.TaskID) {
	t := w.s.Job(task.Job).Tasks[task.Index]
	w.report(t.Node, cluster.Observation{Run: cluster.RunID{Job: task.Job, Index: task.Index, Number: t.Run},
		Seen: cluster.SeenRunning, Cap: t.Cap})
}

// bring takes an idle task to a phase, on a node if there is room, and reports whether it did.
func (w *world) bring(task cluster.TaskID, phase cluster.Phase, node cluster.NodeID, cpu cluster.CPU) bool {
	if phase == cluster.Idle {
		return true
	}
	if !w.start(cluster.Start, task, node, cpu) {
		return false
	}
	w.end(task, true)
	if phase == cluster.Booting {
		return true
	}
	w.run(task)
	if phase == cluster.Saved {
		if !w.start(cluster.Pause, task, 0, 0) {
			return false
		}
		w.end(task, true)
	}
	return true
}
