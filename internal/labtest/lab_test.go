package labtest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"aliquot/client"
	"aliquot/cluster"
	"aliquot/internal/freeport"
)

// A lab is a cluster of three nodes and one manager on this machine.
type lab struct {
	run     string // part of all names of the lab
	root    string // folder of the repository
	places  []place
	bin     string // folder of aliquotd, built for this run
	env     map[string]string
	rest    string // address
	raft    string
	links   string // addresses of the managers for monitors, if not that of the lab's one manager
	lease   time.Duration
	manager *manager
	daemons map[string]*daemon // daemons on nodes, by node and role, such as "n1/fence"
	api     *client.Client
	spoiled string // test before which the lab could not be mended and emptied; "" if it is fit for tests
}

// A place is the description of a node of the lab.
type place struct {
	name   string
	cpu    cluster.CPU
	memory cluster.Bytes
}

// places are those of most tests. They have room for 7, 2 and 2 VMs of 96 MiB. Their CPU leaves half a core of a
// machine with two cores to everything else, unless background tests run beside them.
var places = []place{{"n1", 1200, 1280 * cluster.MiB}, {"n2", 180, 376 * cluster.MiB}, {"n3", 120, 376 * cluster.MiB}}

// The tests' cluster is fast: a published period is 600 s.
const (
	policyName  = "GreedyPM */stable"
	period      = 15 * time.Second
	lease       = 10 * time.Second
	fenceMargin = 12 * time.Second
)

// raise creates the lab.
func raise() (*lab, error) {
	l, err := design("t", places)
	if err != nil {
		return nil, err
	}
	return l, l.guarded()
}

// guarded brings the lab up once it is certain to be removed.
func (l *lab) guarded() error {
	g, err := guard(l.bin, l.script("lab"), l.run)
	if err != nil {
		return err
	}
	raised.Lock()
	raised.guardian = g
	raised.Unlock()
	return l.rise()
}

// design returns a lab that does not exist yet. Its run's name begins with the letter.
func design(letter string, places []place) (*lab, error) {
	if os.Geteuid() != 0 {
		return nil, errors.New("the lab needs root: sudo ./scripts/test lab")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		return nil, err
	}
	l := &lab{run: fmt.Sprintf("%s%06x", letter, (os.Getpid()*7919+time.Now().Nanosecond())&0xffffff),
		root: root, places: places, lease: lease, daemons: map[string]*daemon{}}
	l.bin, err = os.MkdirTemp("", "aliquot-labtest-")
	return l, err
}

// rise brings the nodes and their programs up.
func (l *lab) rise() error {
	for _, step := range []func() error{l.build, l.makeNodes, l.startManager, l.connect, l.startNodes, l.awaitNodes} {
		if err := step(); err != nil {
			return fmt.Errorf("%w\n%s", err, l.tails(10))
		}
	}
	return nil
}

func (l *lab) script(name string) string { return filepath.Join(l.root, "scripts", name) }

// do runs a command to its end and returns its standard output.
func (l *lab) do(name string, args ...string) (string, error) {
	command := exec.Command(name, args...)
	command.Dir = l.root
	command.Env = append(os.Environ(), fmt.Sprintf("ALIQUOT_LAB_OWNER=%d", os.Getpid()))
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		return string(out), fmt.Errorf("%s %s: %w: %s", filepath.Base(name), strings.Join(args, " "), err,
			bytes.TrimSpace(stderr.Bytes()))
	}
	return string(out), nil
}

// lab runs a verb of scripts/lab for a node: kill-libvirtd, start-libvirtd, cut, heal, power-off.
func (l *lab) lab(verb, node string, args ...string) error {
	_, err := l.do(l.script("lab"), append([]string{verb, l.run, node}, args...)...)
	return err
}

// exec runs a command on a node and returns its output.
func (l *lab) exec(node string, args ...string) (string, error) {
	return l.do(l.script("lab"), append([]string{"exec", l.run, node}, args...)...)
}

func (l *lab) build() error {
	if _, err := l.do("go", "build", "-buildvcs=false", "-o", filepath.Join(l.bin, "aliquotd"),
		"./cmd/aliquotd"); err != nil {
		return err
	}
	_, err := l.do(l.script("guest-image"))
	return err
}

func (l *lab) makeNodes() error {
	if _, err := l.do(l.script("lab"), "sweep"); err != nil {
		return err
	}
	up := []string{"up", l.run}
	for _, p := range l.places {
		up = append(up, fmt.Sprintf("%s:%d", p.name, p.cpu))
	}
	if _, err := l.do(l.script("lab"), up...); err != nil {
		return err
	}
	var err error
	if l.env, err = l.settings(); err != nil {
		return err
	}
	if err := l.hasRoom(); err != nil {
		return err
	}
	l.rest, l.raft = freeport.Take(), freeport.Take()
	return nil
}

// hasRoom returns an error unless the store has room for the tests' pauses: a VM's whole memory may be saved.
func (l *lab) hasRoom() error {
	const wanted = 1280 * cluster.MiB
	var disk unix.Statfs_t
	if err := unix.Statfs(l.env["STORE"], &disk); err != nil {
		return err
	}
	if free := cluster.Bytes(disk.Bavail) * cluster.Bytes(disk.Bsize); free < wanted {
		return fmt.Errorf("%s has %d MiB free, tests may save %d: make room, or name another folder in ALIQUOT_LAB_DIR",
			l.env["STORE"], free>>20, wanted>>20)
	}
	return nil
}

// settings returns the output of scripts/lab about the lab: addresses, folders, cgroups.
func (l *lab) settings() (map[string]string, error) {
	out, err := l.do(l.script("lab"), "env", l.run)
	if err != nil {
		return nil, err
	}
	env := map[string]string{}
	for line := range strings.Lines(out) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		env[strings.TrimPrefix(name, "ALIQUOT_LAB_")] = value
	}
	return env, nil
}

// state returns a path in the folder of this run.
func (l *lab) state(name string) string { return filepath.Join(l.env["STATE"], name) }

// linkedTo returns the addresses of the managers for monitors.
func (l *lab) linkedTo() string { return cmp.Or(l.links, l.link()) }

// link returns the manager's address for monitors.
func (l *lab) link() string { return net.JoinHostPort(l.env["GATEWAY"], "7422") }

func (l *lab) startNodes() error {
	for _, p := range l.places {
		for _, role := range []string{"fence", "monitor"} {
			if err := l.spawn(p.name, role); err != nil {
				return err
			}
		}
	}
	return nil
}

// connect returns when the manager answers.
func (l *lab) connect() error {
	var token []byte
	err := retry(ended, func() (err error) {
		token, err = os.ReadFile(l.state("secrets/admin.token"))
		return err
	})
	if err != nil {
		return fmt.Errorf("the manager makes no token: %w", err)
	}
	l.api, err = client.New(client.Options{Managers: []string{"http://" + l.rest},
		Token: strings.TrimSpace(string(token))})
	if err != nil {
		return err
	}
	return retry(ended, func() error {
		_, err := l.api.Nodes(context.Background())
		return err
	})
}

// retry repeats a function until it succeeds or the time is over.
func retry(long time.Duration, what func() error) error {
	for deadline := time.Now().Add(long); ; time.Sleep(tick) {
		if err := what(); err == nil || time.Now().After(deadline) {
			return err
		}
	}
}

// tick is the interval between two looks at a condition.
const tick = 100 * time.Millisecond

// tails returns the last lines of every log of the lab.
func (l *lab) tails(lines int) string {
	var out strings.Builder
	logs, _ := filepath.Glob(l.state("*.log"))
	for _, path := range logs {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		all := strings.Split(strings.TrimSpace(string(text)), "\n")
		fmt.Fprintf(&out, "--- %s\n%s\n", filepath.Base(path), strings.Join(all[max(0, len(all)-lines):], "\n"))
	}
	return out.String()
}
