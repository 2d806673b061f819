// Fleet runs the monitors of modelled nodes, whose names are its arguments, in one process. It is built within the
// earlier program and within this one, so it may use only what both have.
package main

import (
	"context"
	"flag"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/sync/errgroup"

	"aliquot/cluster"
	"aliquot/monitor"
	"aliquot/monitor/model"
	"aliquot/wire"
	"aliquot/wire/join"
)

var (
	managers = flag.String("managers", "", "links of all managers, separated by commas")
	tokens   = flag.String("tokens", "", "folder of the nodes' join tokens")
	data     = flag.String("data", "", "folder of all nodes")
	store    = flag.String("store", "", "folder of the store")
)

func main() {
	flag.Parse()
	log := zerolog.New(os.Stderr).With().Timestamp().Logger()
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer cancel()
	if err := run(ctx, log); err != nil && ctx.Err() == nil {
		log.Fatal().Err(err).Msg("the fleet has ended")
	}
}

func run(ctx context.Context, log zerolog.Logger) error {
	fleet := model.NewFleet(model.Pace{Boot: 50 * time.Millisecond, Save: cluster.Bytes(1 << 30),
		Send: cluster.Bytes(1 << 30)}, log)
	group, ctx := errgroup.WithContext(ctx)
	for _, name := range flag.Args() {
		group.Go(func() error { return runNode(ctx, name, fleet, log.With().Str("node", name).Logger()) })
	}
	return group.Wait()
}

func runNode(ctx context.Context, name string, fleet *model.Fleet, log zerolog.Logger) error {
	folder := filepath.Join(*data, name)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(*tokens, name+".token"))
	if err != nil {
		return err
	}
	token, err := join.ParseToken(strings.TrimSpace(string(text)))
	if err != nil {
		return err
	}
	boot, err := monitor.BootID()
	if err != nil {
		return err
	}
	if err := monitor.WriteSign(folder, monitor.FenceSign{At: monitor.BootTime() + 1000*time.Hour,
		Boot: boot}); err != nil {
		return err
	}
	links, credentials, images := strings.Split(*managers, ","), filepath.Join(folder, "node.pem"),
		filepath.Join(*store, "images")
	enrollment := wire.Enrollment{Managers: links, Token: token, Node: name, Path: credentials}
	if err := enrollment.Persist(ctx, log); err != nil {
		return err
	}
	client, err := wire.NewClient(wire.Options{Managers: links, Credentials: credentials, Images: images, Log: log})
	if err != nil {
		return err
	}
	const cpu = 8 * cluster.Core
	rhythm := monitor.Rhythm{Tick: 500 * time.Millisecond, List: 10 * time.Second, Sample: 10 * time.Second,
		Read: 10 * time.Second}
	agent, err := monitor.New(monitor.Config{
		Name: name, CPU: cpu, Memory: 8 << 30, Store: *store, Images: images, Data: folder, Rhythm: rhythm, Log: log,
	}, fleet.Add(name, cpu), uplink{client}, client)
	if err != nil {
		return err
	}
	return agent.Run(ctx)
}

type uplink struct{ *wire.Client }

func (u uplink) Connect(ctx context.Context, describe func() cluster.Join) (monitor.Session, error) {
	s, err := u.Client.Connect(ctx, describe)
	if err != nil {
		return nil, err
	}
	return s, nil
}
