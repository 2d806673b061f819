package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/spf13/cobra"

	"aliquot/client"
	"aliquot/web/api"
	"aliquot/wording"
)

func (a *app) nodeRemoveCommand() *cobra.Command {
	force, yes := false, false
	c := &cobra.Command{
		Use: "remove NODE...", Short: "Remove nodes and refuse their certificates", Args: takes("NODE..."),
		ValidArgsFunction: a.completeNodes,
		Long: `Remove nodes and refuse their certificates and their unused join tokens. Drain a node first:
one that still has tasks is refused. With --force, such a node is cut off at once: it gets no
orders any more, and its tasks start elsewhere when it is down, by its fence or by
` + "`aliquot node confirm-down`" + `; then remove it again. For nodes that are neither drained nor
down you are asked first; --yes does not ask, and is required where nobody can be asked.
A removed node comes back only with a new token, on its old disk, too: ` + "`aliquot node invite`" + `.`,
		Example: "  aliquot node drain n3 --wait\n  aliquot node remove n3",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			if !yes {
				if err := a.confirmRemoval(ctx, c, args, force); err != nil {
					return err
				}
			}
			return a.each(args, func(name string) (string, error) {
				_, unknown := c.Node(ctx, name)
				_, err := c.RemoveNode(ctx, name, force)
				if notFound(unknown) {
					return "The invitation of " + name + " is withdrawn.", err
				}
				return name + word(force, " gets no orders any more", " is removed") + "; its certificates are refused.", err
			})
		}),
	}
	c.Flags().BoolVar(&force, "force", false, "cut off a node that still has tasks")
	c.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return c
}

// confirmRemoval asks before nodes in service are removed. One with tasks is refused without force, so that there is
// nothing to ask.
func (a *app) confirmRemoval(ctx context.Context, c *client.Client, names []string, force bool) error {
	var effects []string
	for _, name := range names {
		n, err := c.Node(ctx, name)
		if notFound(err) {
			continue // it is only invited, or the removal says that there is none
		}
		if err != nil {
			return err
		}
		if inService(&n) && (n.Tasks == 0 || force) {
			effects = append(effects, removalEffect(&n))
		}
	}
	if len(effects) == 0 {
		return nil
	}
	return a.confirm(ctx, strings.Join(effects, "\n")+"\nRemove?")
}

// notFound reports whether the manager knows no such thing.
func notFound(err error) bool {
	p, answered := errors.AsType[*client.Problem](err)
	return answered && p.Status == http.StatusNotFound
}

func inService(n *api.Node) bool { return n.State != "drained" && n.State != "down" }

// removalEffect says what becomes of a node in service, and of its tasks, when it is removed.
func removalEffect(n *api.Node) string {
	text := fmt.Sprintf("%s is %s. Its certificate will be refused, and it comes back only with a new token. ", n.Name,
		nodeState(n))
	if n.Tasks == 0 {
		return text + "No task is placed there."
	}
	text += wording.Count(n.Tasks, "task") + word(n.Tasks == 1, " is", " are") + " placed there. "
	if n.FenceAlive {
		text += "Once its lease has run out and its fence must have stopped their VMs, they"
	} else {
		text += "Its fence was not alive at the last report, so nothing stops their VMs. Once you have confirmed with " +
			"`aliquot node confirm-down " + n.Name + "` that none of them runs, they"
	}
	return text + " start again elsewhere, or their jobs fail if submitted with --restart-on-loss=false. Their work is lost."
}
