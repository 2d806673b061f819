package libvirt

import (
	"slices"
	"testing"
)

func TestAVCPUIsRunByItsCoreOrByAnyProcessor(t *testing.T) {
	if got := processorsThatRun(new(2), 4); !slices.Equal(got, []bool{false, false, true, false}) {
		t.Errorf("bound to 2 of 4: %v", got)
	}
	if got := processorsThatRun(nil, 2); !slices.Equal(got, []bool{true, true}) {
		t.Errorf("bound to none of 2: %v", got)
	}
}
