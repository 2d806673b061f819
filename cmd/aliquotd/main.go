// Command aliquotd is Aliquot's daemon: a manager, a node's monitor, its fence, or all three for one
// machine.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"aliquot/cmd/internal/manual"
)

// version is set by the linker.
var version = "development"

func main() {
	zerolog.TimeFieldFormat = "2006-01-02T15:04:05.000Z07:00"
	// The collector works harder before the cgroup's limit ends the process. Without a limit, or with GOMEMLIMIT, nothing
	// changes.
	_, _ = memlimit.Set(memlimit.WithProvider(memlimit.FromCgroup))
	syscall.Umask(0o022) // each file sets its own mode; QEMU runs as another user
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	err := command().ExecuteContext(ctx)
	if err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "aliquotd:", err)
		os.Exit(1)
	}
}

func command() *cobra.Command {
	root := &cobra.Command{
		Use:   "aliquotd",
		Short: "Aliquot's daemon",
		Long: `Aliquot runs jobs in virtual machines and gives each the fraction of CPU that makes
the worst-off job as well off as possible.

On one machine everything is one command:

  aliquotd up

On several, run a manager (or three) and, on every node, a monitor and a fence:

  aliquotd manager --link 10.0.0.1:7422
  aliquotd monitor --managers 10.0.0.1:7422 --join-token join.token
  aliquotd fence

Every setting has a default. A YAML file (--config), the environment (ALIQUOTD_…) and
flags can change it, in rising precedence. "aliquotd config" shows and checks settings.`,
		SilenceUsage: true, SilenceErrors: true, Version: version,
	}
	root.AddCommand(managerCommand(), monitorCommand(), fenceCommand(), upCommand(), configCommand(), backupCommand(),
		restoreCommand(),
		memberCommand(), simulateCommand(), modelCommand(), manual.Command("8", ""))
	return root
}
