package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"aliquot/client"
	"aliquot/cmd/internal/manual"
	"aliquot/internal/file"
	"aliquot/internal/stop"
	"aliquot/internal/terminal"
)

// Exit codes.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitUnreachable = 3
	exitInfeasible  = 3 // of pack, which uses no manager
	exitLate        = 4
	exitStopped     = 130 // the code of a program ended by SIGINT
)

// app is one invocation of the command line, with its input, output and environment.
type app struct {
	in       io.Reader
	out, err io.Writer
	env      func(string) (string, bool)
	settings settings
	format   string // table, json or yaml; csv in commands that are tabular
	begun    bool   // the command line was valid
	person   bool   // somebody at a terminal can answer questions
}

// usage is an error in the command line or the configuration.
type usage struct{ error }

func (u usage) Unwrap() error { return u.error }

// exitCode is a failure that has already been shown, with its own exit code.
type exitCode struct {
	code int
	error
}

// silent is a failure that has already been shown.
type silent struct{ error }

// late means that a condition was not met within its time limit.
type late struct{ error }

func usagef(format string, args ...any) error { return usage{fmt.Errorf(format, args...)} }

// run executes the arguments and returns the exit code.
func (a *app) run(ctx context.Context, args []string) int {
	root := a.root()
	root.SetArgs(listed(root, args))
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	command, err := root.ExecuteContextC(ctx)
	return a.report(ctx, command, err)
}

// report prints the error and advice, and returns the exit code.
func (a *app) report(ctx context.Context, command *cobra.Command, err error) int {
	var wrong usage
	var shown silent
	var coded exitCode
	var problem *client.Problem
	var unreachable *client.Unreachable
	var overdue late
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &coded):
		return coded.code
	case errors.Is(err, stop.Err):
		fmt.Fprintf(a.err, "aliquot: %v\n", err)
		return exitStopped
	case errors.Is(err, context.Canceled):
		fmt.Fprintf(a.err, "aliquot: %v: %v\n", stop.Err, err)
		return exitStopped
	case errors.As(err, &shown) && errors.Is(ctx.Err(), context.Canceled):
		return exitStopped
	case errors.As(err, &shown):
		return exitFailed
	case !a.begun:
		fmt.Fprintf(a.err, "aliquot: %v\nSee `%s --help`.\n", err, command.CommandPath())
		return exitUsage
	case errors.As(err, &wrong):
		fmt.Fprintf(a.err, "aliquot: %v\n", err)
		return exitUsage
	case errors.As(err, &overdue):
		fmt.Fprintf(a.err, "aliquot: %v\n", err)
		return exitLate
	case errors.As(err, &unreachable):
		fmt.Fprintf(a.err, "aliquot: %v\n", err)
		fmt.Fprintln(a.err, "Is a manager running there? Name others with --manager or ALIQUOT_MANAGERS.")
		return exitUnreachable
	case errors.As(err, &problem) && problem.Code == "unauthorized":
		fmt.Fprintf(a.err, "aliquot: %v\n", err)
		fmt.Fprintln(a.err,
			"Set ALIQUOT_TOKEN or ALIQUOT_TOKEN_FILE; an admin makes tokens with `aliquot token create`. Root on a manager's machine needs none if no manager is named.")
		return exitFailed
	case errors.As(err, &problem):
		text := fmt.Sprintf("aliquot: %v\n%s\n", err, problem.Help)
		if problem.Field == keyHeader {
			text = strings.ReplaceAll(text, keyHeader, "--key")
		}
		fmt.Fprint(a.err, text)
		return exitFailed
	}
	fmt.Fprintf(a.err, "aliquot: %v\n", err)
	return exitFailed
}

// keyHeader is what REST calls the flag --key.
const keyHeader = "Idempotency-Key"

const rootHelp = `Aliquot runs jobs in virtual machines on a cluster of libvirt nodes and gives every
job the fraction of CPU that makes the worst-off job as well off as possible.

A job is a number of identical tasks, each in its own VM. It states the CPU that a task
can use at full speed (its need, which may be granted in part) and the memory that a
task must have. The yield is the part of the need that is granted.`

const rootExample = `  id=$(aliquot job submit --name hello --cpu 500m --memory 96Mi -- /bin/echo hello)
  aliquot job show $id
  aliquot job wait $id && aliquot job logs $id
  aliquot overview
  aliquot top
  aliquot plan drain n1`

const rootNotes = `
Managers and tokens are found in this order:
  --manager, --token-file      flags
  ALIQUOT_MANAGERS             URLs or unix://SOCKET, separated by commas
  ALIQUOT_TOKEN                the token itself, or
  ALIQUOT_TOKEN_FILE           a file that holds it
  ALIQUOT_CA                   certificate authority of managers behind https
  ~/.config/aliquot/config.yaml    managers: [...], tokenFile: ..., ca: ...
  this machine's manager: for root its socket, /var/lib/aliquot/manager/rest.sock, and
  /var/lib/aliquot/secrets/admin.token; for others http://127.0.0.1:7420 and their token

-o csv prints a list with a column for each field of its JSON, times in UTC.

Exit codes: 0 done; 1 refused or failed; 2 wrong usage or configuration; 3 no manager
could be reached; 130 stopped by Ctrl-C. job wait: 0 the job succeeded, 1 it failed or was
cancelled, 4 it had not ended within --timeout. pack: 3 the tasks do not all fit,
4 it was cut short before that was known.
`

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use: "aliquot", Short: "Run jobs on exact fractions of CPU", Long: rootHelp, Example: rootExample,
		SilenceErrors: true, SilenceUsage: true, Version: version,
	}
	root.SetUsageTemplate(root.UsageTemplate() + "{{if not .HasParent}}" + rootNotes + "{{end}}")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return explainFlag(err) })
	flags := root.PersistentFlags()
	flags.StringSliceVar(&a.settings.managers, "manager", nil, "address of a manager; may be repeated")
	flags.StringVar(&a.settings.tokenFile, "token-file", "", "file that holds the token")
	flags.StringVarP(&a.format, "output", "o", "table", "table, json or yaml; csv for lists")
	_ = root.RegisterFlagCompletionFunc("output", cobra.FixedCompletions([]string{"table", "json", "yaml", "csv"},
		cobra.ShellCompDirectiveNoFileComp))
	root.AddCommand(
		a.overviewCommand(), a.jobCommand(), a.topCommand(), a.nodeCommand(), a.managerCommand(), a.planCommand(),
		a.policyCommand(), tabular(a.eventsCommand()), a.imageCommand(), a.consoleCommand(), a.sessionCommand(),
		a.tokenCommand(), tabular(a.auditCommand()), a.quotaCommand(),
		a.networkCommand(), a.reservationCommand(), a.offerCommand(), tabular(a.usageCommand()),
		a.workflowCommand(),
		a.simCommand(), a.experienceCommand(), a.speedCommand(),
		a.workloadCommand(), a.packCommand(), a.provisionCommand(), a.benchCommand(),
		a.versionCommand(),
		manual.Command("1", rootNotes),
	)
	for _, c := range root.Commands() {
		if c.Name() == "sim" {
			continue // its jobs are those of a trace
		}
		for _, each := range append(c.Commands(), c) {
			a.completeFlags(each)
		}
	}
	return root
}

// local returns the body of a command that needs no manager. A flag --json, if there is one, means -o json.
func (a *app) local(do func(c *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		if err := a.checkFormat(c); err != nil {
			return err
		}
		a.begun = true
		if asJSON, _ := c.Flags().GetBool("json"); asJSON { // false without such a flag
			a.format = "json"
		}
		return do(c, args)
	}
}

// act returns the body of a command that gets a client and the arguments.
func (a *app) act(do func(ctx context.Context, c *client.Client, args []string) error) func(*cobra.Command,
	[]string) error {
	return func(command *cobra.Command, args []string) error {
		if err := a.checkFormat(command); err != nil {
			return err
		}
		a.begun = true
		c, err := a.connect()
		if err != nil {
			return err
		}
		defer c.Close()
		return do(command.Context(), c, args)
	}
}

func (a *app) checkFormat(c *cobra.Command) error {
	switch a.format {
	case "table", "json", "yaml":
		return nil
	case "csv":
		if c.Annotations["output"] == "csv" {
			return nil
		}
		return usagef("%s prints no list, as -o csv needs: use table, json or yaml", c.CommandPath())
	}
	return usagef("there is no output format %q: use table, json or yaml, or csv for lists", a.format)
}

// tabular lets a command print its list as CSV.
func tabular(c *cobra.Command) *cobra.Command {
	c.Annotations = map[string]string{"output": "csv"}
	return c
}

// group returns a command that only holds others.
func group(use, short, long string, commands ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{Use: use, Aliases: []string{plural(use)}, Short: short, Long: long, DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("there is no command %q%s", c.CommandPath()+" "+args[0], nearest(c, args[0]))
			}
			var names []string
			for _, sub := range c.Commands() {
				names = append(names, sub.Name())
			}
			return usagef("name a subcommand: %s", strings.Join(names, ", "))
		}}
	for _, sub := range commands {
		if sub.Name() == "list" {
			sub.Aliases = []string{"ls"}
		}
	}
	c.AddCommand(commands...)
	return c
}

// plural returns the plural of a group's name.
func plural(noun string) string {
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		return stem + "ies"
	}
	return noun + "s"
}

// listed adds the subcommand list to arguments with the plural of a group alone: `jobs --all` is `job list --all`.
func listed(root *cobra.Command, args []string) []string {
	group, rest, err := root.Find(args)
	at := slices.Index(args, plural(group.Name()))
	if err != nil || at < 0 || len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
		return args
	}
	if !slices.ContainsFunc(group.Commands(), func(c *cobra.Command) bool { return c.Name() == "list" }) {
		return args
	}
	return slices.Insert(slices.Clone(args), at+1, "list")
}

// nearest suggests subcommands within edit distance 1, else 2.
func nearest(c *cobra.Command, name string) string {
	for c.SuggestionsMinimumDistance = 1; c.SuggestionsMinimumDistance <= 2; c.SuggestionsMinimumDistance++ {
		if alike := c.SuggestionsFor(name); len(alike) > 0 {
			return "; did you mean " + strings.Join(alike, " or ") + "?"
		}
	}
	return ""
}

// explainFlag describes the expected value of a flag.
func explainFlag(err error) error {
	var wrong *pflag.InvalidValueError
	if !errors.As(err, &wrong) {
		return err
	}
	if f, ok := wrong.GetFlag().Value.(*jobFlag); ok && f.kind == "int" {
		return fmt.Errorf("--%s %w", wrong.GetFlag().Name, errors.Unwrap(wrong))
	}
	must, ok := map[string]string{
		"int": "a whole number in plain digits", "int64": "a whole number in plain digits",
		"uint64":  "a whole number in plain digits, not negative",
		"float64": "a number", "duration": "a time like 90s or 1h30m", "bool": "true or false",
	}[wrong.GetFlag().Value.Type()]
	if !ok {
		return err
	}
	return fmt.Errorf("--%s is %q, must be %s", wrong.GetFlag().Name, wrong.GetValue(), must)
}

// takes checks that exactly the named arguments are given. A name that ends in ... may be repeated. Where a job is
// named, a task is refused.
func takes(names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) < len(names) {
			return fmt.Errorf("%s is missing", strings.TrimSuffix(names[len(args)], "..."))
		}
		repeated := len(names) > 0 && strings.HasSuffix(names[len(names)-1], "...")
		if len(args) > len(names) && !repeated {
			return fmt.Errorf("%q is one argument too many", args[len(names)])
		}
		if len(names) > 0 && slices.Contains([]string{"JOB", "JOB|STANDING..."}, names[0]) {
			return noTask(args)
		}
		return nil
	}
}

// taskName is the name of a task, with that of its job.
var taskName = regexp.MustCompile(`^(j\d+)/\d+$`)

// noTask refuses names of tasks where jobs are to be named.
func noTask(names []string) error {
	for _, name := range names {
		if of := taskName.FindStringSubmatch(name); of != nil {
			return fmt.Errorf("%s is a task; its job is %s", name, of[1])
		}
	}
	return nil
}

// writable refuses -, which stands for standard input, as the name of a file to write.
func writable(paths ...string) error {
	if slices.Contains(paths, "-") {
		return usagef("- is standard input, and a file is to be written: name one, ./- if need be")
	}
	return nil
}

// progress shows the progress of work, on a terminal after a moment, elsewhere at the given interval; 0: never.
func (a *app) progress(elsewhere time.Duration) *terminal.Progress {
	return terminal.NewProgress(a.err, elsewhere)
}

// vacant refuses existing files as wrong usage, unless force is given, and those that can only be read.
func vacant(force bool, paths ...string) error {
	if err := writable(paths...); err != nil {
		return err
	}
	if err := file.Vacant(force, paths...); err != nil {
		return usage{err}
	}
	return nil
}
