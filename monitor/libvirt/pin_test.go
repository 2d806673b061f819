package libvirt

import (
	"slices"
	"testing"
)

func TestAVCPUIsRunByTheCPUsOfItsCoreOrByAny(t *testing.T) {
	if got := thoseThatRun([]int{0, 2}, 4); !slices.Equal(got, []bool{true, false, true, false}) {
		t.Errorf("bound to 0 and 2 of 4: %v", got)
	}
	if got := thoseThatRun(nil, 2); !slices.Equal(got, []bool{true, true}) {
		t.Errorf("bound to none of 2: %v", got)
	}
}

func TestWhatADescriptionBindsAVMToIsReadBack(t *testing.T) {
	for text, want := range map[string][]int{
		"3": {3}, "0-2,8": {0, 1, 2, 8}, "1,x,5": {1, 5}, "0-99999999": nil, "": nil, "5-2": nil,
	} {
		if got := cpuSet(text); !slices.Equal(got, want) {
			t.Errorf("%q is read as %v, want %v", text, got, want)
		}
	}
}

func TestTheProcessorOfAVMIsFoundByItsCPUs(t *testing.T) {
	h := &Hypervisor{chosen: &choice{cores: [][]int{{0, 4}, {1, 5}}}}
	for _, c := range []struct {
		cpus []int
		want int
	}{{nil, 0}, {[]int{0, 4}, 1}, {[]int{1, 5}, 2}, {[]int{1}, int(unknownCore)}, {[]int{0, 1, 4, 5}, int(unknownCore)}} {
		if got := h.coreOf(c.cpus); int(got) != c.want {
			t.Errorf("%v is processor %d, want %d", c.cpus, got, c.want)
		}
	}
}
