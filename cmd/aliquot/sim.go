package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"aliquot/sim"
	"aliquot/workload"
	"aliquot/workload/stream"
)

func (a *app) simCommand() *cobra.Command {
	return group("sim", "Simulate streams of jobs, and replay decisions",
		"Simulate streams of jobs, and replay decisions, with the same code as in a live cluster.\nNo manager is needed.",
		a.simRunCommand(), a.simSweepCommand(), a.simCompareCommand(), a.simExplainCommand(), a.simReproduceCommand(),
		a.simBoundCommand(), a.simDecideCommand())
}

// readTrace reads a stream in the native format; - is standard input.
func (a *app) readTrace(ctx context.Context, path string) ([]workload.Job, error) {
	in, err := a.input(ctx, path)
	if err != nil {
		return nil, usage{fmt.Errorf("open the trace: %w", err)}
	}
	defer in.Close()
	jobs, err := stream.ReadNative(path, in)
	if err != nil {
		return nil, usage{err}
	}
	return jobs, nil
}

// readEvents reads the events of nodes and jobs in a simulation. Without a file there are none.
func (a *app) readEvents(ctx context.Context, path string) ([]workload.Event, error) {
	if path == "" {
		return nil, nil
	}
	in, err := a.input(ctx, path)
	if err != nil {
		return nil, usage{fmt.Errorf("open the events: %w", err)}
	}
	defer in.Close()
	events, err := stream.ReadEvents(path, in)
	if err != nil {
		return nil, usage{err}
	}
	return events, nil
}

// checkEvents returns why events of a file cannot happen to these nodes and jobs, or nil.
func checkEvents(path string, events []workload.Event, nodes []sim.Node, jobs []workload.Job) error {
	if err := sim.CheckEvents(events, nodes, jobs); err != nil {
		return usage{fmt.Errorf("%s: %w", path, err)}
	}
	return nil
}
