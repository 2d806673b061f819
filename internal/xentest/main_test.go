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

const script = "../../scripts/lab-xen"

// theLab is brought up by the first test that needs it. Its guard removes it however this process ends.
var theLab = sync.OnceValues(raise)

type lab struct {
	run, store string
}

func TestMain(m *testing.M) {
	code := m.Run()
	if err := exec.Command(script, "down", runName()).Run(); err != nil {
		fmt.Fprintln(os.Stderr, "xentest: the hosts were not removed:", err)
		code = 1
	}
	os.Exit(code)
}

func runName() string { return "t" + strconv.FormatInt(int64(os.Getpid()%10_000_000), 36) }

func raise() (*lab, error) {
	l := &lab{run: runName()}
	up := exec.Command(script, "up", l.run, "xn1", "xn2")
	up.Env = append(os.Environ(), fmt.Sprintf("ALIQUOT_LAB_OWNER=%d", os.Getpid()))
	if out, err := up.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("bring up Xen hosts: %w\n%s", err, out)
	}
	env, err := exec.Command(script, "env", l.run).Output()
	if err != nil {
		return nil, fmt.Errorf("ask for the hosts: %w", err)
	}
	for line := range strings.Lines(string(env)) {
		if store, ok := strings.CutPrefix(strings.TrimSpace(line), "ALIQUOT_LAB_STORE="); ok {
			l.store = store
		}
	}
	return l, l.equip()
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
