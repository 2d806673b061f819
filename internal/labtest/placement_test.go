package labtest

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"aliquot/client"
	"aliquot/web/api"
)

func TestTasksGoWhereTheirJobAllows(t *testing.T) {
	s := begin(t)
	spread := several(3, counting(endless, "100m"))
	spread.Placement = &api.Placement{Spread: true}
	bound := counting(endless, "100m")
	bound.Placement = &api.Placement{Nodes: []string{"n3"}}
	ids := s.submit(spread, bound)
	for id, want := range map[string][]string{ids[0]: {"n1", "n2", "n3"}, ids[1]: {"n3"}} {
		j := s.awaitThat(id, "on its nodes", ended, func(j api.Job) bool {
			return !slices.ContainsFunc(j.Tasks, func(task api.Task) bool { return task.Node == "" })
		})
		var nodes []string
		for _, task := range j.Tasks {
			guests := s.guestsOf(id, task.Index)
			if len(guests) != 1 || guests[0].node != task.Node {
				t.Errorf("%s/%d is on %s, the machine shows %v", id, task.Index, task.Node, guests)
			}
			nodes = append(nodes, task.Node)
		}
		if slices.Sort(nodes); !slices.Equal(nodes, want) {
			t.Errorf("%s is on %q, want %q", id, nodes, want)
		}
	}
}

func TestJobsThatCanNeverRunAreRefusedAtOnceWithTheReason(t *testing.T) {
	s := begin(t)
	before := len(s.jobs())
	for code, change := range map[string]func(*api.JobSpec){
		"need_exceeds_every_node":   func(j *api.JobSpec) { j.CPU = "1300m" },
		"memory_exceeds_every_node": func(j *api.JobSpec) { j.Memory = "1300Mi" },
		"tasks_exceed_cluster":      func(j *api.JobSpec) { j.Tasks = 12 },
		"no_allowed_node":           func(j *api.JobSpec) { j.Placement = &api.Placement{Nodes: []string{"n4"}} },
		"unknown_image":             func(j *api.JobSpec) { j.Image = "windows" },
	} {
		spec := shell("exit 0", "500m")
		change(&spec)
		if _, err := s.api.Submit(s.ctx, spec, ""); client.Code(err) != code {
			t.Errorf("want %s, got %v", code, err)
		}
	}
	spread := several(4, shell("exit 0", "100m"))
	spread.Placement = &api.Placement{Spread: true}
	if _, err := s.api.Submit(s.ctx, spread, ""); client.Code(err) != "tasks_exceed_cluster" {
		t.Errorf("four tasks on a node each of three: %v", err)
	}
	if after := len(s.jobs()); after != before {
		t.Errorf("there were %d jobs, now there are %d", before, after)
	}
}

// foreign is a VM that is defined outside Aliquot on a node: 256 MiB, capped at 200m.
const foreign = `
<domain type='qemu'>
  <name>%s</name>
  <memory unit='MiB'>256</memory>
  <vcpu>1</vcpu>
  <cputune><period>100000</period><quota>20000</quota></cputune>
  <os><type arch='x86_64' machine='pc'>hvm</type></os>
</domain>`

func TestForeignVMIsLeftAloneAndAccounted(t *testing.T) {
	s := begin(t)
	before := s.node("n1")
	s.ok(os.WriteFile(s.state("foreign.xml"), fmt.Appendf(nil, foreign, "somebody-else"), 0o644))
	virsh := func(args ...string) string {
		t.Helper()
		out, err := s.exec("n1", append([]string{"virsh", "-q"}, args...)...)
		s.ok(err)
		return strings.TrimSpace(out)
	}
	virsh("create", s.state("foreign.xml"))
	t.Cleanup(func() { virsh("destroy", "somebody-else") })
	id := virsh("domid", "somebody-else")
	s.eventually("it is accounted", ended, func() error {
		n := s.node("n1")
		if n.ForeignMillicores != 200 || n.ForeignMemoryBytes != 256<<20 {
			return fmt.Errorf("%dm and %d bytes", n.ForeignMillicores, n.ForeignMemoryBytes)
		}
		return nil
	})
	if n := s.node("n1"); n.CPUMillicores != before.CPUMillicores-200 || n.MemoryBytes != before.MemoryBytes-256<<20 {
		t.Errorf("n1 had %dm and %d bytes for the cluster, now %dm and %d", before.CPUMillicores, before.MemoryBytes,
			n.CPUMillicores, n.MemoryBytes)
	}
	ours := s.submitOne(shell("echo beside it", "1"))
	s.await(ours, "succeeded", ended)
	s.need(s.api.SetNode(s.ctx, "n1", "drain"))
	s.awaitNode("n1", "drained", ended)
	if state, now := virsh("domstate", "somebody-else"), virsh("domid", "somebody-else"); state != "running" || now != id {
		t.Errorf("the foreign VM is %s and has the id %s, want running and %s", state, now, id)
	}
	if strays, err := s.api.Strays(s.ctx); err != nil || len(strays) != 0 {
		t.Errorf("strays %v, %v", strays, err)
	}
}
