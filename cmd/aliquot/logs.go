package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"aliquot/client"
)

func (a *app) logsCommand() *cobra.Command {
	var q client.LogQuery
	task, console := -1, false
	c := &cobra.Command{
		Use: "logs JOB[/TASK]", Short: "Show the output of a job", Args: takes("JOB[/TASK]"),
		ValidArgsFunction: a.completeJobs,
		Long: `Show the output of a job's tasks. With several tasks every line begins with the task's
index. With -f it goes on until the tasks have ended for good: while the job is held, paused
or starting, and with the runs that come after a failure or a loss. With -f and --run it ends
with that run. If a task ended without an exit code, its VM's console may show the reason:
see the messages of its guest's kernel with --console.`,
		Example: "  aliquot job logs j17\n  aliquot job logs -f j17/2\n  aliquot job logs j17 --task 0 --run 1 --stream stderr\n  aliquot job logs j17 --console",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			if err := checkTask(task); err != nil {
				return err
			}
			job, err := splitTask(args[0], &task)
			if err != nil {
				return err
			}
			if console {
				q.Stream = "console"
			}
			j, err := c.Job(ctx, job)
			if err != nil {
				return err
			}
			if q.Follow && q.Run == 0 && slices.Contains([]string{"waiting", "dependent", "paused", "held"}, j.State) {
				a.did("%s", detail(j.ID+" is "+j.State, why(&j)))
			}
			if task >= 0 || j.Spec.Tasks == 1 {
				q.Task = max(task, 0)
				return copyLog(ctx, c, job, q, a.out)
			}
			return allLogs(ctx, c, job, j.Spec.Tasks, q, a.out)
		}),
	}
	flags := c.Flags()
	flags.BoolVarP(&q.Follow, "follow", "f", false, "continue until the task has ended for good")
	flags.IntVar(&task, "task", -1, "index of the task; left out: all")
	flags.IntVar(&q.Run, "run", 0, "number of the run, from 1; left out: the latest")
	flags.StringVar(&q.Stream, "stream", "", "stdout or stderr; left out: both")
	flags.BoolVar(&console, "console", false, "show the VM's console instead: the messages of the guest's kernel")
	c.MarkFlagsMutuallyExclusive("stream", "console")
	return c
}

// checkTask refuses an index that no task has; -1 is all tasks.
func checkTask(task int) error {
	if task < -1 {
		return usagef("--task is %d, must be an index from 0", task)
	}
	return nil
}

func copyLog(ctx context.Context, c *client.Client, id string, q client.LogQuery, to io.Writer) error {
	if q.Follow {
		if err := c.FollowLog(ctx, id, q, to); ctx.Err() == nil {
			return err
		}
		return nil
	}
	log, err := c.Logs(ctx, id, q)
	if err != nil {
		return err
	}
	defer log.Close()
	if _, err := io.Copy(to, log); err != nil && ctx.Err() == nil {
		return fmt.Errorf("read the output of %s: %w", id, err)
	}
	return nil
}

// allLogs shows the output of all tasks: interleaved when followed, otherwise one after the other.
func allLogs(ctx context.Context, c *client.Client, id string, tasks int, q client.LogQuery, to io.Writer) error {
	var all sync.WaitGroup
	var mu sync.Mutex
	failures := make([]error, tasks)
	for i := range tasks {
		each := q
		each.Task = i
		show := func() { failures[i] = prefixLog(ctx, c, id, each, to, &mu) }
		if q.Follow {
			all.Go(show)
		} else {
			show()
		}
	}
	all.Wait()
	return errors.Join(distinct(failures)...)
}

// distinct leaves out errors that say what an earlier one says: a refusal is the same for all tasks.
func distinct(all []error) (list []error) {
	said := map[string]bool{}
	for _, err := range all {
		if err != nil && !said[err.Error()] {
			said[err.Error()] = true
			list = append(list, err)
		}
	}
	return list
}

// prefixLog copies the output with the task's index before each line.
func prefixLog(ctx context.Context, c *client.Client, id string, q client.LogQuery, to io.Writer,
	mu *sync.Mutex) error {
	lines := &prefixer{prefix: fmt.Sprintf("%d| ", q.Task), to: to, mu: mu}
	err := copyLog(ctx, c, id, q, lines)
	if client.Code(err) == "no_logs" {
		return nil // a task that has not started has no output
	}
	return errors.Join(err, lines.flush())
}

// prefixer writes whole lines, each after the prefix, to a writer that it shares with others.
type prefixer struct {
	prefix string
	to     io.Writer
	mu     *sync.Mutex
	rest   []byte // the line that is not complete
}

func (p *prefixer) Write(text []byte) (int, error) {
	p.rest = append(p.rest, text...)
	for {
		line, rest, whole := bytes.Cut(p.rest, []byte("\n"))
		if !whole {
			return len(text), nil
		}
		if err := p.print(line); err != nil {
			return 0, err
		}
		p.rest = rest
	}
}

func (p *prefixer) print(line []byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, err := fmt.Fprintf(p.to, "%s%s\n", p.prefix, line)
	return err
}

// flush prints the last line if it has no end.
func (p *prefixer) flush() error {
	if len(p.rest) == 0 {
		return nil
	}
	return p.print(p.rest)
}
