package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"aliquot/config"
)

func upCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "up", Short: "Run manager, monitor and fence for this one machine", Args: cobra.NoArgs,
		Long: `Run manager, monitor and fence for this one machine on the local qemu:///system, with
nothing to configure. The flags are the manager's; the monitor takes its settings from the
environment (ALIQUOTD_…), see "aliquotd monitor --help".`,
	}
	load := bind(c, config.NewManager)
	c.RunE = func(c *cobra.Command, _ []string) error {
		m, err := load()
		if err != nil {
			return err
		}
		n := config.NewMonitor()
		if err := config.Environment(n, os.LookupEnv); err != nil {
			return err
		}
		n.Managers, n.JoinToken, n.Trial, n.Store = []string{m.Link}, m.Secrets+"/join.token", m.Image, m.Store
		if changed(c.Flags(), "data") {
			n.Data, n.Images = m.Data+"/node", m.Data+"/node/images"
		}
		log := logger(m.LogLevel)
		group, ctx := errgroup.WithContext(c.Context())
		group.Go(func() error { return runManager(ctx, m, log) })
		group.Go(func() error { return keepFence(ctx, n, log) })
		group.Go(func() error {
			if err := awaitFile(ctx, n.JoinToken); err != nil {
				return err
			}
			return runMonitor(ctx, n, log)
		})
		return group.Wait()
	}
	return c
}

// awaitFile waits until the manager has made its secrets.
func awaitFile(ctx context.Context, path string) error {
	for {
		if _, err := os.Stat(path); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// keepFence runs the fence as a process of its own, and again when it ends: it must not
// fall with the monitor.
func keepFence(ctx context.Context, n *config.Monitor, log zerolog.Logger) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding the fence's program: %w", err)
	}
	for ctx.Err() == nil {
		c := exec.CommandContext(ctx, self, "fence", "--data", n.Data, "--uri", n.URI, "--watchdog", "none")
		c.Stderr = os.Stderr
		c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
		err := c.Run()
		if ctx.Err() == nil {
			log.Error().Err(err).Msg("the fence ended; it is started again")
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		}
	}
	return ctx.Err()
}
