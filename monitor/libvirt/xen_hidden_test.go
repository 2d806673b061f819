package libvirt

import (
	"testing"
	"time"

	"aliquot/cluster"
	"aliquot/monitor"
	"aliquot/monitor/reconcile"
)

var hiddenVM = monitor.VM{Cluster: [16]byte{'x'}, Run: cluster.RunID{Job: 1, Number: 1}}

func TestWhatOnlyXenHasIsFoundWhetherItRunsOrNotUnlessLibvirtListsIt(t *testing.T) {
	for _, paused := range []bool{true, false} {
		all := []xlDomain{{id: 13, name: "my server", uuid: "22614100-caf4-534d-aaec-6546e548dfc4", paused: paused},
			{id: 12, name: hiddenVM.Name(), uuid: hiddenVM.UUID(), paused: paused}}
		if found := unlistedXL(all, hiddenVM.Cluster, nil); len(found) != 1 || found[hiddenVM] != all[1] {
			t.Errorf("paused %v: found %v", paused, found)
		}
		if found := unlistedXL(all, hiddenVM.Cluster, map[string]bool{hiddenVM.UUID(): true}); len(found) != 0 {
			t.Errorf("libvirt lists it: %v", found)
		}
	}
}

func TestOnlyWhatNeverRanIsHalfMadeAndAllKeepTheirMemory(t *testing.T) {
	const memory = 94 * cluster.MiB
	weight := memory - cluster.GuestSystem
	for name, c := range map[string]struct {
		is   xlDomain
		want reconcile.Domain
	}{
		"left by a killed libvirtd": {xlDomain{memory: memory, paused: true},
			reconcile.Domain{State: reconcile.Frozen, Half: true, Memory: weight}},
		"forgotten, and it runs": {xlDomain{memory: memory, ran: true},
			reconcile.Domain{State: reconcile.Dying, Memory: weight}},
		"forgotten, and the fence has paused it": {xlDomain{memory: memory, paused: true, ran: true},
			reconcile.Domain{State: reconcile.Dying, Memory: weight}},
	} {
		if got := c.is.unknown(); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestADomainThatWasMadeAnewIsNotTheOneThatWasHidden(t *testing.T) {
	at := func(id int) map[monitor.VM]xlDomain { return map[monitor.VM]xlDomain{hiddenVM: {id: id}} }
	if left := still(at(12), at(12)); len(left) != 1 {
		t.Errorf("the same: %v", left)
	}
	if left := still(at(12), at(13)); len(left) != 0 {
		t.Errorf("made anew: %v", left)
	}
	if left := still(at(12), nil); len(left) != 0 {
		t.Errorf("gone: %v", left)
	}
}

func TestADomainIsAVMByNameAndUUID(t *testing.T) {
	d := xlDomain{name: hiddenVM.Name(), uuid: hiddenVM.UUID()}
	if !d.is(hiddenVM) {
		t.Error("it is not")
	}
	if d.name = "my server"; d.is(hiddenVM) {
		t.Error("another name")
	}
}

func TestLibvirtHasTimeToEndAVMAndMeanwhileTheFenceTakesTheFirmGrip(t *testing.T) {
	h := &Hypervisor{}
	a := h.absences()
	if a.overdue("new") || h.complete() != nil {
		t.Error("as soon as it is seen")
	}
	h.noteAbsences(a)
	if h.complete() == nil {
		t.Error("libvirt does not know a VM, and the gentle grip is content")
	}
	h.absent["new"] = time.Now().Add(-farewell)
	if a = h.absences(); !a.overdue("new") {
		t.Error("it stays forever")
	}
	h.noteAbsences(h.absences())
	if err := h.complete(); err != nil {
		t.Errorf("it is gone: %v", err)
	}
}
