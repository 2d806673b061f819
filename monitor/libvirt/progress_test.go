package libvirt

import (
	"testing"

	"libvirt.org/go/libvirt"

	"aliquot/monitor"
)

func TestTheProgressOfAMoveIsWhatDoesNotRemain(t *testing.T) {
	for _, c := range []struct {
		job  libvirt.DomainJobInfo
		want monitor.Progress
	}{
		{libvirt.DomainJobInfo{}, monitor.Progress{}},
		{libvirt.DomainJobInfo{DataTotalSet: true, DataTotal: 100, DataProcessed: 900, DataProcessedSet: true,
			DataRemainingSet: true, DataRemaining: 30}, monitor.Progress{Done: 70, Total: 100}},
		{libvirt.DomainJobInfo{DataTotalSet: true, DataTotal: 100, DataRemainingSet: true, DataRemaining: 130},
			monitor.Progress{Done: 0, Total: 100}},
	} {
		if got := progressOf(&c.job); got != c.want {
			t.Errorf("%+v: got %+v, want %+v", c.job, got, c.want)
		}
	}
}
