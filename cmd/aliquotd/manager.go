package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"aliquot/cluster"
	"aliquot/config"
	"aliquot/manager"
	"aliquot/manager/events"
	"aliquot/manager/images"
	"aliquot/manager/link"
	"aliquot/manager/store"
	"aliquot/wire"
)

func managerCommand() *cobra.Command {
	c := &cobra.Command{Use: "manager", Short: "Run a manager: REST, a replica of the state, and the loop that schedules",
		Args: cobra.NoArgs}
	load := bind(c, config.NewManager)
	c.RunE = func(c *cobra.Command, _ []string) error {
		cfg, err := load()
		if err == nil {
			err = actAsOwner(cfg.Data)
		}
		if err != nil {
			return err
		}
		return runManager(c.Context(), cfg, logger(cfg.LogLevel), func(*secrets) {})
	}
	return c
}

// runManager runs until ctx ends or this manager fails. It calls greet once the manager is usable.
func runManager(ctx context.Context, cfg *config.Manager, log zerolog.Logger, greet func(*secrets)) error {
	unlock, err := lockData(cfg.Data)
	if err != nil {
		return err
	}
	defer unlock()
	s, err := openSecrets(cfg.Secrets)
	if err != nil {
		return err
	}
	if err := knownPolicy(cfg); err != nil {
		log.Warn().Err(err).
			Msg(
				"the configured policy is ignored, because this cluster already has one; change it with: aliquot policy set NAME")
	}
	p, err := openParts(cfg, s, log)
	if err != nil {
		return err
	}
	defer p.close()
	doors, err := openDoors(cfg)
	if err != nil {
		return err
	}
	defer doors.close()
	peers := peers(s)
	defer peers.CloseIdleConnections()
	problem := ""
	if raftInTheClear(cfg, s) {
		problem = raftProblem
	}
	m := manager.New(manager.Config{
		Replica: cfg.Replica, Links: p.links, RESTs: p.urls, StorePath: cfg.Store, Restored: restored(cfg.Data),
		Results:     manager.ResultLimits{Age: cfg.ResultsAge, Bytes: cluster.Bytes(cfg.ResultsSize)},
		Past:        manager.PastLimits{Folder: filepath.Join(cfg.Data, "past"), Bytes: cluster.Bytes(cfg.PastSize)},
		Backups:     backups(cfg),
		FenceMargin: cfg.FenceMargin, Log: log, Clock: time.Now, Elapsed: wire.Boottime, Format: askFormat(peers),
		Problem: problem, Peers: wire.NewPeers(s.authority.PeerTLS(), nil),
	}, p.store, p.events, p.images)
	hub := link.NewHub(link.Options{Leader: m.ForNodes(), Issuer: s.authority, Images: p.images,
		Past: m, Lease: cfg.Lease, Log: log})
	m.Serve(hub)
	simulated, err := openSimulations(cfg.Data, log)
	if err != nil {
		return err
	}

	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return hub.Serve(ctx, doors.links, s.authority.LinkTLS()) })
	group.Go(func() error { return serveREST(ctx, doors, cfg.REST, m, s, simulated, peers, p.accounts, log) })
	group.Go(func() error {
		return serveControl(ctx, doors.control, p.store, &members{store: p.store, self: cfg.Replica,
			addresses: raftAddresses(cfg)}, p.accounts.audit, log)
	})
	group.Go(func() error { p.accounts.run(ctx); return ctx.Err() })
	group.Go(func() error { m.Run(ctx); return ctx.Err() })
	group.Go(func() error { simulated.Run(ctx); return ctx.Err() })
	group.Go(func() error {
		select {
		case <-p.store.Halted():
			return p.store.Err()
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	group.Go(func() error {
		err := m.Bootstrap(ctx, manager.Founding{Policy: policyOf(cfg), Builtin: p.builtin, Admin: s.admin})
		if err == nil {
			greet(s)
		}
		return err
	})
	log.Info().Str("rest", restURL(cfg.REST)).Str("links", cfg.Link).Uint64("replica", cfg.Replica).
		Msg("the manager is running")
	return group.Wait()
}

// parts are the components of a manager.
type parts struct {
	store       *store.Store
	events      *events.Log
	images      *images.Folder
	accounts    *accounts
	builtin     *cluster.Image // nil: no built-in image
	links, urls map[uint64]string
}

func openParts(cfg *config.Manager, s *secrets, log zerolog.Logger) (*parts, error) {
	p := &parts{links: map[uint64]string{cfg.Replica: cfg.Link}, urls: map[uint64]string{cfg.Replica: restURL(cfg.REST)}}
	for list, table := range map[*[]string]*map[uint64]string{&cfg.Links: &p.links, &cfg.URLs: &p.urls} {
		if len(*list) > 0 {
			*table, _ = config.Numbered(*list) // Validate has checked it
		}
	}
	var err error
	if p.images, err = images.Open(filepath.Join(cfg.Data, "images"), images.Limit); err != nil {
		return nil, err
	}
	if p.builtin, err = loadBuiltin(p.images, cfg.Image, log); err != nil {
		return nil, err
	}
	if p.events, err = events.Open(filepath.Join(cfg.Data, "events"), events.Kept, log); err != nil {
		return nil, err
	}
	if p.accounts, err = openAccounts(cfg, log); err != nil {
		return nil, errors.Join(err, p.events.Close())
	}
	sc, err := storeConfig(cfg, s, log)
	if err == nil {
		sc.Events = p.events
		p.store, err = store.Open(sc)
	}
	if err != nil {
		return nil, errors.Join(err, p.events.Close(), p.accounts.close())
	}
	return p, nil
}

func (p *parts) close() {
	p.store.Close()
	p.events.Close()
	p.accounts.close()
}

// loadBuiltin stores the built-in image, if there is one.
func loadBuiltin(to *images.Folder, setting string, log zerolog.Logger) (*cluster.Image, error) {
	folder, err := findImage(setting, imagePlaces())
	if errors.Is(err, errNoImage) {
		log.Warn().Msg(err.Error() + "; jobs can only use images that are uploaded")
		return nil, nil
	}
	if err != nil || folder == "" {
		return nil, err
	}
	image, err := to.PutFolder("busybox", folder)
	if err != nil {
		return nil, fmt.Errorf("load the built-in image: %w", err)
	}
	image.Builtin = true
	return &image, nil
}

// replicaDir returns the folder of the manager's replica of the state.
func replicaDir(cfg *config.Manager) string { return filepath.Join(cfg.Data, "raft") }

// initial is the policy of a cluster before its first start sets the configured one. It must never change, because the
// whole log is applied to it.
var initial = cluster.PolicyChoice{Name: "GreedyPM */stable", Period: 10 * cluster.Minute}

func policyOf(cfg *config.Manager) cluster.PolicyChoice {
	return cluster.PolicyChoice{Name: cfg.Policy, Period: cluster.Time(cfg.Period.Microseconds())}
}

// storeConfig returns the configuration of this manager's replica.
func storeConfig(cfg *config.Manager, s *secrets, log zerolog.Logger) (store.Config, error) {
	members := map[uint64]store.Member{}
	for n, address := range raftAddresses(cfg) {
		members[n] = member(n, address)
	}
	sc := store.Config{
		Dir: replicaDir(cfg), Replica: cfg.Replica, Members: members, Join: cfg.Join, Cluster: s.cluster, Log: log,
		Initial: func() *cluster.State { return cluster.New(s.cluster, initial) },
	}
	if raftInTheClear(cfg, s) {
		log.Warn().Msg(raftProblem)
		return sc, nil
	}
	err := secureRaft(&sc, cfg, s)
	return sc, err
}

// raftAddresses returns the addresses of all configured members.
func raftAddresses(cfg *config.Manager) map[uint64]string {
	if len(cfg.Members) == 0 {
		return map[uint64]string{cfg.Replica: cfg.Raft}
	}
	addresses, _ := config.Numbered(cfg.Members) // Validate has checked it
	return addresses
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
