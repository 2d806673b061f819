package libvirt

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aliquot/cluster"
)

const listed = `Name                                        ID   Mem VCPUs	State	Time(s) UUID                            Reason-Code	Security Label
Domain-0                                     0   320     1     r-----      65.1 00000000-0000-0000-0000-000000000000        -                -
aliquot-78656e00-j1-0-1                     12    94     1     --p---      15.9 2261410a-caf4-534d-aaec-6546e548dfc4        -                -
my old server                               13    94     1     -b----       0.0 22614100-caf4-534d-aaec-6546e548dfc4        -                -
a 7 1 1 --p--- 0.1 2261410a-caf4-534d-aaec-6546e548dfc4 b    14  4096    16     r----- 1234567.8 22614101-caf4-534d-aaec-6546e548dfc4        -                -
`

func TestXenSaysWhichDomainsItHasPaused(t *testing.T) {
	got, err := parseXL([]byte(listed))
	want := []xlDomain{
		{0, "Domain-0", "00000000-0000-0000-0000-000000000000", 320 * cluster.MiB, false, true, true},
		{12, "aliquot-78656e00-j1-0-1", "2261410a-caf4-534d-aaec-6546e548dfc4", 94 * cluster.MiB, true, false, true},
		{13, "my old server", "22614100-caf4-534d-aaec-6546e548dfc4", 94 * cluster.MiB, false, true, false},
		{14, "a 7 1 1 --p--- 0.1 2261410a-caf4-534d-aaec-6546e548dfc4 b", "22614101-caf4-534d-aaec-6546e548dfc4",
			4096 * cluster.MiB, false, true, true},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(xlDomain{})); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	for _, torn := range []string{"Name ID\nDomain-0 0 320", "Name ID\na x 1 1 r- 1.0 u - -"} {
		if _, err := parseXL([]byte(torn)); err == nil {
			t.Errorf("%q was accepted", torn)
		}
	}
}

// pausedTimes puts a program xl in the way that knows one domain, which is paused as often as the file's lines say.
func pausedTimes(t *testing.T, times int) (file string) {
	t.Helper()
	folder := t.TempDir()
	file = filepath.Join(folder, "pauses")
	line := strings.Split(listed, "\n")[2]
	program := fmt.Sprintf(`#!/bin/sh
case $1 in
list) echo Name; [ ! -s %[1]s ] || echo '%[2]s' ;;
unpause) [ "$2" = 12 ] && sed -i 1d %[1]s ;;
esac
`, file, line)
	for name, content := range map[string]string{"xl": program, "pauses": strings.Repeat("p\n", times)} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", folder+":"+os.Getenv("PATH"))
	return file
}

func TestADomainRunsOnceAllOfItsPausesAreUndone(t *testing.T) {
	for times, runs := range map[int]bool{0: true, 1: true, mostPauses: true, mostPauses + 1: false} {
		file := pausedTimes(t, times)
		err := unpauseXL(t.Context(), "2261410a-caf4-534d-aaec-6546e548dfc4")
		if left, _ := os.ReadFile(file); (err == nil) != runs || runs && len(left) > 0 {
			t.Errorf("paused %d times: %v, and %q is left", times, err, left)
		}
	}
}

func TestTheWholeMachineIsOfferedAndNotTheDom0(t *testing.T) {
	have, err := machineXL("host                   : xn1\nnr_cpus                : 4\nnr_nodes               : 1\n" +
		"total_memory           : 16384\nfree_memory            : 12000\n")
	if err != nil || have != (cluster.Offer{CPU: 4 * cluster.Core, Memory: 16384 * cluster.MiB}) {
		t.Errorf("%+v, %v", have, err)
	}
	_, err = machineXL("nr_cpus                : 4\n")
	if err == nil || !strings.Contains(err.Error(), "set cpu and memory") {
		t.Errorf("without the memory: %v", err)
	}
}

func TestALibvirtOfXenIsFoundInADom0(t *testing.T) {
	for _, c := range []struct{ name, kind, features, want string }{
		{"without Xen", "", "", qemuURI},
		{"another hypervisor", "z/VM\n", "", qemuURI},
		{"a dom0", "xen\n", "00000c80\n", XenURI},
		{"a dom0 with more features", "xen\n", "0000000100000c80\n", XenURI},
		{"a guest of Xen", "xen\n", "00000280\n", qemuURI},
		{"a kernel that does not tell", "xen\n", "", ""},
		{"a torn answer", "xen\n", "?", ""},
	} {
		hypervisor := t.TempDir()
		if err := os.Mkdir(filepath.Join(hypervisor, "properties"), 0o700); err != nil {
			t.Fatal(err)
		}
		for name, content := range map[string]string{"type": c.kind, "properties/features": c.features} {
			if content == "" {
				continue
			}
			if err := os.WriteFile(filepath.Join(hypervisor, name), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if uri, err := localURI(hypervisor); uri != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: %q, %v; want %q", c.name, uri, err, c.want)
		}
	}
}
