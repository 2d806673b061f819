package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"aliquot/config"
	"aliquot/manager/store"
)

// controlSocket is where a running manager takes requests of this machine's root alone.
const controlSocket = "control.sock"

// restoredMark tells a manager at its next start that its state comes from a backup.
const restoredMark = "restored"

func restored(data string) string { return filepath.Join(data, restoredMark) }

// serveControl answers POST /backup?to=FOLDER on a socket in the data folder.
func serveControl(ctx context.Context, data string, s *store.Store) error {
	path := filepath.Join(data, controlSocket)
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("opening the control socket: %w", err)
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return fmt.Errorf("opening the control socket: %w", err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return fmt.Errorf("opening the control socket: %w", err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /backup", func(w http.ResponseWriter, r *http.Request) {
		if err := s.Backup(r.Context(), r.URL.Query().Get("to")); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	server := &http.Server{Handler: mux}
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving the control socket: %w", err)
	}
	return ctx.Err()
}

func backupCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "backup FOLDER", Short: "Write the running manager's state to a folder on its machine",
		Example: "  aliquotd backup /var/backups/aliquot", Args: cobra.ExactArgs(1),
	}
	data := c.Flags().String("data", config.NewManager().Data, "folder of the manager's state")
	c.RunE = func(c *cobra.Command, args []string) error {
		to, err := filepath.Abs(args[0])
		if err != nil {
			return err
		}
		client := http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", filepath.Join(*data, controlSocket))
		}}}
		request, err := http.NewRequestWithContext(c.Context(), http.MethodPost, "http://manager/backup?to="+url.QueryEscape(to), nil)
		if err != nil {
			return err
		}
		response, err := client.Do(request)
		if err != nil {
			return fmt.Errorf("asking the manager, which must be running with --data %s: %w", *data, err)
		}
		defer response.Body.Close()
		if response.StatusCode != http.StatusOK {
			text, _ := io.ReadAll(io.LimitReader(response.Body, 4096))
			return errors.New(string(text))
		}
		fmt.Fprintln(c.OutOrStdout(), "written to", to)
		return nil
	}
	return c
}

func restoreCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "restore FOLDER", Short: "Make the newest backup in a folder the state of this manager, which must be stopped",
		Long: `Make the newest backup in a folder the state of this manager, which must be stopped.
Do it for every manager before any of them is started. Nothing that runs on the nodes is
harmed: VMs that the backup does not know are frozen and listed as strays.`,
		Args: cobra.ExactArgs(1),
	}
	load := bind(c, config.NewManager)
	c.RunE = func(c *cobra.Command, args []string) error {
		cfg, err := load()
		if err != nil {
			return err
		}
		s, err := openSecrets(cfg.Secrets)
		if err != nil {
			return err
		}
		sc, err := storeConfig(cfg, s, logger(cfg.LogLevel))
		if err != nil {
			return err
		}
		if err := store.Restore(sc, args[0]); err != nil {
			return err
		}
		if err := os.WriteFile(restored(cfg.Data), nil, 0o600); err != nil {
			return fmt.Errorf("marking the state as restored: %w", err)
		}
		fmt.Fprintln(c.OutOrStdout(), "restored; start the managers")
		return nil
	}
	return c
}
