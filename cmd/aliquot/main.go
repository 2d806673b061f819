// Command aliquot is Aliquot's command line: it submits, shows and controls jobs and nodes, makes
// plans, and manages policy, images and tokens, all through REST.
//
// It decides nothing and needs no privilege besides a token. There is one file per group of commands.
// The printing functions are tested against golden files.
//
// Invariants: exit codes are 0 done, 1 refused or failed, 2 wrong usage or configuration,
// 3 no manager reachable, 130 stopped by the user; `job wait` exits with the job's outcome; with -o json or yaml
// standard output holds one document (events: one per line) and nothing else; standard error says what a command
// did. The conventions are those of the Command Line Interface Guidelines, clig.dev.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"aliquot/internal/terminal"
)

// version is set by the build.
var version = "unknown"

// commit returns Go's revision of a plain build; "unknown" outside a repository.
func commit() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return version
}

// interruptible returns a context that the first stop signal ends. The second signal kills the program.
func interruptible() (ctx context.Context, stop func()) {
	ctx, stop = signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

func main() {
	if version == "unknown" {
		version = commit()
	}
	ctx, stop := interruptible()
	a := &app{in: os.Stdin, out: os.Stdout, err: os.Stderr, env: os.LookupEnv,
		person: terminal.Size(os.Stdin) != nil && terminal.Size(os.Stderr) != nil}
	code := a.run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}
