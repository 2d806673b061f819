// Package xentest tests monitor/libvirt on real Xen: two hosts of scripts/lab-xen, in whose dom0 the program of package
// node does what a monitor would. The output of guests is read from the store, as monitors and managers read it.
//
// Invariants: the hosts live as long as the test process. Tests wait for observable conditions. Under emulation only
// orders of magnitude of time are true, so caps are compared with what VMs used of the time that they were given.
//
// Reference: scripts/lab-xen, which makes the hosts.
package xentest

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const (
	script     = "../../scripts/lab-xen"
	qemuScript = "../../scripts/lab" // of the one node with QEMU, on whose store all meet
)

// theLab is brought up by the first test that needs it. Its guard removes it however this process ends.
var theLab = sync.OnceValues(raise)

type lab struct {
	run, store string
	qemu       map[string]string // the variables that scripts/lab prints of the node with QEMU
}

func TestMain(m *testing.M) {
	code := m.Run()
	for _, script := range []string{script, qemuScript} {
		if err := exec.Command(script, "down", runName()).Run(); err != nil {
			fmt.Fprintln(os.Stderr, "xentest: the hosts were not removed:", err)
			code = 1
		}
	}
	os.Exit(code)
}

func runName() string { return "t" + strconv.FormatInt(int64(os.Getpid()%10_000_000), 36) }

func raise() (*lab, error) {
	l := &lab{run: runName(), qemu: map[string]string{}}
	if err := exec.Command(qemuScript, "sweep").Run(); err != nil {
		return nil, fmt.Errorf("remove runs whose owner is gone: %w", err)
	}
	if err := l.up(qemuScript, "qn1:1200"); err != nil {
		return nil, err
	}
	env, err := exec.Command(qemuScript, "env", l.run).Output()
	if err != nil {
		return nil, fmt.Errorf("ask for the hosts: %w", err)
	}
	for line := range strings.Lines(string(env)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		l.qemu[strings.TrimPrefix(name, "ALIQUOT_LAB_")] = value
	}
	l.store = l.qemu["STORE"]
	if err := l.up(script, "xn1", "xn2"); err != nil {
		return nil, err
	}
	return l, l.equip()
}

// up brings nodes up. The store of Xen hosts is that of the node with QEMU.
func (l *lab) up(script string, nodes ...string) error {
	up := exec.Command(script, append([]string{"up", l.run}, nodes...)...)
	up.Env = append(os.Environ(), fmt.Sprintf("ALIQUOT_LAB_OWNER=%d", os.Getpid()), "ALIQUOT_LAB_STORE="+l.store)
	if out, err := up.CombinedOutput(); err != nil {
		return fmt.Errorf("bring up nodes: %w\n%s", err, out)
	}
	return nil
}

// equip puts the program and an image on both hosts, where a node has its own copies.
func (l *lab) equip() error {
	build := exec.Command("go", "build", "-buildvcs=false", "-o", l.store+"/node", "./node")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build the program for the hosts: %w\n%s", err, out)
	}
	image := "../../build/guest/"
	copied := exec.Command("cp", image+"kernel", image+"initrd", image+"cmdline", l.store)
	if out, err := copied.CombinedOutput(); err != nil {
		return fmt.Errorf("there is no guest image; run scripts/guest-image: %w\n%s", err, out)
	}
	for _, node := range []string{"xn1", "xn2"} {
		_, err := l.exec(node, "sh", "-c", "mkdir -p /var/lib/aliquot/images && cd /var/lib/aliquot/store && "+
			"cp node /root/ && cp kernel initrd cmdline /var/lib/aliquot/images/")
		if err != nil {
			return fmt.Errorf("equip %s: %w", node, err)
		}
	}
	return nil
}

// exec runs a command in a host's dom0 and returns what it prints.
func (l *lab) exec(node string, command ...string) (string, error) {
	cmd := exec.Command(script, append([]string{"exec", l.run, node}, command...)...)
	var errors strings.Builder
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(command, " "), err, &errors)
	}
	return string(out), nil
}
