package labtest

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// quiet is the result of a fault whose cause needs no removal.
func quiet() error { return nil }

func (c *chaos) killManager(f fault) (func() error, error) {
	seat := c.seats[f.victim%len(c.seats)]
	return seat.start, seat.manager().end(syscall.SIGKILL)
}

func (c *chaos) stopManager(f fault) (func() error, error) {
	process := c.seats[f.victim%len(c.seats)].manager().command.Process
	return func() error { return process.Signal(syscall.SIGCONT) }, process.Signal(syscall.SIGSTOP)
}

func killed(role string) func(*chaos, fault) (func() error, error) {
	return func(c *chaos, f fault) (func() error, error) {
		return func() error { return c.spawn(f.node, role) }, c.kill(f.node, role)
	}
}

// stopped stops a daemon. Its parent, which entered the node for it, stops with it and lets it go on when it does so
// itself.
func stopped(role string) func(*chaos, fault) (func() error, error) {
	return func(c *chaos, f fault) (func() error, error) {
		process := c.daemons[f.node+"/"+role].process
		parent, err := parentOf(process.Pid)
		if err != nil {
			return quiet, err
		}
		mend := func() error {
			return errors.Join(process.Signal(syscall.SIGCONT), syscall.Kill(parent, syscall.SIGCONT))
		}
		return mend, process.Signal(syscall.SIGSTOP)
	}
}

func parentOf(pid int) (parent int, err error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(status), "PPid:")
	_, err = fmt.Sscan(rest, &parent)
	return parent, err
}

// pick returns one of the node's VMs.
func (c *chaos) pick(f fault) (guest, error) {
	guests := c.guests()[f.node]
	if len(guests) == 0 {
		return guest{}, errIdle
	}
	slices.SortFunc(guests, func(a, b guest) int { return cmp.Compare(a.name, b.name) })
	return guests[f.victim%len(guests)], nil
}

// errIdle means that the fault found nothing to hit.
var errIdle = errors.New("nothing to hit")

func (c *chaos) killQEMU(f fault) (func() error, error) {
	victim, err := c.pick(f)
	if err != nil {
		return quiet, err
	}
	return quiet, syscall.Kill(victim.pid, syscall.SIGKILL)
}

// stopQEMU needs no end: the monitor lets a stopped process continue.
func (c *chaos) stopQEMU(f fault) (func() error, error) {
	victim, err := c.pick(f)
	if err != nil {
		return quiet, err
	}
	return quiet, syscall.Kill(victim.pid, syscall.SIGSTOP)
}

func (c *chaos) killLibvirtd(f fault) (func() error, error) {
	return func() error { return c.lab.lab("start-libvirtd", f.node) }, c.lab.lab("kill-libvirtd", f.node)
}

func (c *chaos) haltLibvirtd(f fault) (func() error, error) {
	pid, err := c.libvirtdOf(f.node)
	if err != nil {
		return quiet, err
	}
	return func() error { return syscall.Kill(pid, syscall.SIGCONT) }, syscall.Kill(pid, syscall.SIGSTOP)
}

func (c *chaos) cutLink(f fault) (func() error, error) {
	return func() error { return c.lab.lab("heal", f.node) }, c.lab.lab("cut", f.node)
}

// slowLink lets the node send 30 kB in a second.
func (c *chaos) slowLink(f fault) (func() error, error) {
	return c.throttle(f.node, "rate", "240kbit", "burst", "4kb", "latency", "800ms")
}

// mute lets the node send nothing: no packet fits into the bucket.
func (c *chaos) mute(f fault) (func() error, error) {
	return c.throttle(f.node, "rate", "8bit", "burst", "10", "limit", "10")
}

// deafen lets nothing reach the node.
func (c *chaos) deafen(f fault) (func() error, error) {
	link := fmt.Sprintf("aqv-%s-%d", c.run, 1+slices.IndexFunc(c.places, func(p place) bool { return p.name == f.node }))
	mend := func() error {
		_, err := c.do("tc", "qdisc", "del", "dev", link, "root")
		return err
	}
	_, err := c.do("tc", "qdisc", "add", "dev", link, "root", "tbf", "rate", "8bit", "burst", "10", "limit", "10")
	return mend, err
}

func (c *chaos) throttle(node string, bucket ...string) (func() error, error) {
	mend := func() error {
		_, err := c.exec(node, "tc", "qdisc", "del", "dev", "eth0", "root")
		return err
	}
	_, err := c.exec(node, append([]string{"tc", "qdisc", "add", "dev", "eth0", "root", "tbf"}, bucket...)...)
	return mend, err
}

func (c *chaos) powerOff(f fault) (func() error, error) {
	mend := func() error {
		spec := fmt.Sprintf("%s:%d", f.node, int64(c.placeOf(f.node).cpu))
		if _, err := c.do(c.script("lab"), "power-on", c.run, spec); err != nil {
			return err
		}
		return errors.Join(c.spawn(f.node, "fence"), c.spawn(f.node, "monitor"))
	}
	return mend, c.lab.lab("power-off", f.node)
}

const nodeFolder = "/var/lib/aliquot"

func (c *chaos) unmountStore(f fault) (func() error, error) {
	mend := func() error {
		_, err := c.exec(f.node, "mount", "--bind", c.env["STORE"], nodeFolder+"/store")
		return err
	}
	_, err := c.exec(f.node, "umount", "--lazy", nodeFolder+"/store")
	return mend, err
}

// lockDisk makes the folder of the node's own files read-only. That fails while one of them is being written.
func (c *chaos) lockDisk(f fault) (func() error, error) {
	remount := func(how string) error {
		return retry(ended, func() error {
			_, err := c.exec(f.node, "mount", "-o", "remount,bind,"+how, nodeFolder)
			return err
		})
	}
	return func() error { return remount("rw") }, remount("ro")
}

// hangStore makes all writes to the store wait, on every node.
func (c *chaos) hangStore(fault) (func() error, error) { return c.hang(c.env["STORE"]) }

func (c *chaos) hangDisk(f fault) (func() error, error) {
	return c.hang(c.state("nodes/" + f.node + "/aliquot"))
}

func (c *chaos) hang(disk string) (func() error, error) {
	mend := func() error {
		_, err := c.do("fsfreeze", "--unfreeze", disk)
		return err
	}
	_, err := c.do("fsfreeze", "--freeze", disk)
	return mend, err
}

// fillDisk leaves no room on the disk with the node's lease, credentials and images.
func (c *chaos) fillDisk(f fault) (func() error, error) {
	path := c.state("nodes/" + f.node + "/aliquot/filler")
	file, err := os.Create(path)
	if err != nil {
		return quiet, err
	}
	defer file.Close()
	var disk unix.Statfs_t
	if err := unix.Statfs(path, &disk); err != nil {
		return quiet, err
	}
	if err = unix.Fallocate(int(file.Fd()), 0, 0, int64(disk.Bavail)*disk.Bsize); errors.Is(err, unix.ENOSPC) {
		err = nil // the file needs some blocks for itself
	}
	return func() error { return os.Remove(path) }, err
}

// killTwoManagers leaves one of three, which cannot decide anything.
func (c *chaos) killTwoManagers(f fault) (func() error, error) {
	first, err := c.killManager(f)
	f.victim++
	second, err2 := c.killManager(f)
	return func() error { return errors.Join(first(), second()) }, errors.Join(err, err2)
}

// migrationCut drains the node and hits one of those that take part in a migration.
func migrationCut(who string) func(*chaos, fault) (func() error, error) {
	return func(c *chaos, f fault) (func() error, error) {
		source := f.node
		if _, err := c.api.SetNode(c.ctx, source, "drain"); err != nil {
			return quiet, err
		}
		again := func() error {
			_, err := c.api.SetNode(c.ctx, source, "uncordon")
			return err
		}
		target, err := c.migratesTo(source)
		if err != nil {
			return again, err
		}
		time.Sleep(f.moment)
		if strings.HasPrefix(who, "target") {
			f.node = target
		}
		hurt := map[string]func(fault) (func() error, error){
			"libvirtd": c.killLibvirtd, "manager": c.killManager,
			"monitor": func(f fault) (func() error, error) { return killed("monitor")(c, f) },
		}[who[strings.LastIndex(who, " ")+1:]]
		mend, err := hurt(f)
		return func() error { return errors.Join(mend(), retry(ended, again)) }, err
	}
}

// migratesTo returns the node that a VM of the given node is moving to.
func (c *chaos) migratesTo(from string) (to string, err error) {
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		at := map[string]string{}
		guests := c.guests()
		for _, g := range guests[from] {
			at[g.name] = from
		}
		for node := range guests {
			for _, g := range guests[node] {
				if node != from && at[g.name] == from {
					return node, nil
				}
			}
		}
	}
	return "", errIdle
}

// saveCut holds a job with a task on the node and hits what saves its VM.
func saveCut(who string) func(*chaos, fault) (func() error, error) {
	return func(c *chaos, f fault) (func() error, error) {
		victim, err := c.pick(f)
		if err != nil {
			return quiet, err
		}
		id := strings.Split(victim.name, "-")[2]
		if !slices.Contains(c.steady, id) {
			return quiet, errIdle
		}
		if _, err := c.api.Hold(c.ctx, id); err != nil {
			return quiet, err
		}
		time.Sleep(f.moment)
		hurt := c.killLibvirtd
		if who == "monitor" {
			hurt = func(f fault) (func() error, error) { return killed("monitor")(c, f) }
		}
		mend, err := hurt(f)
		again := func() error {
			_, err := c.api.Release(c.ctx, id)
			return err
		}
		return func() error { return errors.Join(mend(), retry(ended, again)) }, err
	}
}
