package main

import (
	"strings"
	"testing"
)

func TestAQuotaIsSetShownAndRemoved(t *testing.T) {
	d := newDesk(t)
	d.ok("quota set --project render --tasks 200 --cpu 64 --memory 256Gi")
	d.ok("quota set --owner * --jobs 3")
	out := d.ok("quota list")
	for _, want := range []string{"render", "0/200", "0m/64000m", "0 B/256 GiB", "0/3"} {
		if !strings.Contains(out, want) {
			t.Errorf("%s is missing in\n%s", want, out)
		}
	}
	d.ok("quota set --owner ann --weight 200")
	if out := d.ok("quota list"); !strings.Contains(out, "200 %") {
		t.Errorf("the weight is missing in\n%s", out)
	}
	if o := d.run("quota set --owner bo --jobs 1 --tasks 2"); !strings.Contains(o.err, "is 1 job, 2 tasks.") {
		t.Errorf("%+v", o)
	}
	d.ok("quota set --owner bo")
	d.ok("quota set --project render")
	if out := d.ok("quota list"); strings.Contains(out, "render") {
		t.Errorf("it is still there:\n%s", out)
	}
	if o := d.run("quota set --owner ann --weight 0"); o.code != exitUsage ||
		o.err != "aliquot: --weight is 0, must be a number from 1; leave it out for the usual one, 100\n" {
		t.Errorf("a weight of 0: %+v", o)
	}
	if out := d.ok("quota list"); !strings.Contains(out, "200 %") {
		t.Errorf("a refused weight has removed another:\n%s", out)
	}
	for _, line := range []string{"quota set --jobs 1", "quota set --project a --owner b --jobs 1"} {
		if o := d.run(line); o.code != exitUsage {
			t.Errorf("%s: %+v", line, o)
		}
	}
}

func TestTheUsageOfAQuotaNamesWhatItNeeds(t *testing.T) {
	out := newDesk(t).ok("quota set --help")
	if want := "aliquot quota set (--project NAME | --owner NAME) [flags]"; !strings.Contains(out, want) {
		t.Errorf("%q is missing in\n%s", want, out)
	}
}
