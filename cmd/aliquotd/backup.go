package main

import (
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
		if _, err := askControl(c.Context(), *data, http.MethodPost, "/backup", url.Values{"to": {to}}); err != nil {
			return err
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
		if err := store.Restore(sc, args[0]); err != nil {
			return err
		}
		if err := os.WriteFile(restored(cfg.Data), nil, 0o600); err != nil {
			return fmt.Errorf("mark the state as restored: %w", err)
		}
		fmt.Fprintln(c.OutOrStdout(), "restored; start the managers")
		return nil
	}
	return c
}
