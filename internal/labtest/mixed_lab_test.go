//go:build xen

package labtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"aliquot/cluster"
)

// A mixed is a test's time in a cluster of a node of QEMU, q1, and two of Xen, xn1 and xn2, which are emulated.
type mixed struct{ *scene }

// theMixed is created by the first test that needs it.
var theMixed = sync.OnceValues(raiseMixed)

var (
	qemuPlaces = []place{{"q1", 400, 512 * cluster.MiB}}
	xenNodes   = []string{"xn1", "xn2"}
)

const (
	xenCPU    = "1400m" // less what dom0 uses: up to a core on an emulated host
	xenMemory = "700Mi" // with room for two VMs of 96 MiB, besides dom0
	// The lease is long, because dom0 of an emulated host needs seconds for what takes others a tenth of one.
	xenLease = 30 * time.Second
)

func raiseMixed() (*lab, error) {
	l, err := design("x", qemuPlaces)
	if err != nil {
		return nil, err
	}
	l.lease = xenLease
	if err := l.guarded(); err != nil {
		return nil, err
	}
	raised.Lock()
	raised.guests = l.endXen
	raised.Unlock()
	for _, step := range []func() error{l.makeXen, l.startXen, func() error { return l.awaitReady(xenNodes) }} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("%w\n%s\n%s", err, l.tails(10), l.tailsXen())
		}
	}
	return l, nil
}

func (l *lab) makeXen() error {
	_, err := l.do("env", append([]string{"ALIQUOT_LAB_STORE=" + l.env["STORE"], l.script("lab-xen"), "up", l.run},
		xenNodes...)...)
	return err
}

func (l *lab) endXen() error {
	_, err := l.do(l.script("lab-xen"), "down", l.run)
	return err
}

// dom0 runs a command line in dom0 of a node and returns its output.
func (l *lab) dom0(node, line string) (string, error) {
	return l.do(l.script("lab-xen"), "exec", l.run, node, "bash", "-c", line)
}

// startXen puts the program on the nodes and starts their daemons. It gives them the manager's images, which they would
// fetch in a minute.
func (l *lab) startXen() error {
	shared := filepath.Join(l.env["STORE"], "shared")
	if err := os.Mkdir(shared, 0o700); err != nil {
		return err
	}
	defer os.RemoveAll(shared)
	_, err := l.do("cp", "-r", filepath.Join(l.bin, "aliquotd"), l.state("manager/images"), shared)
	if err != nil {
		return err
	}
	for _, node := range xenNodes {
		_, err := l.dom0(node, "cd /var/lib/aliquot/store/shared && cp aliquotd /root/ && cp -r images /var/lib/aliquot/")
		if err != nil {
			return err
		}
		for _, role := range []string{"fence", "monitor"} {
			if err := l.spawnXen(node, role); err != nil {
				return err
			}
		}
	}
	return nil
}

// spawnXen starts a node's monitor or fence.
func (l *lab) spawnXen(node, role string) error {
	command := "/root/aliquotd " + role
	if role == "monitor" {
		path, err := l.invite(node)
		if err != nil {
			return err
		}
		token, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if _, err := l.dom0(node, fmt.Sprintf("umask 077; echo '%s' >/root/token", token)); err != nil {
			return err
		}
		command += fmt.Sprintf(" --node %s --managers %s --join-token /root/token --cpu %s --memory %s --speed 1 "+
			"--migrate-uri xen+tcp://%[1]s/system --migrate-tcp", node, l.linkedTo(), xenCPU, xenMemory)
	}
	_, err := l.dom0(node, fmt.Sprintf("setsid %s >>/root/%s.log 2>&1 </dev/null & echo $! >/root/%[2]s.pid", command, role))
	return err
}

// killXen sends SIGKILL to a daemon of a node: monitor, fence or libvirtd.
func (l *lab) killXen(node, daemon string) error {
	pid := map[string]string{"libvirtd": "/run/libvirt/libvirtd.pid"}[daemon]
	if pid == "" {
		pid = "/root/" + daemon + ".pid"
	}
	_, err := l.dom0(node, fmt.Sprintf("p=$(cat %s); kill -9 $p; while kill -0 $p 2>/dev/null; do sleep 0.1; done", pid))
	return err
}

func (l *lab) startLibvirtdXen(node string) error {
	_, err := l.dom0(node, "kill -0 $(cat /run/libvirt/libvirtd.pid) || libvirtd -l -d -p /run/libvirt/libvirtd.pid; "+
		"until virsh -c xen:///system version >/dev/null 2>&1; do sleep 0.5; done")
	return err
}

// mendXen restarts what an earlier test may have left broken.
func (l *lab) mendXen() error {
	for _, node := range xenNodes {
		if err := l.startLibvirtdXen(node); err != nil {
			return err
		}
		for _, daemon := range []string{"fence", "monitor"} {
			if _, err := l.dom0(node, "kill -0 $(cat /root/"+daemon+".pid)"); err == nil {
				continue
			}
			if err := l.spawnXen(node, daemon); err != nil {
				return err
			}
		}
	}
	return l.awaitReady(xenNodes)
}

// faultsXen returns how many guests the emulated processors have lost so far.
func (l *lab) faultsXen() (all int) {
	for _, node := range xenNodes {
		number, _ := l.dom0(node, "xl dmesg | grep -c Triple || true")
		n, _ := strconv.Atoi(strings.TrimSpace(number))
		all += n
	}
	return all
}

// tailsXen returns the ends of the logs on the nodes of Xen.
func (l *lab) tailsXen() string {
	var all strings.Builder
	for _, node := range xenNodes {
		text, err := l.dom0(node, "for f in /root/*.log; do echo $f; tail -n 15 $f; done; xl list")
		fmt.Fprintf(&all, "--- %s %v\n%s", node, err, text)
	}
	return all.String()
}

// beginMixed gives the test an empty, healthy cluster.
func beginMixed(t *testing.T) mixed {
	t.Helper()
	m := mixed{enter(t, theMixed, scenePatience)}
	before := m.faultsXen()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("%s\ntriple faults of the emulated processor: %d", m.tailsXen(), m.faultsXen()-before)
		}
	})
	m.ok(m.mendXen())
	m.uncordon()
	m.calm()
	return m
}

// cordonBut leaves one node open to new VMs.
func (m mixed) cordonBut(node string) {
	m.t.Helper()
	for _, other := range append([]string{"q1"}, xenNodes...) {
		if other != node {
			m.need(m.api.SetNode(m.ctx, other, "cordon"))
		}
	}
}

func (m mixed) uncordon() {
	m.t.Helper()
	for _, node := range append([]string{"q1"}, xenNodes...) {
		m.need(m.api.SetNode(m.ctx, node, "uncordon"))
	}
}
