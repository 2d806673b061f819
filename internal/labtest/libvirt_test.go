package labtest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The tests of monitor/libvirt that need real nodes run inside one, in a lab of their own
// with two nodes that can take every cap that they ask for.
func TestTheMonitorsLibvirtCodeHoldsOnRealNodes(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	command := func(name string, args ...string) *exec.Cmd {
		c := exec.Command(name, args...)
		c.Dir = root
		c.Env = append(os.Environ(), fmt.Sprintf("ALIQUOT_LAB_OWNER=%d", os.Getpid()))
		return c
	}
	must := func(name string, args ...string) string {
		t.Helper()
		out, err := command(name, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	binary := filepath.Join(t.TempDir(), "libvirt.test")
	must("go", "test", "-c", "-o", binary, "./monitor/libvirt")
	must("./scripts/guest-image")
	run := fmt.Sprintf("m%06x", os.Getpid()&0xffffff)
	t.Cleanup(func() { must("./scripts/lab", "down", run) })
	must("./scripts/lab", "up", run, "m1:1000", "m2:700")
	env := must("./scripts/lab", "env", run)
	uri := func(node string) string {
		address := regexp.MustCompile(`ALIQUOT_LAB_ADDRESS_` + node + `=(\S+)`).FindStringSubmatch(env)
		if address == nil {
			t.Fatalf("no address of %s in %s", node, env)
		}
		return "qemu+tcp://" + address[1] + "/system"
	}
	inside := command("./scripts/lab", "exec", run, "m1", "env", "--chdir="+filepath.Join(root, "monitor/libvirt"),
		"ALIQUOT_LAB_URIS="+uri("m1")+","+uri("m2"), "ALIQUOT_LAB_IMAGE="+filepath.Join(root, "build/guest"), "ALIQUOT_LAB_STORE=/var/lib/aliquot/store",
		binary, "-test.v", "-test.timeout=8m")
	var out bytes.Buffer
	inside.Stdout, inside.Stderr = &out, &out
	err = inside.Run()
	text := out.String()
	for _, line := range regexp.MustCompile(`(?m)^--- .*$`).FindAllString(text, -1) {
		t.Log(line)
	}
	if err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	if strings.Contains(text, "--- SKIP") || !strings.Contains(text, "TestOrdersComeTrueOnRealNodes") {
		t.Error("tests that need real nodes were left out")
	}
}
