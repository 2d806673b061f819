package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"aliquot/client"
	"aliquot/config"
	"aliquot/web/api"
)

// filling fills modelled nodes with jobs, through REST like any user.
type filling struct {
	api        *client.Client
	nodes, vms int
	running    int
}

func newFilling(ctx context.Context, s modelSettings, m *config.Manager) (*filling, error) {
	c, err := connected(ctx, m)
	return &filling{api: c, nodes: s.nodes, vms: s.vms}, err
}

const (
	submitAtOnce = 8
	lookEvery    = 200 * time.Millisecond
)

// fill returns once all VMs run. Jobs from an earlier run on the same folder count.
func (f *filling) fill(ctx context.Context) error {
	if err := f.until(ctx, f.ready); err != nil {
		return err
	}
	missing := f.vms
	for j, err := range f.api.Jobs(ctx, client.JobFilter{States: unended}) {
		if err != nil {
			return err
		}
		missing -= j.Spec.Tasks
	}
	group, limited := errgroup.WithContext(ctx)
	group.SetLimit(submitAtOnce)
	for i, spec := range mix(missing) {
		group.Go(func() error {
			_, err := f.api.Submit(limited, spec, "model-"+strconv.Itoa(i))
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return f.until(ctx, f.full)
}

var unended = []string{"waiting", "dependent", "starting", "running", "pausing", "paused", "moving", "held", "stopping"}

// until repeats look until it returns true. The manager does not answer while it starts.
func (f *filling) until(ctx context.Context, look func(context.Context) (bool, error)) error {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		if done, err := look(ctx); done || err != nil && ctx.Err() != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

func (f *filling) ready(ctx context.Context) (bool, error) {
	nodes, err := f.api.Nodes(ctx)
	n := 0
	for _, node := range nodes {
		if node.Health == "ready" {
			n++
		}
	}
	return err == nil && n >= f.nodes, err
}

func (f *filling) full(ctx context.Context) (bool, error) {
	f.running = 0
	for j, err := range f.api.Jobs(ctx, client.JobFilter{States: unended}) {
		if err != nil {
			return false, err
		}
		f.running += j.Phases["running"] + j.Phases["resizing"]
	}
	return f.running >= f.vms, nil
}

// kind is a typical kind of job.
type kind struct {
	name, project string
	tasks         int
	cpu, memory   string
	command       []string
}

var kinds = []kind{
	{"web", "shop", 12, "500m", "512Mi", []string{"serve", "40"}},
	{"render", "film", 48, "2", "1Gi", []string{"work", "20000"}},
	{"train", "vision", 32, "2", "3Gi", []string{"work", "40000"}},
	{"sweep", "physics", 100, "1", "768Mi", []string{"work", "15000"}},
	{"build", "tools", 4, "1", "1Gi", []string{"serve", "70"}},
	{"notebook", "vision", 1, "1", "2Gi", []string{"serve", "15"}},
	{"database", "shop", 3, "1500m", "4Gi", []string{"serve", "55"}},
	{"assembly", "genome", 16, "1", "2Gi", []string{"work", "30000"}},
	{"queue", "shop", 2, "250m", "256Mi", []string{"serve", "25"}},
}

// mix returns jobs with the given number of tasks together, always the same.
func mix(tasks int) []api.JobSpec {
	dice := rand.New(rand.NewPCG(1, 2))
	var specs []api.JobSpec
	for i := 1; tasks > 0; i++ {
		k := kinds[dice.IntN(len(kinds))]
		n := min(tasks, max(1, k.tasks/2+dice.IntN(k.tasks+1)))
		specs = append(specs, api.JobSpec{
			Name: fmt.Sprintf("%s-%d", k.name, i), Tasks: n, CPU: k.cpu, Memory: k.memory, Command: k.command,
			Labels: map[string]string{"team": k.project},
		})
		tasks -= n
	}
	return specs
}
