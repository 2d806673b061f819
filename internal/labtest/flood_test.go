package labtest

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"aliquot/web/api"
)

// limits are what libvirt asks the kernel for when the card of a VM has a limit.
const limits = `ip link add aqlimit type veth peer name aqlimit2 && trap 'ip link del aqlimit' EXIT &&
	tc qdisc add dev aqlimit root handle 1: htb default 1 && tc class add dev aqlimit parent 1: classid 1:1 htb rate 1mbit &&
	tc qdisc add dev aqlimit parent 1:1 handle 2: sfq && tc qdisc add dev aqlimit ingress &&
	tc filter add dev aqlimit parent ffff: protocol all u32 match u32 0 0 police rate 1mbit burst 128kb drop flowid :1`

// flood starts a task that sends as fast as it can, and one that takes it. It returns their jobs.
func (s *scene) flood() (from, to string) {
	s.t.Helper()
	on := func(command string) string {
		return s.submitOne(api.JobSpec{CPU: "300m", Memory: "96Mi", Network: "bridge",
			Placement: &api.Placement{Nodes: []string{"n1"}}, Command: []string{"sh", "-c", command}})
	}
	to = on("while :; do nc -l -p 7000 >/dev/null; done")
	return on("while :; do nc " + s.job(to).Tasks[0].Address + " 7000 </dev/zero; sleep 0.1; done"), to
}

// received returns how many bytes the card of the job's task has got.
func (s *scene) received(id string) int {
	s.t.Helper()
	out, _ := s.beside(id, "", "cat", "/sys/class/net/eth0/statistics/rx_bytes")
	n, err := strconv.Atoi(strings.TrimSpace(out))
	s.ok(err)
	return n
}

// rate returns how many bytes a second the task gets after it got the first ones.
func (s *scene) rate(id string) int {
	s.t.Helper()
	s.await(id, "running", 2*ended)
	s.eventually("the flood comes", ended, func() error {
		if n := s.received(id); n < 500_000 {
			return fmt.Errorf("%d bytes came", n)
		}
		return nil
	})
	first, began := s.received(id), time.Now()
	time.Sleep(20 * time.Second)
	return int(float64(s.received(id)-first) / time.Since(began).Seconds())
}

// limitCards has the cluster limit each card to a megabit in a second, and starts a flood.
func (s *scene) limitCards() (from, to string) {
	s.t.Helper()
	s.need(s.api.SetNetwork(s.ctx, api.NewNetwork{Subnet: "10.75.0.0/24", Bandwidth: 1}))
	return s.flood()
}

// waitsForALimit checks that on a node that cannot limit cards no VM starts whose card has a limit, and that one that
// runs goes on.
func (s *scene) waitsForALimit() {
	s.t.Helper()
	s.need(s.api.SetNetwork(s.ctx, api.NewNetwork{Subnet: "10.75.0.0/24"}))
	spec := api.JobSpec{CPU: "300m", Memory: "96Mi", Network: "bridge", Placement: &api.Placement{Nodes: []string{"n1"}},
		Command: []string{"sleep", "1d"}}
	runs := s.submitOne(spec)
	s.await(runs, "running", 2*ended)
	waits := s.submitOne(spec)
	s.need(s.api.Hold(s.ctx, waits))
	s.need(s.api.SetNetwork(s.ctx, api.NewNetwork{Subnet: "10.75.0.0/24", Bandwidth: 1}))
	s.need(s.api.Release(s.ctx, waits))
	s.eventually(waits+" waits", ended, func() error {
		if j := s.job(waits); j.Why == nil || !strings.Contains(j.Why.Text, "unable to limit network cards") {
			return fmt.Errorf("it is %s: %+v", j.State, j.Why)
		}
		return nil
	})
	if texts := s.causes(waits, "move_failed"); len(texts) > 0 {
		s.t.Errorf("its starts failed: %q", texts)
	}
	if j := s.job(runs); j.State != "running" {
		s.t.Errorf("%s, whose VM ran, is %s: %+v", runs, j.State, j.Why)
	}
	if _, err := s.api.Submit(s.ctx, spec, ""); err == nil || !strings.Contains(err.Error(), "cannot limit") {
		s.t.Errorf("a job that no node can take: %v", err)
	}
}

func TestAFloodIsHeldBackByTheLimitOfACard(t *testing.T) {
	const megabit = 1_000_000 / 8
	s := begin(t)
	s.calm()
	_, err := s.exec("n1", "sh", "-c", limits)
	n, told := s.api.Node(s.ctx, "n1")
	if s.ok(told); n.LimitsBandwidth != (err == nil) {
		t.Fatalf("the node says that it can limit cards: %v; tc: %v", n.LimitsBandwidth, err)
	}
	if err != nil {
		t.Logf("the kernel of this machine cannot limit cards: %v", err)
		s.waitsForALimit()
		return
	}

	s.need(s.api.SetNetwork(s.ctx, api.NewNetwork{Subnet: "10.75.0.0/24"}))
	from, to := s.flood()
	free := s.rate(to)
	if free < 2*megabit {
		t.Fatalf("without a limit %d bytes come in a second, too few for the test", free)
	}
	for _, id := range []string{from, to} {
		s.need(s.api.Cancel(s.ctx, id, ""))
		s.await(id, "cancelled", ended)
	}
	_, to = s.limitCards()
	if held := s.rate(to); held > 3*megabit/2 {
		t.Errorf("%d bytes come in a second, want no more than %d; without a limit %d come", held, 3*megabit/2, free)
	}
}
