package migrate

import (
	"fmt"

	"aliquot/cluster"
)

// Check verifies, independently of how the plan was built, that
//
//   - carried out in its order it never takes memory or store space that is not free: a
//     step that takes some does so when it starts, and one that gives some up is trusted
//     to have ended only once a later step waits for it;
//   - no VM moves alive from or to a node that is Immobile;
//   - every step finds its task in the state that its kind of move needs, on nodes that are ready;
//   - in the end every task that is neither blocked nor being moved is where its target is.
//
// It returns the first violation. Another order that the waits allow is another plan, and must pass as well.
func (p Plan) Check(v *cluster.View) error {
	c := newChecker(v, p)
	for i := range p.Steps {
		if err := c.take(i); err != nil {
			return fmt.Errorf("step %d, %v of %v: %w", i, p.Steps[i].Kind, p.Steps[i].Task, err)
		}
	}
	for i := range p.Steps {
		c.end(i)
	}
	return c.arrived()
}

// checker simulates a plan.
type checker struct {
	v     *cluster.View
	plan  Plan
	free  map[cluster.NodeID]cluster.Bytes
	store cluster.Bytes
	await map[cluster.MoveID]cluster.Move
	ended []bool
	tasks map[cluster.TaskID]cluster.Task
}

func newChecker(v *cluster.View, p Plan) *checker {
	c := &checker{
		v: v, plan: p, store: v.StoreRoom(), ended: make([]bool, len(p.Steps)),
		free:  map[cluster.NodeID]cluster.Bytes{},
		await: map[cluster.MoveID]cluster.Move{},
		tasks: map[cluster.TaskID]cluster.Task{},
	}
	for n := range v.Nodes() {
		c.free[n.ID] = n.Capacity().Memory - n.Occupied
	}
	for m := range v.Moves() {
		c.await[m.ID] = *m
	}
	for j := range v.Jobs() {
		for i, task := range j.Tasks {
			c.tasks[cluster.TaskID{Job: j.ID, Index: i}] = task
		}
	}
	return c
}

// take starts a step after everything that it waits for has ended.
func (c *checker) take(i int) error {
	s := c.plan.Steps[i]
	for _, id := range s.Await {
		if m, found := c.await[id]; found {
			c.release(m)
			delete(c.await, id)
		}
	}
	for _, k := range s.After {
		if k < 0 || k >= i {
			return fmt.Errorf("waits for step %d, which is not before it", k)
		}
		c.end(k)
	}
	if err := c.possible(s.Move); err != nil {
		return err
	}
	charge := c.charge(s.Move)
	if s.Kind.Fills() {
		if c.free[s.To] < charge {
			return fmt.Errorf("needs %v on node %d, which has %v free", charge, s.To, c.free[s.To])
		}
		c.free[s.To] -= charge
	}
	if s.Kind == cluster.Pause {
		if c.store < charge {
			return fmt.Errorf("needs %v in the store, which has %v free", charge, c.store)
		}
		c.store -= charge
	}
	return nil
}

// possible returns why the task or the nodes forbid the move, or nil.
func (c *checker) possible(m cluster.Move) error {
	task, known := c.tasks[m.Task]
	if !known || c.v.Move(m.Task) != nil {
		return fmt.Errorf("the task does not exist or is being moved")
	}
	suits := map[cluster.MoveKind]bool{
		cluster.Start: task.Phase == cluster.Idle, cluster.Resume: task.Phase == cluster.Saved,
		cluster.Pause: task.Phase == cluster.Running, cluster.Migrate: task.Phase == cluster.Running && m.From != m.To,
		cluster.Resize: task.Present(), cluster.Stop: task.Present(),
	}[m.Kind]
	if !suits || m.From != task.Node || m.Kind.Fills() != (m.To != 0) {
		return fmt.Errorf("from node %d to %d, but the task is %v on node %d", m.From, m.To, task.Phase, task.Node)
	}
	if rival := c.v.Contested(m.Task); rival != 0 && m.Kind != cluster.Stop && m.Kind != cluster.Resize {
		return fmt.Errorf("node %d may still have a copy of its VM", rival)
	}
	for _, id := range []cluster.NodeID{m.From, m.To} {
		n := c.v.Node(id)
		if id != 0 && (n == nil || n.Health != cluster.Ready) {
			return fmt.Errorf("node %d is not ready", id)
		}
		if m.Kind == cluster.Migrate && n.Description.Immobile {
			return fmt.Errorf("node %d moves no VMs alive", id)
		}
	}
	return nil
}

// end ends a step, and before it everything that it waited for.
func (c *checker) end(i int) {
	if c.ended[i] {
		return
	}
	c.ended[i] = true
	for _, k := range c.plan.Steps[i].After {
		c.end(k)
	}
	m := c.plan.Steps[i].Move
	c.release(m)
	task := c.tasks[m.Task]
	switch m.Kind {
	case cluster.Stop:
		task.Phase, task.Node = cluster.Idle, 0
	case cluster.Pause:
		task.Phase, task.Node = cluster.Saved, 0
	case cluster.Resize:
		task.Cap, task.Tier = m.CPU, m.Tier
	default:
		task.Phase, task.Node, task.Cap, task.Tier = cluster.Running, m.To, m.CPU, m.Tier
	}
	c.tasks[m.Task] = task
}

func (c *checker) release(m cluster.Move) {
	if m.Kind.Frees() {
		c.free[m.From] += c.charge(m)
	}
}

func (c *checker) charge(m cluster.Move) cluster.Bytes {
	if j := c.v.Job(m.Task.Job); j != nil {
		return c.v.Charge(j.Spec)
	}
	return 0
}

// arrived returns an error for a task that is not at its target and has no stated obstacle.
func (c *checker) arrived() error {
	excused := map[cluster.TaskID]bool{}
	for _, blocked := range c.plan.Blocked {
		excused[blocked.Task] = true
	}
	for m := range c.v.Moves() {
		excused[m.Task] = true
	}
	for j := range c.v.Jobs() {
		target := c.v.Target(j.ID)
		for i := range j.Tasks {
			id := cluster.TaskID{Job: j.ID, Index: i}
			if task := c.tasks[id]; !excused[id] && task.Phase != cluster.Done && !settled(&task, target, i) {
				return fmt.Errorf("%v ends %v on node %d at %v, which is not its target", id, task.Phase, task.Node, task.Cap)
			}
		}
	}
	return nil
}

func settled(task *cluster.Task, target *cluster.Placement, index int) bool {
	if target == nil {
		return !task.Present()
	}
	return task.Present() && task.Node == target.Nodes[index] && task.Cap == target.Cap && task.Tier == target.Tier
}
