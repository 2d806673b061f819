package labtest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// The tests of monitor/libvirt that need real nodes run inside a node, in a lab of their own with two nodes that can
// grant every requested cap.
func TestTheMonitorsLibvirtCodeHoldsOnRealNodes(t *testing.T) {
	t.Parallel()
	text, err := theMonitors()
	for _, line := range regexp.MustCompile(`(?m)^--- .*$`).FindAllString(text, -1) {
		t.Log(line)
	}
	if err != nil {
		t.Errorf("%v\n%s", err, unlessPassed(text))
	}
	if strings.Contains(text, "--- SKIP") || !strings.Contains(text, "TestOrdersComeTrueOnRealNodes") {
		t.Error("tests that need real nodes were left out")
	}
}

// unlessPassed returns what tests that ran one after the other printed, without those that passed.
func unlessPassed(text string) string {
	var kept []string
	for _, part := range strings.Split(text, "=== RUN   ") {
		if strings.Contains(part, "--- FAIL: ") || !strings.Contains(part, "--- PASS: ") {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, "")
}

// theMonitors runs these tests once. Their output says how each test ended.
var theMonitors = sync.OnceValues(testMonitors)

func testMonitors() (string, error) {
	root, err := filepath.Abs("../..")
	if err != nil {
		return "", err
	}
	bin, err := os.MkdirTemp("", "aliquot-labtest-")
	if err != nil {
		return "", err
	}
	l := &lab{run: fmt.Sprintf("m%06x", os.Getpid()&0xffffff), root: root, bin: bin}
	g, err := l.raisePair()
	if err != nil {
		return "", err
	}
	out, err := l.testInside(filepath.Join(bin, "libvirt.test"))
	if left := g.dismiss(); err == nil && left != nil {
		err = fmt.Errorf("remove the monitors' lab: %w", left)
	}
	return out, err
}

// raisePair creates two nodes and returns the guardian that removes them.
func (l *lab) raisePair() (*guardian, error) {
	g, err := guard(l.bin, l.script("lab"), l.run)
	if err != nil {
		return nil, err
	}
	for _, step := range [][]string{
		{"go", "test", "-c", "-o", filepath.Join(l.bin, "libvirt.test"), "./monitor/libvirt"},
		{l.script("guest-image")},
		{l.script("lab"), "up", l.run, "m1:1000", "m2:700"},
	} {
		if _, err := l.do(step[0], step[1:]...); err != nil {
			g.dismiss()
			return nil, err
		}
	}
	if l.env, err = l.settings(); err == nil { // QEMU may not reach the folder of the repository
		_, err = l.do("cp", "-r", "build/guest", filepath.Join(l.env["STORE"], "guest"))
	}
	return g, err
}

// testInside runs the tests on a node. With a starvation of hours, only this process' own time limit holds.
func (l *lab) testInside(binary string) (string, error) {
	limit, starvation := "8m", os.Getenv("ALIQUOT_STARVATION")
	if starvation != "" {
		limit = "0"
	}
	uri := func(node string) string { return "qemu+tls://" + l.env["ADDRESS_"+node] + "/system" }
	return l.exec("m1", "env", "--chdir="+filepath.Join(l.root, "monitor/libvirt"),
		"ALIQUOT_LAB_URIS="+uri("m1")+","+uri("m2"), "ALIQUOT_LAB_IMAGE=/var/lib/aliquot/store/guest",
		"ALIQUOT_LAB_STORE=/var/lib/aliquot/store", "ALIQUOT_STARVATION="+starvation,
		binary, "-test.v", "-test.timeout="+limit)
}
