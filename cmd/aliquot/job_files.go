package main

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"aliquot/client"
	"aliquot/cluster"
	"aliquot/web/api"
	"aliquot/wording"
)

// tasksOf are the tasks whose files a command is about.
type tasksOf struct {
	client.ResultQuery
	task int // -1: all
}

func (t *tasksOf) flags(to *pflag.FlagSet) {
	to.IntVar(&t.task, "task", -1, "index of the task; left out: all")
	to.IntVar(&t.Run, "run", 0, "number of the run, from 1; left out: the latest")
}

// errNoOutputs means that the job names no files to keep, so that none of its tasks leaves any.
var errNoOutputs = errors.New("names no files to keep; --result of `aliquot job submit` names them")

// each calls do for each task, with how many tasks the job has. A task without files is an error only if it was named
// or if no task has any. A job that names no files is errNoOutputs.
func (t *tasksOf) each(ctx context.Context, c *client.Client, id string,
	do func(q client.ResultQuery, tasks int) error) error {
	if err := checkTask(t.task); err != nil {
		return err
	}
	j, err := c.Job(ctx, id)
	if err != nil {
		return err
	}
	if len(j.Spec.Outputs) == 0 {
		return fmt.Errorf("%s %w", id, errNoOutputs)
	}
	q, from, to := t.ResultQuery, 0, j.Spec.Tasks
	if t.task >= 0 {
		from, to = t.task, t.task+1
	}
	var none error
	found := false
	for q.Task = from; q.Task < to; q.Task++ {
		switch err := do(q, j.Spec.Tasks); {
		case client.Code(err) == "no_results", client.Code(err) == "not_found" && to-from > 1:
			none = err
		case err != nil:
			return err
		default:
			found = true
		}
	}
	if found {
		return nil
	}
	return none
}

// taskFiles are the files of one task.
type taskFiles struct {
	Task int `json:"task"`
	api.Results
}

func (a *app) filesCommand() *cobra.Command {
	var of tasksOf
	c := &cobra.Command{
		Use: "files JOB[/TASK]", Short: "List the files that a job's tasks have left", Args: takes("JOB[/TASK]"),
		ValidArgsFunction: a.completeJobs,
		Long: `List the files that a job's tasks have left: those that --result of ` + "`aliquot job submit`" + ` names.
They are kept when the command of a task ends, successful or not, and removed with its output.
Files that were not kept are listed with the reason. A task that is cancelled or stopped, or
whose VM is lost, leaves nothing.`,
		Example: "  aliquot job files j17\n  aliquot job files j17 --task 2 --run 1",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			job, err := splitTask(args[0], &of.task)
			if err != nil {
				return err
			}
			all := []taskFiles{}
			err = of.each(ctx, c, job, func(q client.ResultQuery, _ int) error {
				r, err := c.Results(ctx, job, q)
				if err == nil {
					all = append(all, taskFiles{q.Task, r})
				}
				return err
			})
			if err != nil && !errors.Is(err, errNoOutputs) {
				return err
			}
			return a.show(all, func(w io.Writer) {
				if err != nil {
					fmt.Fprintf(w, "%v.\n", err)
					return
				}
				filesTable(w, all)
			})
		}),
	}
	of.flags(c.Flags())
	return c
}

// Remarks on files that a task has not left.
const (
	restDamaged = "the rest was damaged"
	notAll      = "not all is there: the task has not ended, or was stopped"
)

func filesTable(w io.Writer, all []taskFiles) {
	rows := [][]string{{"TASK", "RUN", "SIZE", "PATH", "REMARK"}}
	for _, t := range all {
		add := func(size, path, remark string) {
			rows = append(rows, []string{strconv.Itoa(t.Task), strconv.Itoa(t.Run), size, path, remark})
		}
		for _, f := range t.Files {
			add(size(f.SizeBytes), f.Path, "")
		}
		for _, o := range t.Omitted {
			add("-", o.Path, "not kept: "+o.Text)
		}
		if more := t.OmittedCount - len(t.Omitted); more > 0 {
			add("-", "", wording.Count(more, "more file")+" not kept")
		}
		switch {
		case t.Damaged:
			add("-", "", restDamaged)
		case !t.Complete:
			add("-", "", notAll)
		}
	}
	table(w, rows)
}

func (a *app) getCommand() *cobra.Command {
	var of tasksOf
	var dir string
	var force bool
	c := &cobra.Command{
		Use: "get JOB[/TASK] [PATH]", Short: "Download the files that a job's tasks have left", Args: cobra.RangeArgs(1, 2),
		ValidArgsFunction: a.completeJobs,
		Long: `Download the files that a job's tasks have left, into a new folder named like the job, or into
--dir. PATH is one of them, a folder, or a pattern in quotes; left out: all. With several
tasks the files of each are in a folder named by its index. Files that are there already are
not replaced, unless with --force. Their contents are up to the task: open them with care.

Files that were not kept are told on standard error with the reason. The exit code is 1 if one
of them is missing, or if a task has not left all of its files: it runs, or was stopped; and if
the job names none. A --result that nothing matches is missing if it is a path; if it is a
pattern with *, ? or [, that is told only.`,
		Example: "  aliquot job get j17\n  aliquot job get j17 results/a.csv -d .\n  aliquot job get j17 'results/*.csv' -d results --task 2",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			if len(args) > 1 {
				of.Path = args[1]
			}
			job, err := splitTask(args[0], &of.task)
			if err != nil {
				return err
			}
			into, missing := first(dir, job), false
			err = of.each(ctx, c, job, func(q client.ResultQuery, tasks int) error {
				below := into
				if tasks > 1 && of.task < 0 {
					below = filepath.Join(into, strconv.Itoa(q.Task))
				}
				// The list comes first: files that are added afterwards are told to be missing, and are not.
				r, err := c.Results(ctx, job, q)
				if err != nil {
					return err
				}
				q.Run = r.Run
				missing = a.tellMissing(taskFiles{q.Task, r}, q.Path) || missing
				return a.fetch(ctx, c, job, q, below, force)
			})
			if err == nil && missing {
				err = fmt.Errorf("not all files of %s are there", job)
			}
			return err
		}),
	}
	flags := c.Flags()
	of.flags(flags)
	flags.StringVarP(&dir, "dir", "d", "", "folder for the files, made if necessary; left out: the job's id")
	flags.BoolVar(&force, "force", false, "replace files that are there already")
	return c
}

// tellMissing tells the files below the pattern that the task has not left, and reports whether there may be one.
func (a *app) tellMissing(t taskFiles, pattern string) (missing bool) {
	tell := func(format string, args ...any) {
		fmt.Fprintf(a.err, "task %d: "+format+"\n", append([]any{t.Task}, args...)...)
		missing = true
	}
	for _, o := range t.Omitted {
		if cluster.Selects(pattern, o.Path) {
			before := missing
			tell("%s was not kept: %s", oneLine(o.Path), o.Text)
			missing = before || o.Code != "unmatched" || !strings.ContainsAny(o.Path, "*?[")
		}
	}
	if more := t.OmittedCount - len(t.Omitted); more > 0 {
		tell("%s not kept", wording.Count(more, "more file"))
	}
	switch {
	case t.Damaged:
		tell("%s", restDamaged)
	case !t.Complete:
		tell("%s", notAll)
	}
	return missing
}

// fetch downloads the files of a task into a folder, which is made for the first one.
func (a *app) fetch(ctx context.Context, c *client.Client, id string, q client.ResultQuery, into string,
	force bool) error {
	archive, err := c.ResultArchive(ctx, id, q)
	if err != nil {
		return err
	}
	defer archive.Close()
	var root *os.Root
	defer func() {
		if root != nil {
			root.Close()
		}
	}()
	for from := tar.NewReader(archive); ; {
		h, err := from.Next()
		if errors.Is(err, io.EOF) {
			_, err := io.Copy(io.Discard, archive)
			return err
		}
		if err != nil {
			return fmt.Errorf("read the files of task %d of %s: %w", q.Task, id, err)
		}
		if root == nil {
			if root, err = makeRoot(into); err != nil {
				return err
			}
		}
		if err := save(root, h, from, force); err != nil {
			return err
		}
		fmt.Fprintf(a.out, "%s  %s\n", oneLine(filepath.Join(into, h.Name)), size(h.Size))
	}
}

// makeRoot opens a folder, and makes it if it is not there.
func makeRoot(path string) (*os.Root, error) {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, err
	}
	return os.OpenRoot(path)
}

// save writes a file below the root, which nothing in its path leads out of. A file that breaks off is removed.
func save(root *os.Root, h *tar.Header, content io.Reader, force bool) error {
	if h.Typeflag != tar.TypeReg || !filepath.IsLocal(h.Name) {
		return fmt.Errorf("%q in the archive is not a plain file; is this a manager?", h.Name)
	}
	if err := root.MkdirAll(filepath.Dir(h.Name), 0o755); err != nil {
		return err
	}
	if force {
		if err := root.Remove(h.Name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	file, err := root.OpenFile(h.Name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already; --force replaces it, --dir names another folder",
			filepath.Join(root.Name(), h.Name))
	}
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content)
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(fmt.Errorf("save %s: %w", h.Name, err), root.Remove(h.Name))
	}
	return nil
}
