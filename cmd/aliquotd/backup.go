package main

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"aliquot/config"
	"aliquot/manager/store"
)

// restoredMark is the file that tells a manager at its next start that its state comes from a backup.
const restoredMark = "restored"

func restored(data string) string { return filepath.Join(data, restoredMark) }

// backups returns the folder of the daily backups; "": there are none.
func backups(cfg *config.Manager) string {
	switch cfg.Backups {
	case "auto":
		return filepath.Join(cfg.Data, "backups")
	case "none":
		return ""
	}
	return cfg.Backups
}

func backupCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "backup FOLDER", Short: "Write the running manager's state to a new folder below one on its machine",
		Example: "  aliquotd backup /var/lib/aliquot/manager/backups", Args: cobra.ExactArgs(1),
	}
	data := c.Flags().String("data", config.NewManager().Data, "folder of the manager's state")
	c.RunE = func(c *cobra.Command, args []string) error {
		to, err := filepath.Abs(args[0])
		if err != nil {
			return err
		}
		folder, err := askControl(c.Context(), *data, http.MethodPost, "/backup", url.Values{"to": {to}})
		if err != nil {
			return err
		}
		fmt.Fprintln(c.OutOrStdout(), "written to", folder)
		return nil
	}
	return c
}

func restoreCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "restore FOLDER", Short: "Make a backup, or the newest in a folder, the state of this manager, which must be stopped",
		Long: `Make a backup, or the newest in a folder, the state of this manager, which must be stopped.
Do it for every manager before starting any of them. Running VMs on the nodes are not
harmed: VMs unknown to the backup are frozen and listed as strays.`,
		Args: cobra.ExactArgs(1),
	}
	load := bind(c, config.NewManager)
	c.RunE = func(c *cobra.Command, args []string) error {
		cfg, err := load()
		if err != nil {
			return err
		}
		if err := actAsOwner(cfg.Data); err != nil {
			return err
		}
		unlock, err := lockData(cfg.Data)
		if err != nil {
			return err
		}
		defer unlock()
		s, err := openSecrets(cfg.Secrets)
		if err != nil {
			return err
		}
		sc, err := storeConfig(cfg, s, logger(cfg.LogLevel))
		if err != nil {
			return err
		}
		if err := restoreMarked(sc, args[0], restored(cfg.Data)); err != nil {
			return err
		}
		fmt.Fprintln(c.OutOrStdout(), "restored; start the managers")
		return nil
	}
	return c
}

// restoreMarked restores a backup. The mark comes first: without it, a manager would go on under a generation in which
// nodes have newer orders.
func restoreMarked(sc store.Config, from, mark string) error {
	f, err := os.OpenFile(mark, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err == nil {
		err = errors.Join(f.Sync(), f.Close())
	}
	if err != nil {
		return fmt.Errorf("mark the state as restored: %w", err)
	}
	if err := store.Restore(sc, from); err != nil {
		return errors.Join(err, os.Remove(mark))
	}
	return nil
}
