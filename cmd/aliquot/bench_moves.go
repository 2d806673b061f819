package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"aliquot/internal/stop"
	"aliquot/packing/study/churn"
)

const benchMovesHelp = `Measure how much memory different ways of re-packing move, on seeded sequences in which
some jobs leave and new ones fill the memory again. All ways start from the same state at
every step. The figures are the same on every machine. Ctrl-C ends with the
complete rows.

MCB8 packs anew, ignoring present positions. ASSIGNED is the same packing, each part on the node
that already holds most of it; AT LEAST bounds the moves of any such assignment. HOME
then returns tasks to their nodes one by one, where that costs no yield.
STABLE keeps tasks in place where it can: without loss of yield, or at most 1% of MCB8's;
LOSS is the mean loss of yield, MENDED the number of steps that needed no new packing.`

// benchMovesFlags are the flags of bench moves.
type benchMovesFlags struct {
	nodes, steps int
	seed         uint64
}

func (a *app) benchMovesCommand() *cobra.Command {
	f := benchMovesFlags{}
	c := &cobra.Command{
		Use: "moves", Short: "Measure how little re-packing moves", Long: benchMovesHelp, Args: takes(),
		Example: "  aliquot bench moves\n  aliquot bench moves --nodes 1000 --steps 8",
		RunE: a.local(func(c *cobra.Command, _ []string) error {
			if f.steps < 1 || f.steps > 1000 || f.nodes < 128 {
				return usagef("--steps must be from 1 to 1000, and --nodes at least 128")
			}
			return a.benchMoves(c.Context(), f)
		}),
	}
	flags := c.Flags()
	flags.IntVar(&f.steps, "steps", 8, "steps of every sequence")
	flags.IntVar(&f.nodes, "nodes", 128, "skip families with more nodes")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of the sequences")
	flags.Bool("json", false, "the same as -o json")
	return c
}

// movesRow is a row of the comparison with the name of its family.
type movesRow struct {
	Family string `json:"family"`
	churn.Row
}

func (a *app) benchMoves(ctx context.Context, f benchMovesFlags) error {
	p := a.progress(10 * time.Second)
	defer p.End()
	var rows []churn.Row
	named := []movesRow{}
	for _, family := range churn.Families() {
		if family.Nodes > f.nodes {
			continue
		}
		p.Show(func() string { return fmt.Sprintf("re-packing %v in %d steps", family, f.steps) })
		r := churn.Compare(family, f.seed, f.steps, stop.Asked(ctx))
		if ctx.Err() != nil {
			break
		}
		rows, named = append(rows, r), append(named, movesRow{family.String(), r})
	}
	p.End()
	return a.shown(ctx, named, func(w io.Writer) { churn.Write(w, rows) })
}
