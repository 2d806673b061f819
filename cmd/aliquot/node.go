package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"aliquot/client"
	"aliquot/web/api"
	"aliquot/wording"
)

func (a *app) nodeCommand() *cobra.Command {
	return group("node", "Show and control nodes",
		"Show and control nodes, and settle VMs that are not expected on their nodes.",
		tabular(a.nodeListCommand()), a.nodeShowCommand(),
		a.cordonCommand(),
		a.wishCommand("uncordon", "Take new VMs on nodes again", "Take new VMs on nodes again, also after a drain.",
			"is not closed to new VMs."),
		a.drainCommand(), a.maintainCommand(), tabular(a.maintenanceCommand()),
		a.confirmDownCommand(), a.nodeInviteCommand(), tabular(a.invitationsCommand()),
		a.nodeRemoveCommand(), tabular(a.straysCommand()),
		a.settleCommand("adopt", "Take a stray back as its task's VM",
			"Take a stray back as its task's VM, if the task is nowhere else. RUN is written as\n`aliquot node strays` lists it: job, task and start."),
		a.settleCommand("destroy", "Destroy a stray",
			"Destroy a stray; its work is lost. RUN is written as `aliquot node strays` lists it:\njob, task and start."))
}

func (a *app) nodeListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List nodes", Args: takes(), Example: "  aliquot node list",
		Long: `List nodes by name, with their capacity and load. CPU and MEMORY are the capacity for
VMs; NEED is the CPU that the tasks there can use, SHARE the granted CPU, USED the measured
CPU, RESERVED the memory of present and arriving tasks. A node is ready, or unreachable when
its connection has broken, or stalled when its hypervisor does not answer, or silent when its
lease has expired and its VMs may still run, or down when its tasks may start elsewhere.`,
		RunE: a.act(func(ctx context.Context, c *client.Client, _ []string) error {
			nodes, err := c.Nodes(ctx)
			if err != nil {
				return err
			}
			slices.SortFunc(nodes, func(x, y api.Node) int { return byName(x.Name, y.Name) })
			return a.show(api.NodeList{Nodes: nodes}, func(w io.Writer) {
				narrow(w, columns(a.out), func(w io.Writer) { nodeTable(w, nodes) })
			})
		}),
	}
}

func nodeTable(w io.Writer, nodes []api.Node) {
	if len(nodes) == 0 {
		fmt.Fprintln(w, "No nodes yet. Invite one: aliquot node invite NAME --out FILE; "+
			"on its machine: aliquotd monitor --managers HOST:PORT --join-token FILE")
		return
	}
	rows := [][]string{{"NODE", "STATE", "TASKS", "CPU", "NEED", "SHARE", "USED", "MEMORY", "RESERVED", "HYPERVISOR"}}
	for _, n := range nodes {
		rows = append(rows, []string{
			n.Name, nodeState(&n), strconv.Itoa(n.Tasks), milli(n.CPUMillicores), milli(n.NeedMillicores),
			granted(milli, n.GuaranteedMillicores, n.BestEffortMillicores),
			milliOrUnknown(n.UsedMillicores), size(n.MemoryBytes), size(n.MemoryReservedBytes), n.Hypervisor,
		})
	}
	table(w, rows)
}

// nodeState adds problems of the node to its state.
func nodeState(n *api.Node) string {
	state := n.State
	if slices.Contains([]string{"unreachable", "silent", "down"}, state) {
		switch {
		case n.Draining:
			state += ", draining"
		case n.Cordoned:
			state += ", cordoned"
		}
	}
	for _, m := range n.Maintenance {
		if m.Begun {
			state += ", in maintenance until " + when(m.End)
		}
	}
	if n.Health == "ready" && !n.HypervisorAnswers {
		state += ", hypervisor silent"
	}
	if n.Health == "ready" && n.LastSeen == nil && !n.FenceAlive {
		state += ", fence dead"
	}
	if len(n.Strays) > 0 {
		state += ", " + wording.Count(len(n.Strays), "stray")
	}
	return state
}

// since returns the time from which the node's health is: for a node without a connection, when it was last seen.
func since(n *api.Node) string {
	switch {
	case n.LastSeen != nil:
		return ", last seen " + when(*n.LastSeen)
	case nodeState(n) != n.Health: // nobody records since when it is cordoned, or its hypervisor or fence silent
		return "; " + n.Health + " since " + when(n.Since)
	}
	return " since " + when(n.Since)
}

func (a *app) nodeShowCommand() *cobra.Command {
	return &cobra.Command{
		Use: "show NODE", Short: "Show a node", Args: takes("NODE"), ValidArgsFunction: a.completeNodes,
		Long: "Show a node with the tasks that are on it or on their way there.", Example: "  aliquot node show n1",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			n, err := c.Node(ctx, args[0])
			if err != nil {
				return err
			}
			var jobs []api.Job
			for j, err := range c.Jobs(ctx, client.JobFilter{States: []string{"active"}, Tasks: true}) {
				if err != nil {
					return err
				}
				jobs = append(jobs, j)
			}
			return a.show(n, func(w io.Writer) { nodePage(w, &n, jobs) })
		}),
	}
}

func nodePage(w io.Writer, n *api.Node, jobs []api.Job) {
	var labels []string
	for _, k := range slices.Sorted(maps.Keys(n.Labels)) {
		labels = append(labels, k+"="+n.Labels[k])
	}
	table(w, [][]string{
		{"Node:", n.Name},
		{"State:", nodeState(n) + since(n)},
		{"CPU:", fmt.Sprintf("%dm, of which %s; %dm needed, %s", n.CPUMillicores,
			grantedInWords(n.GuaranteedMillicores, n.BestEffortMillicores), n.NeedMillicores,
			used(n.UsedMillicores, n.UsedBackgroundMillicores))},
		{"Speed:", speed(n)},
		{"Class:", dash(n.Class)},
		{"Network:", word(n.Bridged, "has a bridge for VMs, "+word(n.LimitsBandwidth, "can", "cannot")+" limit network cards",
			"no bridge for VMs")},
		{"Images:", "of kind kernel " + word(n.Disks, "and disk", "only")},
		{"Moves:", word(n.Immobile, "none alive, because its monitor has no migrate-uri: VMs stay, or pause and resume elsewhere",
			"alive to and from other nodes of its platforms")},
		{"Processors:", processors(n.Slots)},
		{"Memory:", fmt.Sprintf("%s, of which %s are reserved; asks for an overhead of %s per VM", size(n.MemoryBytes),
			size(n.MemoryReservedBytes), size(n.OverheadBytes))},
		{"Machine:", hostLine(n.Host)},
		{"Foreign:", fmt.Sprintf("%dm CPU, %s memory taken by foreign VMs", n.ForeignMillicores, size(n.ForeignMemoryBytes))},
		{"Hypervisor:", n.Hypervisor + word(n.HypervisorAnswers, "",
			"; it does not answer: no VM can start, stop or move here")},
		{"Monitor:", cmp.Or(n.Program, "the release is too old to report it")},
		{"Platforms:", strings.Join(n.Platforms, ", ")},
		{"Labels:", dash(strings.Join(labels, ", "))},
		{"Fence:", word(n.FenceAlive, "alive", "dead") + word(n.LastSeen == nil, "", " when last seen")},
		{"Store:", word(n.StoreProven, "read and written", "not available: no VM can start, pause or resume here")},
		{"Strays:", dash(strings.Join(n.Strays, ", "))},
		{"Maintenance:", serviced(n)},
	})
	rows := [][]string{{"TASK", "STATE", "CORE", "TIER", "SHARE", "CAP SEEN", "USED"}}
	for _, j := range jobs {
		for _, t := range j.Tasks {
			if here := t.Node == n.Name; here || comesTo(t, n.Name) {
				rows = append(rows, []string{
					fmt.Sprintf("%s/%d %s", j.ID, t.Index, j.Name), t.State + word(here, "", ", not here yet"),
					word(here, word(t.Core == 0, "any", strconv.Itoa(t.Core)), "-"), t.Tier,
					word(here && t.Target != "", "-", milli(t.ShareMillicores)),
					word(here, milli(t.CapObservedMillicores), "-"),
					word(here, milliOrUnknown(t.UsedMillicores), "-"),
				})
			}
		}
	}
	if len(rows) > 1 {
		fmt.Fprintln(w)
		table(w, rows)
	}
}

// comesTo reports whether a task that is not on the node yet is placed there, or on its way there. The node is charged
// for it.
func comesTo(t api.Task, node string) bool {
	return t.Target == node || t.Move != nil && t.Move.To == node
}

// speed tells what CPU of the node means, and how that is known.
func speed(n *api.Node) string {
	source := cmp.Or(n.SpeedSource, "assumed") // managers of earlier releases tell none
	if source == "assumed" && n.MeasuredSpeed > 0 {
		source = fmt.Sprintf("assumed, as its monitor's settings declare none; %g was measured", n.MeasuredSpeed)
	}
	if n.Speed == 1 {
		return "that of the reference, " + source
	}
	return fmt.Sprintf("%g of the reference, %s; a vCPU does %.0fm here at most, as all CPU is counted in millicores of the "+
		"reference", n.Speed, source, 1000*n.Speed)
}

// processors tells what policies of two tiers take the node for.
func processors(slots int) string {
	if slots == 1 {
		return "1 for policies of two tiers: it has a place for a foreground and one for a background task"
	}
	return fmt.Sprintf("%d for policies of two tiers, each with a place for a foreground and one for a background task", slots)
}

// hostLine tells the use of a node's whole machine, whatever runs on it.
func hostLine(h *api.Host) string {
	if h == nil {
		return "not measured, or unknown to this manager"
	}
	return fmt.Sprintf("%s CPU, %s memory, %s disk used", ofAll(h.UsedMillicores, h.CPUMillicores, milli),
		ofAll(h.UsedBytes, h.MemoryBytes, size), ofAll(h.DiskUsedBytes, h.DiskBytes, size))
}

// ofAll tells a part of an amount. An amount of 0 was not measured.
func ofAll(part, all int64, words func(int64) string) string {
	if all == 0 {
		return "unknown"
	}
	return words(part) + " of " + words(all)
}

func word(b bool, yes, no string) string {
	if b {
		return yes
	}
	return no
}

// wishCommand returns a command that sets the wish for nodes. It says of each node what it does from now on.
func (a *app) cordonCommand() *cobra.Command {
	force := false
	c := &cobra.Command{
		Use: "cordon NODE...", Short: "Take no new VMs on nodes", Args: takes("NODE..."), ValidArgsFunction: a.completeNodes,
		Long: `Take no new VMs on nodes. Present VMs stay. Promises of jobs that are not there yet move to
other nodes. It is refused with the promises that would break because no other node has room;
--force breaks them, and their owners are told.`,
		Example: "  aliquot node cordon n1",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			return a.each(args, func(name string) (string, error) {
				_, err := c.CordonNode(ctx, name, force)
				return name + " takes no new VMs; its present VMs stay, unless it drains.", err
			})
		}),
	}
	c.Flags().BoolVar(&force, "force", false, "break promises that have no room on other nodes")
	return c
}

func (a *app) wishCommand(verb, short, long, from string) *cobra.Command {
	return &cobra.Command{
		Use: verb + " NODE...", Short: short, Long: long, Args: takes("NODE..."), ValidArgsFunction: a.completeNodes,
		Example: fmt.Sprintf("  aliquot node %s n1", verb),
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			return a.each(args, func(name string) (string, error) {
				_, err := c.SetNode(ctx, name, verb)
				return name + " " + from, err
			})
		}),
	}
}

func (a *app) confirmDownCommand() *cobra.Command {
	sure := false
	c := &cobra.Command{
		Use: "confirm-down NODE", Short: "Confirm that nothing runs on a node any more", Args: takes("NODE"),
		ValidArgsFunction: a.completeNodes,
		Long: `Confirm that no VM of the cluster runs on a silent node any more, because you have switched it
off or checked it. Its tasks start again elsewhere. If you are wrong, tasks run twice at
the same time; therefore --yes is required.`,
		Example: "  aliquot node confirm-down n3 --yes",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			if !sure {
				return usagef("if you are sure that nothing runs on %s any more, add --yes", args[0])
			}
			return a.each(args, func(name string) (string, error) {
				_, err := c.SetNode(ctx, name, "confirm-down")
				return name + " is down; its tasks start elsewhere.", err
			})
		}),
	}
	c.Flags().BoolVar(&sure, "yes", false, "I am sure")
	return c
}

func (a *app) nodeInviteCommand() *cobra.Command {
	lifetime, to := time.Hour, secretFile{}
	c := &cobra.Command{
		Use: "invite NODE", Short: "Print a join token for a node", Args: takes("NODE"),
		Long: `Print a join token for a node: one machine may join with it, once, under this name and
in time. A new token takes the place of an earlier one that was not used. A node that is
known needs a new token to join again: put it into the file that the monitor's join-token
names, and restart the monitor; on its old disk, too. The certificates that the node had are
refused then. While it is connected, nobody can take its name.`,
		Example: "  aliquot node invite n2 | ssh n2 'umask 077; cat > /etc/aliquot/join.token'\n" +
			"  aliquot node invite n2 --for 24h --out n2.token",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			if err := to.check(); err != nil {
				return err
			}
			i, err := c.InviteNode(ctx, args[0], lifetime.String())
			if err != nil {
				return err
			}
			return a.showSecret(i, &to, i.Token, "of node "+i.Node)
		}),
	}
	to.flags(c.Flags())
	c.Flags().DurationVar(&lifetime, "for", lifetime, "how long the token may be used, at most 168h")
	return c
}

func (a *app) invitationsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "invitations", Short: "List open invitations of nodes", Args: takes(),
		Long: "List the invitations of nodes that no machine has used and that have not expired. Their join\n" +
			"tokens are not stored. `aliquot node remove` withdraws an invitation.",
		Example: "  aliquot node invitations\n  aliquot node remove n2",
		RunE: a.act(func(ctx context.Context, c *client.Client, _ []string) error {
			open, err := c.Invitations(ctx)
			if err != nil {
				return err
			}
			return a.show(api.InvitationList{Invitations: open}, func(w io.Writer) {
				rows := [][]string{{"NODE", "EXPIRES"}}
				for _, i := range open {
					rows = append(rows, []string{i.Node, when(i.Expires)})
				}
				table(w, rows)
			})
		}),
	}
}

func (a *app) straysCommand() *cobra.Command {
	return &cobra.Command{
		Use: "strays", Short: "List VMs that are not expected on their nodes", Args: takes(),
		Long:    "List VMs of the cluster that are not expected on their nodes. They are frozen until you\nadopt or destroy them. The list includes VMs that a node fails to destroy: see its\nmonitor's log.",
		Example: "  aliquot node strays\n  aliquot node adopt n1 j17/0/2",
		RunE: a.act(func(ctx context.Context, c *client.Client, _ []string) error {
			strays, err := c.Strays(ctx)
			if err != nil {
				return err
			}
			return a.show(api.StrayList{Strays: strays}, func(w io.Writer) { strayTable(w, strays) })
		}),
	}
}

func strayTable(w io.Writer, strays []api.Stray) {
	if len(strays) == 0 {
		fmt.Fprintln(w, "No strays.")
		return
	}
	rows := [][]string{{"NODE", "RUN"}}
	for _, s := range strays {
		rows = append(rows, []string{s.Node, s.Run})
	}
	table(w, rows)
}

func (a *app) settleCommand(verb, short, long string) *cobra.Command {
	return &cobra.Command{
		Use: verb + " NODE RUN", Short: short, Long: long, Args: takes("NODE", "RUN"), ValidArgsFunction: a.completeNodes,
		Example: fmt.Sprintf("  aliquot node strays\n  aliquot node %s n1 j17/0/2", verb),
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			if _, err := c.SettleStray(ctx, args[0], args[1], verb); err != nil {
				return err
			}
			a.did("%s on %s %s.", args[1], args[0], word(verb == "adopt", "is its task's VM again", "is destroyed"))
			return nil
		}),
	}
}

// completeNodes completes the names of nodes.
func (a *app) completeNodes(command *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return a.complete(command, func(ctx context.Context, c *client.Client) (names []string, err error) {
		nodes, err := c.Nodes(ctx)
		for _, n := range nodes {
			names = append(names, n.Name+"\t"+n.State)
		}
		return names, err
	})
}
