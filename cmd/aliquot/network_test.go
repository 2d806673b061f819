package main

import (
	"strings"
	"testing"
)

func TestTheSubnetOfVMsIsSetAndShown(t *testing.T) {
	d := newDesk(t)
	d.ok("network set 10.77.0.0/24")
	if out := d.ok("network show"); !strings.Contains(out, "10.77.0.0/24") || !strings.Contains(out, "0 of 253 used") {
		t.Error(out)
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
