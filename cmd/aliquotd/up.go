package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"aliquot/config"
	"aliquot/web"
)

func upCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "up", Short: "Run manager, monitor and fence for this one machine", Args: cobra.NoArgs,
		Long: `Run manager, monitor and fence for this one machine on the local libvirt, with nothing to
configure. The flags are the manager's; the monitor takes its settings from the
environment (ALIQUOTD_…), see "aliquotd monitor --help".

When it ends, VMs keep running without a fence, because no manager could start their tasks
elsewhere. At its next start they are frozen for the few seconds until the node has its
lease again. After more than a week they are destroyed instead, and their tasks start again.
The fence arms no watchdog here.`,
	}
	load := bind(c, config.NewManager)
	c.RunE = func(c *cobra.Command, _ []string) error {
		m, err := load()
		if err != nil {
			return err
		}
		n, err := ownNode(m, os.LookupEnv)
		if err != nil {
			return err
		}
		if err := makeFolder(m.Store, 0o755); err != nil { // of several nodes it is a mount, which people make
			return fmt.Errorf("make the store: %w", err)
		}
		log := logger(m.LogLevel)
		group, ctx := errgroup.WithContext(c.Context())
		group.Go(func() error {
			return runManager(ctx, m, log, func(s *secrets) {
				welcome(c.OutOrStdout(), terminal(os.Stdout), restURL(m.REST), s)
			})
		})
		group.Go(func() error { return keepFence(ctx, n, log) })
		group.Go(func() error {
			return runMonitor(ctx, n, own(m), log)
		})
		return group.Wait()
	}
	return c
}

// welcome prints the console's address. Only on a terminal it prints a login, because elsewhere the output may be
// logged.
func welcome(to io.Writer, attended bool, address string, s *secrets) {
	if !attended {
		fmt.Fprintf(to, "The console is at %s; `aliquot console login` prints an address that logs a browser in.\n", address)
		return
	}
	fmt.Fprintf(to,
		"The console, for one login within 10 minutes (later: aliquot console login):\n\n  %s/login#code=%s\n\n",
		address, web.NewLoginCode(s.sessions, &s.admin, time.Now()))
}

func terminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// ownNode returns the configuration of the monitor beside this manager.
func ownNode(m *config.Manager, look func(string) (string, bool)) (*config.Monitor, error) {
	if m.Join || len(m.Members) > 1 {
		// Other managers could start tasks elsewhere while this machine's fence is not running.
		return nil, errors.New("up is for the only manager of a cluster; of several, run each with `aliquotd manager`")
	}
	if _, err := findImage(m.Image, imagePlaces()); err != nil {
		return nil, err
	}
	n := config.NewMonitor()
	folder := n.Data
	if m.Data != config.NewManager().Data {
		folder = filepath.Join(m.Data, "node")
	}
	if m.Store != config.NewManager().Store {
		n.Images = filepath.Clean(m.Store) + "-images"
	}
	if err := config.Environment(n, look); err != nil {
		return nil, err
	}
	// The environment variables of these keys belong to the manager.
	n.Data, n.Trial, n.Store, n.Managers = folder, m.Image, m.Store, []string{m.Link}
	return n, n.Validate()
}

// awaitFile waits until the manager has written its secrets.
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

// longest is the longest time before VMs without a manager are destroyed, for example on a machine that was switched
// off. It is the maximum that the fence allows.
const longest = 7 * 24 * time.Hour

// keepFence runs the fence as its own process, so that it does not fall with the monitor, and restarts it when it ends.
func keepFence(ctx context.Context, n *config.Monitor, log zerolog.Logger) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find the fence's program: %w", err)
	}
	for ctx.Err() == nil {
		c := exec.CommandContext(ctx, self, "fence", "--data", n.Data, "--uri", n.URI, "--watchdog", "none", "--fence-after",
			longest.String())
		c.Stderr = os.Stderr
		c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
		err := c.Run()
		if ctx.Err() == nil {
			log.Error().Err(err).Msg("the fence ended; restarting it")
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		}
	}
	return ctx.Err()
}
