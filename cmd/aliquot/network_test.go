package main

import (
	"strings"
	"testing"

	"aliquot/cluster"
)

func TestTheSubnetOfVMsIsSetAndShown(t *testing.T) {
	d := newDesk(t)
	d.ok("network set 10.77.0.0/24")
	for _, part := range []string{"10.77.0.0/24", "0 of 253 used", "are isolated from each other", "no limit"} {
		if out := d.ok("network show"); !strings.Contains(out, part) {
			t.Errorf("no %s in %s", part, out)
		}
	}
	d.ok("network set 10.77.0.0/24 --open --bandwidth 500")
	for _, part := range []string{"reach each other", "500 Mbit/s each way"} {
		if out := d.ok("network show"); !strings.Contains(out, part) {
			t.Errorf("no %s in %s", part, out)
		}
	}
	o := d.run("network set 10.77.0.0/24 --bandwidth 200000")
	if o.code != exitFailed || !strings.Contains(o.err, "bandwidth") {
		t.Errorf("%+v", o)
	}
	if o := d.run("network set 10.77.0.9/24"); o.code != exitFailed || !strings.Contains(o.err, "like 10.77.0.0/16") {
		t.Errorf("%+v", o)
	}
	if o := d.run("network set 10.78.0.0/16none"); o.code != exitFailed || !strings.Contains(o.err, "like 10.77.0.0/16") {
		t.Errorf("%+v", o)
	}
	d.ok("network set none")
	if out := d.ok("network show"); !strings.Contains(out, "none") {
		t.Error(out)
	}
}

func TestNodesThatCannotLimitNetworkCardsAreNamedBeforehand(t *testing.T) {
	d := newDesk(t)
	for _, name := range []string{"n1", "n2"} {
		d.Must(t, cluster.Join{Name: name, Boot: "b", Description: cluster.Description{CPU: 2000, Memory: 1 << 30,
			Bridged: true, Isolates: true, Limits: name == "n1"}})
	}
	if o := d.run("network set 10.77.0.0/24"); strings.Contains(o.err, "n2") {
		t.Errorf("without a limit: %s", o.err)
	}
	if o := d.run("network set 10.77.0.0/24 --bandwidth 500"); !strings.Contains(o.err, "n2 cannot limit network cards") {
		t.Errorf("with a limit: %s", o.err)
	}
	for line, want := range map[string]string{"network show": "n2 cannot limit network cards",
		"node show n1": "for VMs, can limit", "node show n2": "for VMs, cannot limit"} {
		if out := d.ok(line); !strings.Contains(out, want) {
			t.Errorf("%s: no %q in %s", line, want, out)
		}
	}
}
