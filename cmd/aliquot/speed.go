package main

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"aliquot/client"
	"aliquot/cluster"
	"aliquot/web/api"
	"aliquot/wording"
)

func (a *app) speedCommand() *cobra.Command {
	list := &cobra.Command{
		Use: "list", Short: "Show how fast each class of nodes does each kind of work", Args: cobra.NoArgs,
		Long: `Show how long jobs of each owner, type and size took on each class of nodes: half (median) of
the latest 20 that succeeded there, at full speed. Jobs whose tasks were on nodes of several
classes tell nothing. Time is counted by the speeds that the nodes have, so that classes whose
speeds are true for the work take equally long. FACTOR is the speed of the class beyond that,
where the fastest class has 1, with its standard error; it is there once two classes have three
runs. The class of a node is a setting of its monitor, or the name of its processors. No decision
uses these figures: they show whose speed should be declared otherwise.`,
		Example: "  aliquot speed list\n  aliquot speed list -o csv",
		RunE:    a.act(a.showSpeeds),
	}
	return group("speed", "Look at learnt speeds of nodes", `Look at how fast nodes do each kind of work, as learnt from the jobs that succeeded.`,
		tabular(list))
}

// showSpeeds shows what the cluster has learnt of speeds.
func (a *app) showSpeeds(ctx context.Context, c *client.Client, _ []string) error {
	list, err := c.Speeds(ctx)
	if err != nil {
		return err
	}
	return a.show(list, func(w io.Writer) {
		if len(list.Speeds) == 0 {
			fmt.Fprintln(w, "Nothing is learnt yet: speeds are learnt when jobs succeed on nodes of one class.")
			return
		}
		rows := [][]string{{"PROJECT", "OWNER", "TYPE", "TASKS", "CPU", "CLASS", "FACTOR", "SUCCEEDED", "MEDIAN", "LAST"}}
		for _, l := range list.Speeds {
			rows = append(rows, []string{l.Project, l.Owner, l.Type, strconv.Itoa(l.Tasks),
				cluster.CPU(l.NeedMillicores).String(), l.Class, factor(l),
				strconv.Itoa(l.Similar.Succeeded), wording.Span(l.Similar.MedianSeconds), when(l.Last)})
		}
		table(w, rows)
	})
}

// factor tells a learnt factor with its standard error.
func factor(l api.LearntSpeed) string {
	switch {
	case l.Factor == 0:
		return "-"
	case l.Factor == 1:
		return "1"
	}
	return fmt.Sprintf("%.2f ± %.2f", l.Factor, l.Factor*l.Error)
}
