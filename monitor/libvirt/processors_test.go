package libvirt

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// capabilitiesOf describes a node with the given siblings of each CPU, by NUMA cell.
func capabilitiesOf(cells ...[]string) string {
	var text strings.Builder
	id := 0
	for i, siblings := range cells {
		fmt.Fprintf(&text, "<cell id='%d'><cpus num='%d'>", i, len(siblings))
		for _, s := range siblings {
			fmt.Fprintf(&text, "<cpu id='%d' siblings='%s'/>", id, s)
			id++
		}
		text.WriteString("</cpus></cell>")
	}
	return fmt.Sprintf("<capabilities><host><topology><cells num='%d'>%s</cells></topology></host></capabilities>",
		len(cells), text.String())
}

func TestANodeTellsItsCoresThreadsAndNUMACells(t *testing.T) {
	for want, text := range map[string]string{
		"cores 2, threads per core 1, NUMA cells 1": capabilitiesOf([]string{"0", "1"}),
		"cores 4, threads per core 2, NUMA cells 2": capabilitiesOf([]string{"0,4", "1,5", "0,4", "1,5"},
			[]string{"2,6", "3,7", "2,6", "3,7"}),
		"cores 3, threads per core 2, NUMA cells 1": capabilitiesOf([]string{"0-1", "0-1", "2", "3"}), // of two kinds
		"cores 1, threads per core 1, NUMA cells 1": capabilitiesOf([]string{"0"}, nil),
		"processors unknown":                        "<capabilities><host/></capabilities>",
	} {
		if got, err := processorsOf(text); err != nil || got.String() != want {
			t.Errorf("%v, %v; want %s", got, err, want)
		}
	}
}

func TestVMsAreBoundToCoresOrThreadsThatTheNodeUses(t *testing.T) {
	has, err := processorsOf(capabilitiesOf([]string{"0,2", "1,3", "0,2", "1,3"}))
	if err != nil {
		t.Fatal(err)
	}
	every := func(int) bool { return true }
	for _, c := range []struct {
		how  string
		uses func(int) bool
		want [][]int
	}{
		{BindCores, every, [][]int{{0, 2}, {1, 3}}},
		{"", every, [][]int{{0, 2}, {1, 3}}},
		{BindThreads, every, [][]int{{0}, {1}, {2}, {3}}},
		{BindNone, every, nil},
		{BindCores, func(cpu int) bool { return cpu > 1 }, [][]int{{2}, {3}}},
		{BindThreads, func(cpu int) bool { return cpu == 3 }, [][]int{{3}}},
	} {
		if diff := cmp.Diff(c.want, has.bound(c.how, c.uses)); diff != "" {
			t.Errorf("%q: %s", c.how, diff)
		}
	}
}
