package main

import (
	"bufio"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"aliquot/workload"
)

func (a *app) simCommand() *cobra.Command {
	return group("sim", "Simulate streams of jobs, and replay decisions",
		"Simulate streams of jobs, and replay decisions, with the code that decides in a live cluster.\nNo manager is asked.",
		a.simRunCommand(), a.simSweepCommand(), a.simCompareCommand(), a.simExplainCommand(), a.simReproduceCommand(), a.simBoundCommand(), a.simDecideCommand())
}

// readTrace reads a stream in the native format; - is standard input.
func (a *app) readTrace(ctx context.Context, path string) ([]workload.Job, error) {
	in, err := a.input(ctx, path)
	if err != nil {
		return nil, usage{fmt.Errorf("open the trace: %w", err)}
	}
	defer in.Close()
	plain, err := workload.Gunzip(in)
	if err != nil {
		return nil, usage{fmt.Errorf("%s: %w", path, err)}
	}
	text := bufio.NewReader(plain)
	if start, _ := text.Peek(1); len(start) == 1 && start[0] == ';' {
		return nil, usagef("%s is a log in the Standard Workload Format: make a stream of it with aliquot workload prepare", path)
	}
	jobs, err := workload.Read(text)
	if err != nil {
		return nil, usage{fmt.Errorf("%s: %w", path, err)}
	}
	return jobs, nil
}
