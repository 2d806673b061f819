package main

import (
	"fmt"
	"os"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"aliquot/cluster"
	"aliquot/config"
	"aliquot/manager/store"
	"aliquot/policy/catalog"
)

// settings is a configuration that can check itself.
type settings interface{ Validate() error }

// bind adds a flag for each key of the defaults, and --config. The returned function gives the
// configuration from defaults, file, environment and flags, in rising precedence.
func bind[S settings](c *cobra.Command, fresh func() S) func() (S, error) {
	given := fresh()
	for k := range config.Keys(given) {
		f := c.Flags().VarPF(k, k.Name, "", k.Usage)
		if k.IsBoolFlag() {
			f.NoOptDefVal = "true"
		}
	}
	file := c.Flags().String("config", "", "YAML file with settings")
	return func() (S, error) {
		s := fresh()
		if *file != "" {
			if err := decodeFile(*file, s); err != nil {
				return s, err
			}
		}
		if err := config.Environment(s, os.LookupEnv); err != nil {
			return s, err
		}
		config.Merge(s, given, func(name string) bool { return changed(c.Flags(), name) })
		if err := validate(s); err != nil {
			return s, fmt.Errorf("the configuration is not valid:\n%w", err)
		}
		return s, nil
	}
}

// validate also checks that the policy exists, which package config cannot. It skips that check for a manager with a
// cluster, or one that joins: the policy is then part of the state, and the configured one may be gone.
func validate(s settings) error {
	err := s.Validate()
	if m, ok := s.(*config.Manager); ok && err == nil && !founded(m) {
		err = knownPolicy(m)
	}
	return err
}

func knownPolicy(m *config.Manager) error {
	if _, err := catalog.ParseLive(m.Policy, cluster.Time(m.Period.Microseconds())); err != nil {
		return fmt.Errorf("policy: %w", err)
	}
	return nil
}

// founded reports whether the manager's cluster already exists.
func founded(m *config.Manager) bool { return m.Join || store.Started(replicaDir(m), m.Replica) }

func changed(flags *pflag.FlagSet, name string) bool {
	f := flags.Lookup(name)
	return f != nil && f.Changed
}

func decodeFile(path string, into any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read the configuration: %w", err)
	}
	if err := config.Decode(text, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// logger writes to standard error, in a readable form if that is a terminal.
func logger(level string) zerolog.Logger {
	l, err := zerolog.ParseLevel(level)
	if err != nil {
		panic(err) // Validate has checked it
	}
	log := zerolog.New(os.Stderr)
	if terminal(os.Stderr) {
		log = zerolog.New(zerolog.ConsoleWriter{Out: os.Stderr, TimeFormat: "15:04:05.000"})
	}
	return log.Level(l).With().Timestamp().Logger()
}

func configCommand() *cobra.Command {
	c := &cobra.Command{Use: "config", Short: "Show and check settings"}
	roles := map[string]func() settings{
		"manager": func() settings { return config.NewManager() },
		"monitor": func() settings { return config.NewMonitor() },
		"fence":   func() settings { return config.NewFence() },
	}
	show := &cobra.Command{
		Use: "show manager|monitor|fence", Short: "Print the defaults as YAML",
		Args: cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs), ValidArgs: []string{"manager", "monitor", "fence"},
		RunE: func(c *cobra.Command, args []string) error {
			text, err := config.Encode(roles[args[0]]())
			if err == nil {
				_, err = c.OutOrStdout().Write(text)
			}
			return err
		},
	}
	check := &cobra.Command{
		Use: "check manager|monitor|fence FILE", Short: "Check a YAML file without starting anything",
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			fresh, ok := roles[args[0]]
			if !ok {
				return fmt.Errorf("there is no role %q; there are manager, monitor and fence", args[0])
			}
			s := fresh()
			if err := decodeFile(args[1], s); err != nil {
				return err
			}
			if err := validate(s); err != nil {
				return fmt.Errorf("%s:\n%w", args[1], err)
			}
			fmt.Fprintf(c.OutOrStdout(), "%s is valid\n", args[1])
			if cfg, ok := s.(*config.Monitor); ok {
				if text := exposed(cfg); text != "" {
					fmt.Fprintln(c.OutOrStdout(), "note:", text)
				}
				return compare(c, cfg)
			}
			return nil
		},
	}
	c.AddCommand(show, check)
	return c
}
