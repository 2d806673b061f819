package libvirt

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestALimitIsTriedWithoutATrace(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, who makes network namespaces")
	}
	show := func() string {
		out, err := exec.Command("tc", "qdisc", "show", "dev", "lo").CombinedOutput()
		if err != nil {
			t.Skip("needs tc")
		}
		return string(out)
	}
	before := show()
	if err := tryLimit(t.Context(), "qdisc add dev lo ingress\n"); err != nil {
		t.Skip("needs sch_ingress")
	}
	if after := show(); after != before {
		t.Errorf("lo has %q, and had %q", after, before)
	}
	err := tryLimit(t.Context(), limitCommands+"qdisc add dev lo ingress\n")
	if err == nil {
		t.Error("what fails last, as it is there twice, is not told")
	}
}

func TestThatALimitCannotBeTriedIsTold(t *testing.T) {
	err := tryLimit(t.Context(), "qdisc add dev lo root nonesuch\n")
	if err == nil || !strings.Contains(err.Error(), "tc") {
		t.Errorf("an unknown discipline: %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if err := tryLimit(t.Context(), limitCommands); err == nil || !strings.Contains(err.Error(), "tc") {
		t.Errorf("without tc: %v", err)
	}
}
