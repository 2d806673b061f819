package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"aliquot/client"
	"aliquot/guest/stream"
	"aliquot/internal/terminal"
	"aliquot/web/api"
)

// splitTask reads JOB or JOB/TASK. It sets the task, which is -1 unless a flag has set it, if the name has one.
func splitTask(name string, task *int) (job string, err error) {
	job, index, named := strings.Cut(name, "/")
	if !named {
		return job, nil
	}
	if *task >= 0 {
		return job, usagef("%s names a task, and --task is %d: give one of them", name, *task)
	}
	if *task, err = strconv.Atoi(index); err != nil || *task < 0 {
		return job, usagef("%q is no task: write one like j17/0", name)
	}
	return job, nil
}

// taskOf reads JOB or JOB/TASK. The task may be left out if the job has one. A task that has ended is none.
func taskOf(ctx context.Context, c *client.Client, name string) (j api.Job, task int, err error) {
	task = -1
	job, err := splitTask(name, &task)
	if err != nil {
		return j, 0, err
	}
	named := task >= 0
	task = max(task, 0)
	j, err = c.Job(ctx, job)
	switch {
	case err != nil:
	case !named && j.Spec.Tasks > 1:
		err = usagef("%s has %d tasks: name one, like %s/0", job, j.Spec.Tasks, job)
	case task < len(j.Tasks) && j.Tasks[task].State == "ended":
		err = fmt.Errorf("task %d of %s has ended", task, job)
	}
	return j, task, err
}

func (a *app) execCommand() *cobra.Command {
	var tty bool
	var wait time.Duration
	c := &cobra.Command{
		Use: "exec JOB[/TASK] -- COMMAND [ARG]...", Short: "Run a command beside a task, in its VM",
		Args: takes("JOB[/TASK]", "COMMAND..."), ValidArgsFunction: a.completeJobs,
		Long: `Run a command in the VM of a task that runs: with the task's user, environment, folder and
files. Its input, output and exit code are those of this program. With --tty it has a terminal,
as shells and editors want; ~. at the beginning of a line ends it, and ~~ types one tilde. It is
killed when this program or its connection to the manager ends, and when the VM is paused or
moved. It takes part in the CPU and the memory of the task. For the owner of the job and for
operators; the audit log tells who did it, and not the command. An image's init must be of this
version.` + startWaitHelp,
		Example: "  aliquot job exec j17 -- ps\n  aliquot job exec -t j17 -- sh\n  aliquot job exec j17/2 -- sh -c 'cat >/tmp/more.csv' <more.csv",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			if err := checkStartWait(wait); err != nil {
				return err
			}
			j, task, err := taskOf(ctx, c, args[0])
			if err != nil {
				return err
			}
			code, err := a.exec(ctx, tty, func(at *stream.Size) (*client.Stream, error) {
				limit := startsWithin(wait)
				begin := func() (*client.Stream, error) { return c.Exec(ctx, j.ID, task, args[1:], at) }
				afterStart := func() (*client.Stream, error) {
					if err := a.awaitTask(ctx, c, j.ID, task, limit, takesCommands); err != nil {
						return nil, err
					}
					return begin()
				}
				first := begin
				if a.mustWait(ctx, c, &j, task) {
					first = afterStart
				}
				s, err := first()
				if client.Code(err) != "conflict" || wait == 0 {
					return s, err
				}
				return afterStart()
			})
			if errors.Is(err, client.ErrLost) {
				err = fmt.Errorf("%w, and the command is killed with it", err)
			}
			if err == nil && code != 0 {
				err = exitCode{code, fmt.Errorf("exit code %d", code)}
			}
			return err
		}),
	}
	addStartWait(c.Flags(), &wait)
	c.Flags().BoolVarP(&tty, "tty", "t", false, "give the command a terminal; standard input must be one")
	return c
}

// mustWait reports whether the task takes no commands yet, and this token may send it some once it does. Whether it may
// not is left to the manager, whose audit log has such attempts.
func (a *app) mustWait(ctx context.Context, c *client.Client, j *api.Job, task int) bool {
	return task < len(j.Tasks) && !takesCommands(&j.Tasks[task]) && maySteer(ctx, c, "running a command", j) == nil
}

// exec carries the stream of a command, at this program's terminal if it is asked for.
func (a *app) exec(ctx context.Context, tty bool, open func(*stream.Size) (*client.Stream, error)) (int, error) {
	var size *stream.Size
	if tty {
		if !terminal.Typed(a.in) {
			return 0, usage{terminal.ErrNone}
		}
		size = terminalSize(a.out)
	}
	s, err := open(size)
	if err != nil {
		return 0, err
	}
	defer s.Close()
	if tty { // until the command runs, Ctrl-C ends this program
		if err := s.Begin(ctx); err != nil {
			return 0, err
		}
		restore, err := terminal.Raw(a.in)
		if err != nil {
			return 0, err
		}
		defer restore()
		defer a.followSize(ctx, s)()
		return a.carryTerminal(ctx, s)
	}
	return s.Carry(ctx, a.in, a.out, a.err)
}

// carryTerminal carries what is typed and shown until the command ends or is left.
func (a *app) carryTerminal(ctx context.Context, s *client.Stream) (int, error) {
	ctx, leave := context.WithCancelCause(ctx)
	defer leave(nil)
	code, err := s.Carry(ctx, &escape{in: a.in, leave: func() { leave(errLeft) }}, a.out, a.err)
	if context.Cause(ctx) == errLeft {
		err = errLeft
	}
	return code, err
}

// terminalSize returns the size of the terminal that w writes to, or the usual one.
func terminalSize(w io.Writer) *stream.Size {
	if window := terminal.Size(w); window != nil {
		return &stream.Size{Rows: window.Row, Columns: window.Col}
	}
	return &stream.Size{Rows: 24, Columns: 80}
}

// followSize tells the stream when this program's terminal changes its size, until the returned function is called.
func (a *app) followSize(ctx context.Context, s *client.Stream) (end func()) {
	changed := make(chan os.Signal, 1)
	signal.Notify(changed, unix.SIGWINCH)
	over := make(chan struct{})
	go func() {
		for {
			select {
			case <-changed:
				_ = s.Resize(ctx, *terminalSize(a.out)) // a stream that broke tells its reader
			case <-over:
				return
			}
		}
	}()
	return func() {
		signal.Stop(changed)
		close(over)
	}
}

// forwards are the connections that one command serves at once.
const forwards = 64

func (a *app) forwardCommand() *cobra.Command {
	var address string
	var wait time.Duration
	c := &cobra.Command{
		Use: "forward JOB[/TASK] [LOCAL:]PORT", Short: "Reach a port of a task from this machine",
		Args: takes("JOB[/TASK]", "[LOCAL:]PORT"), ValidArgsFunction: a.completeJobs,
		Long: `Listen on a port of this machine, and connect what comes there with a TCP port of a task, until
interrupted. LOCAL left out: the same port; 0: any that is free. It works with every network
of the job, and with none: the connection is made in the VM, to its loopback or else to its
own address. Connections end when the VM is paused or moved; new ones find it again. For the
owner of the job and for operators.

Whoever reaches the local port reaches the task: it is open to this machine alone unless
--address says otherwise.` + startWaitHelp,
		Example: "  aliquot job forward j17 8080:80\n  aliquot job forward j17/2 5432",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			local, port, err := ports(args[1])
			if err == nil {
				err = checkStartWait(wait)
			}
			if err != nil {
				return err
			}
			j, task, err := taskOf(ctx, c, args[0])
			if err != nil {
				return err
			}
			dial := func(ctx context.Context) (*client.Stream, error) { return c.Forward(ctx, j.ID, task, port) }
			if err := needsToSteer(ctx, c, "reaching a port of a task", &j, dial); err != nil {
				return err
			}
			l, err := net.Listen("tcp", net.JoinHostPort(address, strconv.Itoa(local)))
			if err != nil {
				return err
			}
			defer l.Close()
			if err := a.awaitTask(ctx, c, j.ID, task, startsWithin(wait), hasStarted); err != nil {
				return err
			}
			fmt.Fprintf(a.out, "%v leads to port %d of task %d of %s\n", l.Addr(), port, task, j.ID)
			return a.forward(ctx, l, dial)
		}),
	}
	addStartWait(c.Flags(), &wait)
	c.Flags().StringVar(&address, "address", "127.0.0.1", "address of this machine to listen on")
	return c
}

// ports reads [LOCAL:]PORT.
func ports(text string) (local, port int, err error) {
	first, second, both := strings.Cut(text, ":")
	if !both {
		second = first
	}
	local, err = strconv.Atoi(first)
	port, err2 := strconv.Atoi(second)
	switch {
	case errors.Is(err, strconv.ErrSyntax) || errors.Is(err2, strconv.ErrSyntax):
		return 0, 0, usagef("%q is not [LOCAL:]PORT, like 8080:80", text)
	case port < 1 || port > 65535 || local < 0 || local > 65535:
		return 0, 0, usagef("%q: ports are from 1 to 65535, and LOCAL may be 0 for any that is free", text)
	}
	return local, port, nil
}

// forward serves the listener until ctx ends.
func (a *app) forward(ctx context.Context, l net.Listener,
	dial func(context.Context) (*client.Stream, error)) error {
	defer context.AfterFunc(ctx, func() { l.Close() })()
	free := make(chan struct{}, forwards)
	var open sync.WaitGroup
	defer open.Wait() // connections end with ctx
	var saying sync.Mutex
	for {
		free <- struct{}{}
		conn, err := l.Accept()
		if ctx.Err() != nil {
			return nil // interrupted, as it is meant to be
		}
		if err != nil {
			return err
		}
		open.Go(func() {
			defer func() { <-free }()
			defer conn.Close() // after it is said why
			defer context.AfterFunc(ctx, func() { conn.Close() })()
			if err := connected(ctx, conn, dial); err != nil && ctx.Err() == nil {
				saying.Lock()
				defer saying.Unlock()
				fmt.Fprintf(a.err, "connection of %v: %v\n", conn.RemoteAddr(), err)
			}
		})
	}
}

// connected carries one connection to its end. The caller closes it.
func connected(ctx context.Context, conn net.Conn, dial func(context.Context) (*client.Stream, error)) error {
	s, err := dial(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	_, err = s.Carry(ctx, conn, conn, conn)
	return err
}
