package cluster

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestOnlySubnetsForVMsAreTaken(t *testing.T) {
	for text, size := range map[string]int{"10.77.0.0/16": 65533, "192.168.7.0/24": 253, "10.0.0.0/29": 5} {
		if s, err := ParseSubnet(text); err != nil || s.Size() != size || s.String() != text {
			t.Errorf("%s: %v of %d, %v", text, s, s.Size(), err)
		}
	}
	for _, text := range []string{"", "10.77.0.1/16", "10.0.0.0/8", "10.0.0.0/30", "224.0.0.0/16", "fd00::/64", "x",
		"127.0.0.0/16"} {
		if s, err := ParseSubnet(text); err == nil {
			t.Errorf("%s is taken as %v", text, s)
		}
	}
}

// connected is a state with a subnet for five VMs.
func connected(t rapid.TB) *State {
	s := Newest([16]byte{1}, PolicyChoice{})
	image := Image{Name: "k", Digest: strings.Repeat("a", 64), Kind: KernelImage, Size: 1}
	subnet, _ := ParseSubnet("10.0.0.0/29")
	for _, a := range []Action{PutImage{image}, SetSubnet{subnet}} {
		if r := s.Apply(s.Revision+1, Command{Actor: Actor{Role: System}, Action: a}); r.Rejection != nil {
			t.Fatal(r.Rejection)
		}
	}
	return s
}

func TestEachTaskHasAnAddressOfItsOwnUntilItsJobEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := connected(t)
		do := func(a Action) Result {
			return s.Apply(s.Revision+1, Command{Actor: Actor{Role: Operator}, Action: a})
		}
		var live []JobID
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			if len(live) > 0 && rapid.Bool().Draw(t, "ends") {
				i := rapid.IntRange(0, len(live)-1).Draw(t, "which")
				do(Cancel{Job: live[i]})
				live = append(live[:i], live[i+1:]...)
				continue
			}
			spec := &Spec{Tasks: rapid.IntRange(1, 3).Draw(t, "tasks"), Need: 100, Network: Bridged,
				Image: "k@sha256:" + strings.Repeat("a", 64), Requirement: Requirement{Memory: 64 * MiB}}
			r := do(Submit{Spec: spec})
			if full := s.freeBlock(spec.Tasks) == 0; r.Rejection != nil && (r.Rejection.Code != CodeLimit || !full) {
				t.Fatal(r.Rejection)
			}
			if r.Rejection == nil {
				live = append(live, r.Job)
			}
		}
		taken := map[Address]bool{}
		for _, id := range live {
			for i := range s.Job(id).Tasks {
				a := s.Job(id).AddressOf(i)
				if taken[a] || a < s.Subnet.Base+2 || a > s.Subnet.Base+6 {
					t.Fatalf("%v/%d has %v of %v", id, i, a, taken)
				}
				taken[a] = true
			}
		}
		if err := s.Check(); err != nil || s.Addresses() != len(taken) {
			t.Fatalf("%d addresses, %v", s.Addresses(), err)
		}
		other, _ := ParseSubnet("10.1.0.0/29")
		r := s.Apply(s.Revision+1, Command{Actor: Actor{Role: Admin}, Action: SetSubnet{other}})
		if (r.Rejection == nil) != (len(taken) == 0) {
			t.Fatalf("another subnet while %d addresses are in use: %+v", len(taken), r.Rejection)
		}
	})
}

func TestAJobWithANetworkNeedsASubnetAndItsFormat(t *testing.T) {
	s := New([16]byte{1}, PolicyChoice{})
	for _, a := range []Action{SetSubnet{}, Submit{Spec: &Spec{Network: Bridged}},
		Join{Description: Description{Bridged: true}}} {
		if r := s.Unready(a); r == nil || !strings.Contains(r.Detail, "format 6") {
			t.Errorf("%+v: %+v", a, r)
		}
	}
	if r := s.Unconnectable(&Spec{Tasks: 1, Network: Bridged}); r == nil || r.Code != CodeConflict {
		t.Errorf("without a subnet: %+v", r)
	}
	s = connected(t)
	s.Apply(s.Revision+1, Command{Action: Join{Name: "n", Boot: "b",
		Description: Description{CPU: 1000, Memory: 1 << 30}}})
	r := s.Impossible(&Spec{Tasks: 1, Need: 1, Network: Bridged})
	if r == nil || r.Field != "network" {
		t.Errorf("without a bridge: %+v", r)
	}
	n := Node{Name: "n"}
	if n.Allows(&Spec{Network: Bridged}, "") || !n.Allows(&Spec{}, "") {
		t.Error("a node without a bridge takes the job, or none")
	}
}

// A job may ask for nothing but a network, or a least yield: it is not to be taken for one that may go anywhere.
func TestPoliciesMayPlaceAJobOnlyWhereItsNetworkAndItsLeastYieldAre(t *testing.T) {
	s := connected(t)
	for name, d := range map[string]Description{
		"plain": {CPU: 1000, Memory: 1024 * MiB}, "bridged": {CPU: 1000, Memory: 1024 * MiB, Bridged: true},
		"slow": {CPU: 500, Memory: 1024 * MiB, Speed: 500},
	} {
		s.Apply(s.Revision+1, Command{Actor: root, Action: Join{name, "boot", d, 0}})
	}
	spec := Spec{Tasks: 1, Need: 1000, Image: "k@sha256:" + strings.Repeat("a", 64)}
	spec.Requirement.Memory = 64 * MiB
	connects, demands := spec, spec
	connects.Network, demands.MinYield = Bridged, Whole*3/4
	for want, spec := range map[string]*Spec{
		"bridged plain slow": &spec, "bridged": &connects, "bridged plain": &demands,
	} {
		r := s.Apply(s.Revision+1, Command{Actor: root, Action: Submit{Spec: spec}})
		var allowed []string
		for n := range s.Nodes() {
			if s.View(s.Now).Allowing(s.Job(r.Job))(n) {
				allowed = append(allowed, n.Name)
			}
		}
		slices.Sort(allowed)
		if got := strings.Join(allowed, " "); got != want || spec.Choosy() != (want != "bridged plain slow") {
			t.Errorf("%+v: may go to %s, want %s", spec.Demands(), got, want)
		}
	}
}
