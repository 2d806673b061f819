package labtest

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"aliquot/client"
	"aliquot/web/api"
)

// meeting is a program that is root of its machine. It sends frames of all kinds to the machines that /tmp/targets
// lists, and says which kinds it heard of whom.
//
//go:embed meeting.py
var meeting string

// passing are the kinds of frames that VMs of one project get from each other.
var passing = []string{"arp", "broadcast", "multicast", "nobody", "outside", "subnet", "unicast", "unicastarp"}

// blocked are the kinds that nobody gets.
var blocked = []string{"forged", "router", "six", "tagged"}

// inProject returns a client whose jobs are of a project.
func (s *scene) inProject(name string) *client.Client {
	s.t.Helper()
	token, err := s.api.CreateToken(s.ctx, api.NewToken{Name: name, Role: "operator", Project: name})
	s.ok(err)
	s.t.Cleanup(func() {
		if _, err := s.api.RevokeToken(s.ctx, token.ID); err != nil {
			s.t.Error(err)
		}
	})
	c, err := client.New(client.Options{Managers: []string{"http://" + s.rest}, Token: token.Secret})
	s.ok(err)
	return c
}

// heard returns what the task heard in each interval, as kind:sender.
func (s *scene) heard(id string) (intervals [][]string) {
	for line := range strings.Lines(s.output(id, 0)) {
		if words := strings.Fields(line); len(words) > 0 && words[0] == "heard" {
			intervals = append(intervals, words[1:])
		}
	}
	return intervals
}

func TestProjectsDoNotReachEachOtherWhereverTheirVMsAre(t *testing.T) {
	s := begin(t)
	s.calm()
	s.pushDisk("tiny")
	router := s.router("n1", "10.76.0.1")
	s.need(s.api.SetNode(s.ctx, "n3", "cordon"))

	a, b := s.inProject("a"), s.inProject("b")
	ids := map[string]string{}
	submit := func(of *client.Client, name string, nodes ...string) {
		accepted, err := of.Submit(s.ctx, api.JobSpec{Name: name, Image: "tiny", CPU: "100m", Memory: "192Mi",
			Network: "bridge", Placement: &api.Placement{Nodes: nodes}, Env: map[string]string{"NAME": name},
			Files: map[string]string{"meeting.py": meeting}, Command: []string{"python3", "meeting.py"}}, "")
		s.ok(err)
		ids[name] = accepted.Job
	}
	s.need(s.api.SetNetwork(s.ctx, api.NewNetwork{Subnet: "10.76.0.0/24", Open: true}))
	submit(b, "old", "n1")
	s.need(s.api.SetNetwork(s.ctx, api.NewNetwork{Subnet: "10.76.0.0/24"}))
	submit(a, "ann", "n2", "n3")
	submit(a, "art", "n1")
	submit(b, "bea", "n1")
	targets := router + " 10.76.0.1\n"
	for name, id := range ids {
		s.await(id, "running", 2*ended)
		var found []string
		s.eventually(name+" tells its hardware address", 2*ended, func() error {
			if found = hardware.FindStringSubmatch(s.output(id, 0)); found == nil {
				return fmt.Errorf("it does not: %s", s.output(id, 0))
			}
			return nil
		})
		targets += found[1] + " " + s.job(id).Tasks[0].Address + "\n"
	}
	for _, id := range ids {
		if out, code := s.beside(id, targets, "busybox", "sh", "-c", "cat >/tmp/new && mv /tmp/new /tmp/targets"); code != 0 {
			t.Fatal(out)
		}
	}

	friends := map[string]string{"ann": "art", "art": "ann"}
	check := func(when string) {
		t.Helper()
		settled := map[string]int{} // frames wait in a card for the VM that came before libvirt had set up its filter
		for name, id := range ids {
			settled[name] = len(s.heard(id)) + 2
		}
		for name, id := range ids {
			var got [][]string
			friend := friends[name]
			s.eventually(name+" hears its friend, if it has one, "+when, 2*ended, func() error {
				s.stray("n1")
				if got = s.heard(id); len(got) < settled[name]+2 {
					return fmt.Errorf("it told of %d intervals", len(got))
				}
				for _, kind := range passing {
					if latest := got[len(got)-1]; friend != "" && !slices.Contains(latest, kind+":"+friend) {
						return fmt.Errorf("it heard %v", latest)
					}
				}
				return nil
			})
			for _, frame := range slices.Concat(got[settled[name]:]...) {
				kind, of, _ := strings.Cut(frame, ":")
				if of == name {
					continue // its friend's answer quotes it
				}
				if of != friend || slices.Contains(blocked, kind) {
					t.Errorf("%s heard %s %s", name, frame, when)
				}
			}
			s.answersRouter("n1", s.job(id).Tasks[0].Address)
		}
	}
	check("at first")

	s.need(s.api.SetNode(s.ctx, "n3", "uncordon"))
	s.need(s.api.SetNode(s.ctx, "n2", "drain"))
	s.awaitThat(ids["ann"], "migrated to n3", ended, func(j api.Job) bool {
		return j.Tasks[0].Node == "n3" && j.Tasks[0].State == "running"
	})
	check("after a migration")

	s.need(s.api.Hold(s.ctx, ids["ann"]))
	s.await(ids["ann"], "held", ended)
	s.need(s.api.SetNode(s.ctx, "n2", "uncordon"))
	s.need(s.api.SetNode(s.ctx, "n3", "cordon"))
	s.need(s.api.Release(s.ctx, ids["ann"]))
	s.await(ids["ann"], "running", 2*ended)
	check("after a pause")
	if task := s.job(ids["ann"]).Tasks[0]; task.Node != "n2" || task.Run != 1 {
		t.Errorf("ann is %+v", task)
	}
}

var hardware = regexp.MustCompile(`mac (\S+)`)

// router makes the node a router of VMs until the test ends, and returns its hardware address.
func (s *scene) router(node, address string) string {
	s.t.Helper()
	do := func(command string) string {
		out, err := s.exec(node, "sh", "-c", command)
		s.ok(err)
		return out
	}
	do("echo 1 >/proc/sys/net/ipv4/ip_forward; ip addr add " + address + "/24 dev vmbr0")
	s.t.Cleanup(func() { do("echo 0 >/proc/sys/net/ipv4/ip_forward; ip addr del " + address + "/24 dev vmbr0") })
	return regexp.MustCompile(`link/ether (\S+)`).FindStringSubmatch(do("ip link show vmbr0"))[1]
}

// stray has the router on the node send a frame to a hardware address that no bridge has learnt.
func (s *scene) stray(node string) {
	s.t.Helper()
	_, err := s.exec(node, "bash", "-c", `ip neigh replace 10.76.0.200 lladdr 06:00:00:00:00:01 nud reachable dev vmbr0
		echo "<stray:router>" >/dev/udp/10.76.0.200/7000`)
	s.ok(err)
}

// answersRouter verifies that a VM answers the router: nobody listens there, and it says so.
func (s *scene) answersRouter(node, address string) {
	s.t.Helper()
	if out, err := s.exec(node, "bash", "-c", "exec 3<>/dev/tcp/"+address+"/9"); err == nil ||
		!strings.Contains(out+err.Error(), "refused") {
		s.t.Errorf("%s does not answer its router: %s, %v", address, out, err)
	}
}
