package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"aliquot/cluster"
	"aliquot/config"
	"aliquot/monitor"
	"aliquot/monitor/model"
	"aliquot/wire"
	"aliquot/wording"
)

// modelSettings are the settings of `aliquotd model`.
type modelSettings struct {
	nodes, vms, lost int
	speeds           []string
	data, rest       string
	policy           string
	period, lease    time.Duration
	level            string
	attached         bool
}

func modelCommand() *cobra.Command {
	s := modelSettings{}
	c := &cobra.Command{
		Use: "model", Short: "Run a manager with modelled nodes, for trying it out and for tests", Args: cobra.NoArgs,
		Long: `Run a real manager and the real monitors of many nodes in one process, on a modelled
hypervisor: it needs neither root nor libvirt, and nothing runs in the VMs. It shows how the
console and the policies behave at that size.

Its state is in a separate folder, which is removed at the end unless --data names one. A real
cluster is never touched. Jobs may be submitted as usual. A job's command sets the behaviour of
its modelled guests: "work SECONDS [CODE]" uses that much CPU time, "serve PERCENT" uses a part of
its vCPUs forever, "sleep SECONDS" waits. The variable MODEL_FAULT of a job lists the faults
to simulate, separated by commas: create, save, restore, migrate, crash, silent.`,
	}
	f := c.Flags()
	f.IntVar(&s.nodes, "nodes", 100, "number of nodes; 0 is a cluster without nodes")
	f.IntVar(&s.vms, "vms", 1000, "number of VMs to start on them")
	f.IntVar(&s.lost, "lost", 0, "number of nodes that go silent once they are filled")
	f.StringSliceVar(&s.speeds, "speeds", nil, "speeds of the nodes' processors, in rotation, like 1,0.5; left out: all are alike")
	f.StringVar(&s.data, "data", "", "folder of all state; left out: a new folder, which is removed at the end")
	f.StringVar(&s.rest, "rest", config.NewManager().REST,
		"HOST:PORT of REST, on loopback; Raft and the links take the two ports after it")
	f.StringVar(&s.policy, "policy", config.Policy, "published name of the scheduling policy")
	f.DurationVar(&s.period, "period", config.Period, "period of the policy's tick")
	f.DurationVar(&s.lease, "lease", config.NewManager().Lease,
		"how long a node's VMs keep running without an answer from a leader")
	f.StringVar(&s.level, "log-level", "warn", "debug, info, warn or error")
	f.BoolVar(&s.attached, "attached", false, "end when standard input ends, that is, with the parent process")
	c.RunE = func(c *cobra.Command, _ []string) error {
		ctx := c.Context()
		if s.attached {
			var end context.CancelFunc
			ctx, end = context.WithCancel(ctx)
			defer end()
			go func() {
				_, _ = io.Copy(io.Discard, c.InOrStdin()) // any end means that the parent is gone
				end()
			}()
		}
		return runModel(ctx, s, c.OutOrStdout())
	}
	return c
}

// runModel runs until ctx ends.
func runModel(ctx context.Context, s modelSettings, out io.Writer) (err error) {
	if s.data == "" {
		if s.data, err = os.MkdirTemp(scratch(), "aliquot-model-"); err != nil {
			return fmt.Errorf("make a folder: %w", err)
		}
		defer os.RemoveAll(s.data)
	}
	m, err := s.manager()
	if err != nil {
		return err
	}
	began := time.Now()
	log := logger(s.level)
	group, ctx := errgroup.WithContext(ctx)
	filled, opened := make(chan struct{}), make(chan *secrets, 1)
	group.Go(func() error { return runManager(ctx, m, log, func(s *secrets) { opened <- s }) })
	group.Go(func() error { return runFleet(ctx, s, m, log, filled) })
	group.Go(func() error {
		f, err := newFilling(ctx, s, m)
		if err != nil {
			return err
		}
		if err := f.fill(ctx); err != nil {
			return fmt.Errorf("fill the nodes: %w", err)
		}
		close(filled)
		fmt.Fprintf(out, "%s after %.1f s. REST answers at %s; the administrator's token is in %s\n",
			populated(f.running, s.nodes), time.Since(began).Seconds(), restURL(m.REST), filepath.Join(m.Secrets, "admin.token"))
		welcome(out, terminal(os.Stdout), restURL(m.REST), <-opened)
		return nil
	})
	return group.Wait()
}

// populated says how many VMs run, and on how many nodes.
func populated(vms, nodes int) string {
	verb := "run"
	if vms == 1 {
		verb = "runs"
	}
	return fmt.Sprintf("%s %s on %s", wording.Count(vms, "VM"), verb, wording.Count(nodes, "modelled node"))
}

// scratch returns a folder for short-lived files: in memory, if the system has such a place.
func scratch() string {
	const shared = "/dev/shm"
	if info, err := os.Stat(shared); err == nil && info.IsDir() {
		return shared
	}
	return ""
}

// manager returns the manager's configuration: on loopback, with a state and a store of its own.
func (s *modelSettings) manager() (*config.Manager, error) {
	host, port, err := net.SplitHostPort(s.rest)
	n, err2 := strconv.Atoi(port)
	if err != nil || err2 != nil || !isLoopback(host) {
		return nil, fmt.Errorf("--rest %s: give HOST:PORT on loopback, because clients need no certificate there", s.rest)
	}
	if s.nodes < 0 || s.vms < 0 || s.lost < 0 || s.lost > s.nodes || s.nodes == 0 && s.vms > 0 {
		return nil, errors.New("--nodes, --vms and --lost count from 0; VMs need nodes, and --lost must not exceed --nodes")
	}
	after := func(d int) string { return net.JoinHostPort(host, strconv.Itoa(n+d)) }
	image := filepath.Join(s.data, "image")
	if err := makeModelImage(image); err != nil {
		return nil, fmt.Errorf("make the modelled guests' image: %w", err)
	}
	m := config.NewManager()
	m.Data, m.Secrets, m.Store = filepath.Join(s.data, "manager"), filepath.Join(s.data, "secrets"),
		filepath.Join(s.data, "store")
	m.REST, m.Raft, m.Link, m.Image = s.rest, after(1), after(2), image
	m.Policy, m.Period, m.Lease, m.LogLevel = s.policy, s.period, s.lease, s.level
	if err := os.MkdirAll(m.Store, 0o755); err != nil {
		return nil, err
	}
	return m, validate(m)
}

// makeModelImage makes placeholder files of an image; modelled guests boot nothing.
func makeModelImage(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, name := range []string{"kernel", "initrd", "cmdline"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("modelled\n"), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// calm is the rhythm of many monitors that share two processors. The modelled hypervisor signals all changes.
var calm = monitor.Rhythm{Tick: 2 * time.Second, List: time.Minute, Sample: 30 * time.Second, Read: 30 * time.Second}

// runFleet runs the monitors of all nodes. The last ones, the lost nodes, end once the nodes are filled.
func runFleet(ctx context.Context, s modelSettings, m *config.Manager, log zerolog.Logger,
	filled <-chan struct{}) error {
	speeds, err := s.rotation()
	if err != nil {
		return err
	}
	fleet := model.NewFleet(model.Usual, log)
	group, ctx := errgroup.WithContext(ctx)
	enrolling := make(chan struct{}, enrollAtOnce)
	for i := range s.nodes {
		group.Go(func() error {
			n := modelNode{name: fmt.Sprintf("n%0*d", len(strconv.Itoa(s.nodes)), i+1), offer: offers[i%len(offers)],
				speed: speeds[i%len(speeds)],
				data:  s.data, manager: m, log: log}
			if i < s.nodes-s.lost {
				return n.run(ctx, fleet, enrolling)
			}
			return until(ctx, filled, func(ctx context.Context) error { return n.run(ctx, fleet, enrolling) })
		})
	}
	return group.Wait()
}

// rotation returns the speeds of the nodes, which are used in turn.
func (s *modelSettings) rotation() ([]cluster.Speed, error) {
	speeds := []cluster.Speed{}
	for _, text := range s.speeds {
		v, err := cluster.ParseSpeed(text)
		if err != nil {
			return nil, fmt.Errorf("--speeds: %w", err)
		}
		speeds = append(speeds, v)
	}
	if len(speeds) == 0 {
		return []cluster.Speed{0}, nil
	}
	return speeds, nil
}

// until runs a function and ends it when the channel is closed. That end is not an error.
func until(ctx context.Context, end <-chan struct{}, do func(context.Context) error) error {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-end:
			cancel()
		case <-inner.Done():
		}
	}()
	if err := do(inner); ctx.Err() != nil || inner.Err() == nil {
		return err
	}
	return nil
}

// enrollAtOnce limits the nodes that join at the same time.
const enrollAtOnce = 16

// offers are the sizes of modelled nodes, in rotation.
var offers = []cluster.Offer{
	{CPU: 8 * cluster.Core, Memory: 32 << 30}, {CPU: 16 * cluster.Core, Memory: 64 << 30},
	{CPU: 8 * cluster.Core, Memory: 32 << 30}, {CPU: 4 * cluster.Core, Memory: 16 << 30},
}

// modelNode is one node of the fleet.
type modelNode struct {
	name    string
	offer   cluster.Offer // in the node's own millicores
	speed   cluster.Speed
	data    string
	manager *config.Manager
	log     zerolog.Logger
}

// run enrolls the node if necessary, and runs its monitor.
func (n modelNode) run(ctx context.Context, fleet *model.Fleet, enrolling chan struct{}) error {
	folder := filepath.Join(n.data, "nodes", n.name)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if err := fenced(folder); err != nil {
		return err
	}
	client, err := n.enlist(ctx, filepath.Join(folder, "node.pem"), enrolling)
	if err != nil {
		return err
	}
	cpu := n.speed.Reference(n.offer.CPU)
	machine := fleet.AddAt(n.name, cpu, n.speed)
	agent, err := monitor.New(monitor.Config{
		Host: func() (monitor.Host, error) { return machine.Host(n.offer.Memory), nil },
		Name: n.name, CPU: cpu, Speed: n.speed, Memory: n.offer.Memory,
		Labels: []cluster.Pair{{Key: "cores", Value: fmt.Sprint(int(n.offer.CPU / cluster.Core))}},
		Store:  n.manager.Store, Images: n.images(), Data: folder, Rhythm: calm, Program: version,
		Log: n.log.With().Str("node", n.name).Logger(),
	}, machine, uplink{client}, client)
	if err != nil {
		return err
	}
	return agent.Run(ctx)
}

// fenced writes the sign of life of a modelled fence that never fails.
func fenced(folder string) error {
	boot, err := monitor.BootID()
	if err != nil {
		return err
	}
	return monitor.WriteSign(folder, monitor.FenceSign{At: monitor.BootTime() + forever, Boot: boot})
}

// forever is longer than any modelled cluster runs.
const forever = 365 * 24 * time.Hour

func (n modelNode) enlist(ctx context.Context, credentials string, enrolling chan struct{}) (*wire.Client, error) {
	select {
	case enrolling <- struct{}{}:
		defer func() { <-enrolling }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	managers := []string{n.manager.Link}
	if _, err := os.Stat(credentials); errors.Is(err, os.ErrNotExist) {
		token, err := own(n.manager).token(ctx, n.name)
		if err != nil {
			return nil, err
		}
		enrollment := wire.Enrollment{Managers: managers, Token: token, Node: n.name, Path: credentials}
		if err := enrollment.Persist(ctx, n.log); err != nil {
			return nil, err
		}
	}
	return wire.NewClient(wire.Options{Managers: managers, Credentials: credentials, Images: n.images(),
		Shared: sharedImages(n.manager.Store), Log: n.log})
}

// images is a folder of all modelled nodes: they are on one machine.
func (n modelNode) images() string { return filepath.Join(n.data, "node-images") }
