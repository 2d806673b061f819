package upgrade

import (
	"fmt"
	"strings"

	"aliquot/web/api"
)

// A crew is the nodes of one fleet: only these can send VMs to each other.
type crew []string

// on is a job of modelled guests for the nodes.
func on(nodes crew, tasks int, command ...string) api.JobSpec {
	return api.JobSpec{Tasks: tasks, CPU: "500m", Memory: "64Mi", Command: command, Placement: &api.Placement{Nodes: nodes}}
}

func (c *team) submit(spec api.JobSpec) string {
	c.Helper()
	a, err := c.api.Submit(c.Context(), spec, "")
	if err != nil {
		c.Fatal(err)
	}
	return a.Job
}

// await returns the job once it is in the state.
func (c *team) await(id, state string) (j api.Job) {
	c.Helper()
	eventually(c.T, id+" is "+state, func() (err error) {
		if j, err = c.api.Job(c.Context(), id); err == nil && j.State != state {
			err = fmt.Errorf("%s is %s: %+v", id, j.State, j.Why)
		}
		return err
	})
	return j
}

// ends are jobs that came to an end, with the cause that the managers tell.
type ends map[string]string

// round lets jobs come and go on the nodes of each crew: one succeeds, one fails by itself, one is cancelled, and one reaches
// its limit.
func (c *team) round(crews ...crew) ends {
	c.Helper()
	ended := ends{}
	for _, nodes := range crews {
		limited := on(nodes, 1, "serve", "10")
		limited.Limits = &api.Limits{Runtime: "1s"}
		well, badly, kept, late := c.submit(on(nodes, 2, "work", "0.2")), c.submit(on(nodes, 1, "work", "0.1", "3")), c.submit(on(nodes, 1, "serve", "10")), c.submit(limited)
		c.await(kept, "running")
		if _, err := c.api.Cancel(c.Context(), kept, "not needed"); err != nil {
			c.Fatal(err)
		}
		c.await(well, "succeeded")
		c.await(badly, "failed")
		c.await(kept, "cancelled")
		c.await(late, "failed")
		ended[well], ended[badly], ended[kept], ended[late] = "", "task 0: exit code 3", "not needed", "it ran longer than its limit of 1 s"
	}
	return ended
}

// tells asserts that the leader, which makes all sentences, gives the causes, each as the way of writing makes it.
func (c *team) tells(causes ends, way func(string) string) {
	c.Helper()
	for id, cause := range causes {
		j, err := c.api.Job(c.Context(), id)
		if err != nil {
			c.Error(err)
		} else if want := way(cause); j.Cause != want {
			c.Errorf("%s has the cause %q, want %q", id, j.Cause, want)
		}
	}
}

func asIs(s string) string { return s }

// shout writes a sentence as the reworded program does, which leaves the words of users alone.
func shout(s string) string {
	if s == "not needed" {
		return s
	}
	return strings.ToUpper(s)
}

// endure asserts that these jobs run, with the VMs that they began with.
func (c *team) endure(ids ...string) {
	c.Helper()
	for _, id := range ids {
		j := c.await(id, "running")
		for _, task := range j.Tasks {
			if task.Run != 1 || task.Losses != 0 || task.Failures != 0 {
				c.Errorf("task %d of %s is at run %d after %d losses and %d failures", task.Index, id, task.Run, task.Losses, task.Failures)
			}
		}
	}
}

// begin starts jobs that last on the nodes of each crew, and returns them when they run.
func (c *team) begin(crews ...crew) (ids []string) {
	c.Helper()
	for _, nodes := range crews {
		ids = append(ids, c.submit(on(nodes, 2, "serve", "20")))
	}
	for _, id := range ids {
		c.await(id, "running")
	}
	return ids
}

// man runs the nodes by the program, and returns when they are ready.
func (c *team) man(program string, nodes crew) {
	c.Helper()
	launch(c.T, c.path("fleet-"+nodes[0]+".log"), program, append([]string{
		"-managers", strings.Join(c.link[1:c.size+1], ","), "-token", c.path("secrets", "join.token"), "-data", c.path("nodes"), "-store", c.path("store"),
	}, nodes...)...)
	for _, name := range nodes {
		eventually(c.T, name+" is ready", func() error {
			n, err := c.api.Node(c.Context(), name)
			if err == nil && n.Health != "ready" {
				err = fmt.Errorf("it is %s", n.Health)
			}
			return err
		})
	}
}
