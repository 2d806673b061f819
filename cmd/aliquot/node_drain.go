package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"aliquot/client"
	"aliquot/web/api"
)

const drainHelp = `Take no new VMs on nodes, and move present VMs away or pause them. No work is lost.
It is refused with the promises that would break because no other node has room; --force
breaks them, and their owners are told. ` + "`aliquot plan drain NODE`" + ` shows the moves, and the
promises that would break, in advance. ` + "`aliquot node maintain`" + ` plans it for another time.
With --wait it ends when no VM of the cluster is left there, and a terminal shows how many
are; it ends with 4 if that lasts longer than --timeout, and the drain goes on.
` + "`aliquot node uncordon`" + ` ends a drain.`

func (a *app) drainCommand() *cobra.Command {
	wait, force, timeout := false, false, time.Duration(0)
	c := &cobra.Command{
		Use: "drain NODE...", Short: "Move all VMs away from nodes", Long: drainHelp, Args: takes("NODE..."),
		ValidArgsFunction: a.completeNodes,
		Example:           "  aliquot node drain n1\n  aliquot node drain n1 n2 --wait --timeout 30m",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			if timeout < 0 || timeout > 0 && !wait {
				return usagef("--timeout needs --wait, and a time above 0")
			}
			failed := a.each(args, func(name string) (string, error) {
				_, err := c.DrainNode(ctx, name, force)
				return name + " drains: it takes no new VMs, and its present VMs leave as soon as they can.", err
			})
			if failed != nil || !wait {
				return failed
			}
			return a.awaitDrained(ctx, c, args, timeout)
		}),
	}
	c.Flags().BoolVar(&wait, "wait", false, "wait until no VM is left")
	c.Flags().BoolVar(&force, "force", false, "break promises that have no room on other nodes")
	c.Flags().DurationVar(&timeout, "timeout", 0, "with --wait: at most this long, like 30m; 0: forever")
	return c
}

// awaitDrained waits for one node after another. They all drain meanwhile.
func (a *app) awaitDrained(ctx context.Context, c *client.Client, names []string, timeout time.Duration) error {
	overdue := late{fmt.Errorf("not all nodes are drained within %v; they drain on", timeout)}
	if timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, timeout, overdue)
		defer cancel()
	}
	progress := a.progress(0)
	err := a.each(names, func(name string) (string, error) {
		defer progress.End()
		return name + " is drained.", c.AwaitDrained(ctx, name, func(n *api.Node) {
			progress.Show(func() string { return drainLine(n) })
		})
	})
	if err != nil && errors.Is(context.Cause(ctx), overdue) {
		return overdue
	}
	return err
}

// drainLine says how far the drain of a node is.
func drainLine(n *api.Node) string {
	if n.Tasks == 0 {
		return n.Name + " drains: its last VMs are leaving"
	}
	if n.Tasks == 1 {
		return n.Name + " drains: 1 task is placed there"
	}
	return fmt.Sprintf("%s drains: %d tasks are placed there", n.Name, n.Tasks)
}
