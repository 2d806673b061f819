package upgrade

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"

	"aliquot/client"
	"aliquot/web/api"
)

// A crew is the nodes of one fleet: only these can send VMs to each other.
type crew []string

// on is a job of modelled guests for the nodes.
func on(nodes crew, tasks int, command ...string) api.JobSpec {
	return api.JobSpec{
		Tasks: tasks, CPU: "500m", Memory: "64Mi", Command: command, Placement: &api.Placement{Nodes: nodes},
	}
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

// An end is how a job is to end.
type end struct{ job, state, cause string }

// dispatch submits jobs for the nodes of each crew: one succeeds, one fails by itself, one is to be cancelled, and one
// reaches its limit.
func (c *team) dispatch(crews ...crew) (all []end) {
	c.Helper()
	for _, nodes := range crews {
		limited := on(nodes, 1, "serve", "10")
		limited.Limits = &api.Limits{Runtime: "1s"}
		all = append(all,
			end{c.submit(on(nodes, 2, "work", "0.2")), "succeeded", ""},
			end{c.submit(on(nodes, 1, "work", "0.1", "3")), "failed", "task 0: exit code 3"},
			end{c.submit(on(nodes, 1, "serve", "10")), "cancelled", unneeded},
			end{c.submit(limited), "failed", "it ran longer than its limit of 1 s"})
	}
	return all
}

// unneeded is the cause that a user gives.
const unneeded = "not needed"

// settle returns once the jobs have ended as they are to.
func (c *team) settle(all []end) {
	c.Helper()
	for _, e := range all {
		if e.cause == unneeded {
			c.await(e.job, "running")
			if _, err := c.api.Cancel(c.Context(), e.job, unneeded); err != nil {
				c.Fatal(err)
			}
		}
		c.await(e.job, e.state)
	}
}

// round lets such jobs come and go.
func (c *team) round(crews ...crew) []end {
	c.Helper()
	all := c.dispatch(crews...)
	c.settle(all)
	return all
}

// tells asserts that the leader, which makes all sentences, gives the causes, each as the way of writing makes it.
func (c *team) tells(all []end, way func(string) string) {
	c.Helper()
	for _, e := range all {
		j, err := c.api.Job(c.Context(), e.job)
		if err != nil {
			c.Error(err)
		} else if want := way(e.cause); j.State != e.state || j.Cause != want {
			c.Errorf("%s is %s with the cause %q, want %s with %q", e.job, j.State, j.Cause, e.state, want)
		}
	}
}

func asIs(s string) string { return s }

// shout writes a sentence as the reworded program does, which leaves the words of users alone.
func shout(s string) string {
	if s == unneeded {
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
				c.Errorf("%s did not go on: %+v", id, task)
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
	for _, name := range nodes {
		eventually(c.T, name+" is invited", func() error { return c.invite(name) })
	}
	launch(c.T, c.path("fleet-"+nodes[0]+".log"), program, append([]string{
		"-managers", strings.Join(c.link[1:c.size+1], ","), "-tokens", c.path("secrets"),
		"-data", c.path("nodes"), "-store", c.path("store"),
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

// invite writes the node's join token. Managers of the earlier program have one token for all nodes.
func (c *team) invite(node string) error {
	i, err := c.api.InviteNode(c.Context(), node, "")
	var refused *client.Problem
	if errors.As(err, &refused) && refused.Status == http.StatusNotFound {
		text, err := os.ReadFile(c.path("secrets", "join.token"))
		i.Token = string(text)
		if err != nil {
			return err
		}
	} else if err != nil {
		return err
	}
	return os.WriteFile(c.path("secrets", node+".token"), []byte(i.Token), 0o600)
}
