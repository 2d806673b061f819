package migrate

import (
	"fmt"

	"aliquot/cluster"
)

// Check verifies, independently of how the plan was built, that it can be carried out in
// its order without ever taking memory or store space that is not free: a step that takes
// memory does so when it starts, and one that gives memory up is trusted to have ended
// only once a later step waits for it. It returns the first violation.
func (p Plan) Check(v *cluster.View) error {
	c := checker{v: v, plan: p, free: map[cluster.NodeID]cluster.Bytes{}, store: v.StoreRoom(), ended: make([]bool, len(p.Steps))}
	for n := range v.Nodes() {
		c.free[n.ID] = n.Capacity().Memory - n.Occupied
	}
	c.await = map[cluster.MoveID]*cluster.Move{}
	for m := range v.Moves() {
		c.await[m.ID] = m
	}
	for i := range p.Steps {
		if err := c.take(i); err != nil {
			return fmt.Errorf("step %d, %v of %v: %w", i, p.Steps[i].Kind, p.Steps[i].Task, err)
		}
	}
	return nil
}

type checker struct {
	v     *cluster.View
	plan  Plan
	free  map[cluster.NodeID]cluster.Bytes
	store cluster.Bytes
	await map[cluster.MoveID]*cluster.Move
	ended []bool
}

func (c *checker) take(i int) error {
	s := c.plan.Steps[i]
	for _, id := range s.Await {
		if m := c.await[id]; m != nil {
			c.release(*m)
			delete(c.await, id)
		}
	}
	for _, k := range s.After {
		if k < 0 || k >= i {
			return fmt.Errorf("waits for step %d, which is not before it", k)
		}
		c.end(k)
	}
	charge := c.v.Charge(c.v.Job(s.Task.Job).Spec)
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

// end counts the step as ended, and before it all that it waited for.
func (c *checker) end(i int) {
	if c.ended[i] {
		return
	}
	c.ended[i] = true
	for _, k := range c.plan.Steps[i].After {
		c.end(k)
	}
	c.release(c.plan.Steps[i].Move)
}

func (c *checker) release(m cluster.Move) {
	if m.Kind.Frees() {
		c.free[m.From] += c.v.Charge(c.v.Job(m.Task.Job).Spec)
	}
}
