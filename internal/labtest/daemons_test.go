package labtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A manager is a running `aliquotd manager`.
type manager struct {
	command *exec.Cmd
	ended   chan struct{}
}

// startManager starts the manager with the state of its last run, if any.
func (l *lab) startManager() (err error) {
	l.manager, err = l.launch("manager",
		append([]string{"manager", "--rest", l.rest, "--raft", l.raft, "--link", l.link()}, l.managing("manager")...)...)
	return err
}

// managing returns the settings of a manager with its state in that folder.
func (l *lab) managing(folder string) []string {
	return []string{
		"--data", l.state(folder), "--secrets", l.state("secrets"), "--store", l.env["STORE"], "--image",
		filepath.Join(l.root, "build/guest"),
		"--policy", policyName, "--period", period.String(), "--lease", l.lease.String(), "--fence-margin",
		fenceMargin.String(),
	}
}

// launch starts a manager that logs under the name.
func (l *lab) launch(name string, args ...string) (*manager, error) {
	log, err := os.OpenFile(l.state(name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	m := &manager{ended: make(chan struct{}), command: exec.Command(filepath.Join(l.bin, "aliquotd"), args...)}
	m.command.Stderr = log
	// An interrupt of the tests must not end the manager before its cluster.
	m.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := m.command.Start(); err != nil {
		return nil, fmt.Errorf("start a manager: %w", err)
	}
	go func() {
		m.command.Wait()
		close(m.ended)
	}()
	return m, nil
}

// endManager ends the lab's one manager.
func (l *lab) endManager(s syscall.Signal) error { return l.manager.end(s) }

// end sends SIGTERM or SIGKILL and returns when the manager has ended.
func (m *manager) end(s syscall.Signal) error {
	if err := m.command.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-m.ended:
		return nil
	case <-time.After(20 * time.Second):
		return fmt.Errorf("the manager does not end within 20 s of %v", s)
	}
}

func (m *manager) alive() bool {
	select {
	case <-m.ended:
		return false
	default:
		return true
	}
}

// A daemon is a monitor or a fence on a node.
type daemon struct {
	process *os.Process
}

// spawn starts a node's monitor or fence.
func (l *lab) spawn(node, role string) error {
	args := []string{node, l.state(node + "-" + role + ".log"), filepath.Join(l.bin, "aliquotd"), role}
	if role == "monitor" {
		token, err := l.invite(node)
		if err != nil {
			return err
		}
		p := l.placeOf(node)
		args = append(args, "--node", node, "--managers", l.linkedTo(), "--join-token", token,
			"--cpu", p.cpu.String(), "--memory", fmt.Sprint(int64(p.memory)), "--migrate-uri", "qemu+tls://"+
				l.env["ADDRESS_"+node]+"/system", "--accel", "tcg", "--bridge", "vmbr0", "--speed", "1", "--trial-image",
			filepath.Join(l.root, "build/guest"))
	}
	out, err := l.do(l.script("lab"), append([]string{"spawn", l.run}, args...)...)
	if err != nil {
		return err
	}
	pid, err := strconv.Atoi(strings.TrimSpace(out))
	if err != nil {
		return fmt.Errorf("lab spawn printed %q, want a pid", out)
	}
	process, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	l.daemons[node+"/"+role] = &daemon{process}
	return nil
}

// invite returns the file with the node's join token. The first call makes it.
func (l *lab) invite(node string) (string, error) {
	path := l.state(node + ".token")
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	return path, retry(ended, func() error {
		i, err := l.api.InviteNode(context.Background(), node, "")
		if err != nil {
			return err
		}
		return os.WriteFile(path, []byte(i.Token), 0o600)
	})
}

// kill sends SIGKILL to a node's monitor or fence and returns when the process has ended.
func (l *lab) kill(node, role string) error {
	d := l.daemons[node+"/"+role]
	if err := d.process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return retry(ended, func() error {
		if d.alive() {
			return fmt.Errorf("the %s of %s does not end", role, node)
		}
		return nil
	})
}

func (d *daemon) alive() bool { return d != nil && d.process.Signal(syscall.Signal(0)) == nil }

func (l *lab) placeOf(node string) place {
	for _, p := range l.places {
		if p.name == node {
			return p
		}
	}
	panic("no node " + node)
}

// mend restarts and heals everything that an earlier test may have left broken.
func (l *lab) mend() error {
	if !l.manager.alive() {
		if err := l.startManager(); err != nil {
			return err
		}
	}
	for _, p := range l.places {
		if err := errors.Join(l.lab("heal", p.name), l.lab("start-libvirtd", p.name)); err != nil {
			return err
		}
		for _, role := range []string{"fence", "monitor"} {
			if l.daemons[p.name+"/"+role].alive() {
				continue
			}
			if err := l.spawn(p.name, role); err != nil {
				return err
			}
		}
	}
	return l.awaitNodes()
}

// awaitNodes returns when all nodes are ready.
func (l *lab) awaitNodes() error {
	var names []string
	for _, p := range l.places {
		names = append(names, p.name)
	}
	return l.awaitReady(names)
}

// awaitReady returns when the named nodes are ready.
func (l *lab) awaitReady(names []string) error {
	return retry(ended, func() error {
		for _, name := range names {
			n, err := l.api.Node(context.Background(), name)
			if err != nil {
				return err
			}
			if n.Health != "ready" || n.LastSeen != nil || !n.FenceAlive || !n.StoreProven {
				return fmt.Errorf("node %s is %s, its fence alive: %v, its store proven: %v", n.Name, n.Health, n.FenceAlive,
					n.StoreProven)
			}
		}
		return nil
	})
}
