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

const benchMovesHelp = `Measure how much memory different ways to pack anew move, on seeded sequences in which
some jobs leave and new ones fill the memory again. All ways start from the same state at
every step. The figures are the same on every machine. Ctrl-C ends with the rows
that are whole.

MCB8 packs anew whoever is where. ASSIGNED is the same packing, each part of it on the node
where most of it is already; AT LEAST bounds what any assignment of the parts can save. HOME
lets tasks go back one by one then, where that costs no yield.
STABLE stays where it can: without any loss of yield, or giving up at most 1% of MCB8's;
LOSS is what it did give up in the mean, MENDED how many steps needed no packing anew.`

// benchMovesFlags are what the flags of bench moves say.
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
	flags.IntVar(&f.nodes, "nodes", 128, "leave out families of more nodes")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of the sequences")
	flags.Bool("json", false, "the same as -o json")
	return c
}

// movesRow is a row of the comparison under the name of its family.
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
