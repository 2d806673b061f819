package main

import (
	"strings"
	"testing"
	"time"

	"aliquot/cluster"
)

// refusedAt prepares a cluster in which half of what the returned submission asks for is left.
func (d *desk) refusedAt(t *testing.T) (submission string) {
	d.Join(t, "n1", 2000, 1024*cluster.MiB)
	start := time.UnixMicro(int64(d.Latest().At)).Add(time.Hour).UTC().Format(time.RFC3339)
	d.ok("job submit --tasks 1 --cpu 500m --memory 64Mi --start " + start + " --for 30m -- true")
	return "job submit --name second --tasks 2 --cpu 500m --memory 64Mi --start " + start + " --for 30m"
}

func TestARefusedPromiseIsShownWithOffersAndAcceptedByCommand(t *testing.T) {
	d := newDesk(t)
	o := d.run(d.refusedAt(t) + " --hold 2m -- true")
	if o.code == 0 || !strings.Contains(o.err, "aliquot offer accept o1") ||
		!strings.Contains(o.err, "cannot_be_promised") {
		t.Fatalf("refused: %+v", o)
	}
	list := d.ok("offer list")
	for _, want := range []string{"o1", "o2", "second", "500m", "PRICE"} {
		if !strings.Contains(list, want) {
			t.Errorf("%s is missing in\n%s", want, list)
		}
	}
	d.ok("offer decline o1")
	if id := strings.TrimSpace(d.ok("offer accept o2")); !strings.Contains(d.ok("reservation list"), id) {
		t.Errorf("%s is promised nothing", id)
	}
	if o := d.run("offer accept o1"); o.code == 0 || !strings.Contains(o.err, "is not held any more") {
		t.Errorf("a declined one: %+v", o)
	}
	if list := d.ok("offer list"); !strings.Contains(list, "Nothing is offered") {
		t.Errorf("the list:\n%s", list)
	}
}

func TestAPersonIsAskedForAnOffer(t *testing.T) {
	for answer, accepts := range map[string]bool{"o2": true, "": false, "o7": false, "yes": false, "yes\no2": true} {
		d := newDesk(t)
		o := d.answer(answer, d.refusedAt(t)+" -- true")
		if (o.code == 0) != accepts || strings.Contains(o.out, "j2") != accepts {
			t.Errorf("answer %q: %+v", answer, o)
		}
	}
}

func TestNobodyIsAskedForAnOfferWhereAProgramReads(t *testing.T) {
	d := newDesk(t)
	if o := d.answer("o2", d.refusedAt(t)+" -o json -- true"); o.code == 0 || strings.Contains(o.err, "Accept one?") {
		t.Errorf("%+v", o)
	}
}
