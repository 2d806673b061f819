package main

import (
	"strings"
	"testing"
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
