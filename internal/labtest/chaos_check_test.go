package labtest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"aliquot/guest/protocol"
	"aliquot/web/api"
)

// A tally is what has been read of a run's output.
type tally struct {
	decoder protocol.OutputDecoder
	read    int64
	rest    []byte // of an incomplete line
	lines   int
}

// outputs returns the output files of the runs of all jobs of the test, by job, task and run.
func (c *chaos) outputs() (paths []string) {
	for _, id := range slices.Concat(c.steady, c.passing) {
		found, _ := filepath.Glob(filepath.Join(c.env["STORE"], "runs", id, "*", "*", "output"))
		paths = append(paths, found...)
	}
	return paths
}

// sizes returns the present sizes of the outputs.
func (c *chaos) sizes() map[string]int64 {
	sizes := map[string]int64{}
	for _, path := range c.outputs() {
		if info, err := os.Stat(path); err == nil {
			sizes[path] = info.Size()
		}
	}
	return sizes
}

// tallyAll reads what is new in each output, and notes gaps and repetitions.
func (c *chaos) tallyAll(o *outcome) {
	for _, path := range c.outputs() {
		y := c.tallies[path]
		if y == nil {
			y = &tally{}
			c.tallies[path] = y
		}
		if err := y.readOn(path); err != nil {
			o.trouble("%s: %v", strings.TrimPrefix(path, c.env["STORE"]), err)
			o.gaps++
			y.lines = -1
		}
	}
}

// readOn reads the new part of an output. It returns an error unless each line continues the count.
func (y *tally) readOn(path string) error {
	if y.lines < 0 {
		return nil // reported before
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	text, err := readFrom(file, y.read)
	if err != nil {
		return err
	}
	y.read += int64(len(text))
	for _, chunk := range y.decoder.Feed(text) {
		y.rest = append(y.rest, chunk.Data...)
	}
	if lost := y.decoder.Lost(); lost > 0 {
		return fmt.Errorf("%d bytes are damaged", lost)
	}
	for {
		number, rest, whole := bytes.Cut(y.rest, []byte("\n"))
		if !whole {
			return nil
		}
		y.rest = rest
		y.lines++
		if want := strconv.Itoa(y.lines * stride); string(number) != want {
			return fmt.Errorf("line %d is %q, want %s", y.lines, number, want)
		}
	}
}

func readFrom(file *os.File, offset int64) ([]byte, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	text := make([]byte, max(0, info.Size()-offset))
	n, err := file.ReadAt(text, offset)
	if n == len(text) {
		err = nil
	}
	return text[:n], err
}

// converge returns when everything is as it should be, and every steady task has written more than it had.
func (c *chaos) converge(since map[string]int64) error {
	return retry(patience, func() error { return c.converged(since) })
}

// converged returns an error unless all nodes are sound and all steady tasks work.
func (c *chaos) converged(since map[string]int64) error {
	nodes, err := c.api.Nodes(c.ctx)
	if err != nil {
		return err
	}
	for _, n := range nodes {
		if !sound(n) || n.State != "ready" {
			return fmt.Errorf("node %s is %s: %+v", n.Name, n.State, n)
		}
	}
	guests := c.guests()
	steadily := func(id string, task api.Task) error { return c.works(id, task, guests, since) }
	err = c.eachTask(c.steady, steadily)
	if err == nil {
		err = c.eachTask(c.passing, func(id string, task api.Task) error {
			if task.State == "waiting" || task.State == "ended" {
				return nil
			}
			return runs(id, task, guests)
		})
	}
	return err
}

// eachTask returns the first error of a task of the jobs.
func (c *chaos) eachTask(jobs []string, check func(id string, task api.Task) error) error {
	for _, id := range jobs {
		j, err := c.api.Job(c.ctx, id)
		if err != nil {
			return err
		}
		for _, task := range j.Tasks {
			if err := check(id, task); err != nil {
				return fmt.Errorf("%s/%d/%d: %w", id, task.Index, task.Run, err)
			}
		}
	}
	return nil
}

// runs returns an error unless the task runs in one VM, on its node, with its cap in force.
func runs(id string, task api.Task, guests map[string][]guest) error {
	if task.State != "running" || task.CapObservedMillicores != task.ShareMillicores {
		return fmt.Errorf("it is %s on %s with %dm of %dm", task.State, task.Node, task.CapObservedMillicores,
			task.ShareMillicores)
	}
	of, run := fmt.Sprintf("-%s-%d-", id, task.Index), fmt.Sprintf("-%s-%d-%d", id, task.Index, task.Run)
	found := 0
	for node := range guests {
		for _, g := range guests[node] {
			if !strings.Contains(g.name, of) {
				continue
			}
			if found++; node != task.Node || !strings.HasSuffix(g.name, run) {
				return fmt.Errorf("%s is on %s, its task on %s", g.name, node, task.Node)
			}
			if cap, err := g.cap(); err != nil || cap != task.CapObservedMillicores {
				return fmt.Errorf("its cgroup has %dm, its node reports %dm: %v", cap, task.CapObservedMillicores, err)
			}
		}
	}
	if found != 1 {
		return fmt.Errorf("it has %d VMs", found)
	}
	return nil
}

// works returns an error unless the task runs, and has written something since the fault.
func (c *chaos) works(id string, task api.Task, guests map[string][]guest, since map[string]int64) error {
	if err := runs(id, task, guests); err != nil {
		return err
	}
	path := filepath.Join(c.env["STORE"], "runs", id, fmt.Sprint(task.Index), fmt.Sprint(task.Run), "output")
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.Size() <= since[path] {
		return fmt.Errorf("it has written nothing since the fault")
	}
	return nil
}

// cap returns the cap in force, in millicores, as the cgroups of the VM's vCPUs have it.
func (g guest) cap() (all int64, err error) {
	for _, folder := range g.vcpus() {
		var quota, period int64
		if text, err := os.ReadFile(filepath.Join(folder, "cpu.max")); err == nil {
			if _, err := fmt.Sscan(string(text), &quota, &period); err != nil {
				return 0, err
			}
		} else if quota, err = numberIn(filepath.Join(folder, "cpu.cfs_quota_us")); err != nil {
			return 0, err
		} else if period, err = numberIn(filepath.Join(folder, "cpu.cfs_period_us")); err != nil {
			return 0, err
		}
		all += (quota*1000 + period/2) / period
	}
	return all, nil
}

func numberIn(path string) (int64, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
}
