package monitor

import (
	"testing"
	"time"

	"github.com/rs/zerolog"

	"aliquot/cluster"
)

func TestOrdersThatCameBeforeTheLeaseAreLookedAtWhenItComes(t *testing.T) {
	a, err := New(Config{Name: "n1", Data: t.TempDir(), Log: zerolog.Nop()}, &hypervisor{list: nothing},
		&line{}, present{})
	if err != nil {
		t.Fatal(err)
	}
	a.of = [16]byte{1}
	a.renew(BootTime() + time.Minute)
	if len(a.asked) != 1 {
		t.Error("nothing is looked at")
	}
	<-a.asked
	a.asking = false
	a.renew(BootTime() + 2*time.Minute)
	if len(a.asked) != 0 {
		t.Error("every renewal looks at the node")
	}
}

func TestOrdersOfASessionWithoutALeaseDoNotCountInTheNext(t *testing.T) {
	open := func() *line {
		return &line{of: [16]byte{1}, orders: make(chan cluster.Orders), closed: make(chan struct{})}
	}
	a, err := New(Config{Name: "n1", Data: t.TempDir(), Log: zerolog.Nop()}, &hypervisor{list: nothing}, open(), present{})
	if err != nil {
		t.Fatal(err)
	}
	a.of, a.node, a.serial, a.session = [16]byte{1}, 1, 1, open()
	a.take(cluster.Orders{Cluster: a.of, Node: 1, Revision: 1}) // nothing reached the leader, so it renewed no lease
	if err := a.join(t.Context(), opened{session: open()}); err != nil {
		t.Fatal(err)
	}
	a.renew(BootTime() + time.Minute) // before the orders of this session
	if a.grant != 0 {
		t.Error("the lease makes orders valid that came long before it")
	}
	a.take(cluster.Orders{Cluster: a.of, Node: 1, Revision: 2})
	if a.grant == 0 {
		t.Error("the orders that came with the lease do not count")
	}
}

func TestALapseThatIsNoticedLateEndsTheOrdersAllTheSame(t *testing.T) {
	open := func() *line {
		return &line{of: [16]byte{1}, orders: make(chan cluster.Orders), closed: make(chan struct{})}
	}
	link := open()
	a, err := New(Config{Name: "n1", Data: t.TempDir(), Log: zerolog.Nop()}, &hypervisor{list: nothing}, link, present{})
	if err != nil {
		t.Fatal(err)
	}
	a.of, a.node, a.serial, a.session = link.of, 1, 1, link
	a.grant, a.grants, a.until = 1, 1, 1 // a lease that began just after the boot
	a.renew(BootTime() + time.Minute)
	a.take(cluster.Orders{Cluster: a.of, Node: 1, Revision: 1}) // the session had received them before it was closed
	late := open()                                              // asked for before the lapse
	if err := a.join(t.Context(), opened{session: late}); err != nil {
		t.Fatal(err)
	}
	a.take(cluster.Orders{Cluster: a.of, Node: 1, Revision: 1})
	select {
	case <-late.closed:
	default:
		t.Error("a session that was asked for before the lapse is kept")
	}
	if err := a.join(t.Context(), opened{session: open(), lapses: 1}); err != nil {
		t.Fatal(err)
	}
	a.renew(BootTime() + 2*time.Minute)
	if a.grant != 0 {
		t.Error("orders from before the lapse are followed")
	}
	a.take(cluster.Orders{Cluster: a.of, Node: 1, Revision: 2})
	if a.grant != 2 || a.until < BootTime() {
		t.Errorf("the orders of after the lapse are of grant %d", a.grant)
	}
}
