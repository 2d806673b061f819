package xentest

import (
	"strings"
	"testing"

	"aliquot/cluster"
)

func TestWhatAKilledLibvirtdLeavesHalfMadeIsFoundAndRemoved(t *testing.T) {
	s := newScene(t)
	s.begin("xn1", 4, cluster.Core, "foreground", "i=0; while :; do i=$((i+1)); echo $i; sleep 0.1; done")
	s.untilMore("xn1", 4)
	s.Cleanup(func() { s.node("xn2", "destroy", "4") })
	done := make(chan error, 2)
	go func() {
		_, err := s.exec("xn2", "/root/node", "arrive", "4", "300", "foreground", "xn1")
		done <- err
	}()
	go func() {
		_, err := s.exec("xn1", "/root/node", "migrate", "4", "xn2")
		done <- err
	}()
	s.sh("xn2", "until xl list | grep -q ^aliquot-; do sleep 0.2; done; kill -9 $(cat /run/libvirt/libvirtd.pid)")
	for range 2 {
		if err := <-done; err == nil {
			t.Fatal("the migration was not in progress when libvirtd was killed")
		}
	}
	s.sh("xn2", "libvirtd -l -d -p /run/libvirt/libvirtd.pid; until virsh -c xen:///system version; do sleep 0.5; done")
	if d, is := s.list("xn2").Domains[runOf(4).String()]; !is || !d.Half {
		t.Errorf("on the destination: %+v", d)
	}
	s.node("xn2", "destroy", "4")
	if out := s.sh("xn2", "xl list"); strings.Contains(out, "aliquot-") {
		t.Errorf("after its removal Xen has it still:\n%s", out)
	}
	s.untilMore("xn1", 4)
	s.count(4)
}

func TestAKilledLibvirtdOfTheSourceLosesNoVM(t *testing.T) {
	s := newScene(t)
	s.begin("xn1", 5, cluster.Core, "foreground", "i=0; while :; do i=$((i+1)); echo $i; sleep 0.1; done")
	s.untilMore("xn1", 5)
	s.Cleanup(func() { s.sh("xn2", "while virsh -c xen:///system list --name | grep -q ^aliquot-; do sleep 1; done") })
	done := make(chan error, 2)
	go func() {
		_, err := s.exec("xn2", "/root/node", "arrive", "5", "300", "foreground", "xn1")
		done <- err
	}()
	go func() {
		_, err := s.exec("xn1", "/root/node", "migrate", "5", "xn2")
		done <- err
	}()
	s.sh("xn2", "until xl list | grep -q ^aliquot-; do sleep 0.2; done")
	s.sh("xn1", "kill -9 $(cat /run/libvirt/libvirtd.pid)")
	if err := <-done; err == nil {
		t.Fatal("the migration was not in progress when libvirtd was killed")
	}
	s.sh("xn1", "libvirtd -l -d -p /run/libvirt/libvirtd.pid; until virsh -c xen:///system version; do sleep 0.5; done")
	if all := s.list("xn2"); len(all.Domains) != 0 {
		t.Errorf("on the destination: %+v", all)
	}
	s.untilMore("xn1", 5)
	s.count(5)
}

// sh runs a command line in a dom0.
func (s scene) sh(host, line string) string {
	s.Helper()
	out, err := s.exec(host, "bash", "-c", line)
	if err != nil {
		s.Fatal(err)
	}
	return out
}
