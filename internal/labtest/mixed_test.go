//go:build xen

package labtest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"aliquot/client"
	"aliquot/web/api"
)

func TestMixedJobRunsOnNodesOfBothHypervisors(t *testing.T) {
	m := beginMixed(t)
	const last = 760_000 // 5.2 MB
	spec := several(3, shell(fmt.Sprintf("seq 1 %d; echo task $ALIQUOT_TASK_INDEX >out", last), "400m"))
	spec.Placement = &api.Placement{Spread: true}
	spec.Outputs = []string{"out"}
	id := m.submitOne(spec)

	var want strings.Builder
	for i := range last {
		want.WriteString(strconv.Itoa(i+1) + "\n")
	}
	m.await(id, "succeeded", 2*ended)
	for i := range 3 {
		if got := m.output(id, i); got != want.String() {
			t.Errorf("task %d has written %d bytes, want %d", i, len(got), want.Len())
		}
		files, err := m.api.Results(m.ctx, id, client.ResultQuery{Task: i})
		if err != nil || len(files.Files) != 1 || files.Files[0].SizeBytes != int64(len("task 0\n")) || !files.Complete {
			t.Errorf("task %d has left %+v, %v", i, files, err)
		}
	}
	var nodes []string
	for _, e := range m.events(id, "task_started") {
		nodes = append(nodes, e.Node)
	}
	if slices.Sort(nodes); !slices.Equal(nodes, []string{"q1", "xn1", "xn2"}) {
		t.Errorf("its tasks ran on %v", nodes)
	}
	code := m.submitOne(on(shell("exit 5", "400m"), xenNodes...))
	if j := m.await(code, "failed", ended); *j.Tasks[0].Exit.Code != 5 {
		t.Errorf("want code 5: %s", show(j))
	}
}

func TestMixedRunStaysOnItsHypervisor(t *testing.T) {
	m := beginMixed(t)
	id := m.beginOn("q1", counting(endless, "300m"))
	plan, err := m.api.Plan(m.ctx, api.Hypothesis{Drain: "q1"})
	m.ok(err)
	if !slices.Equal(plan.Paused, []string{id}) || !strings.Contains(plan.Jobs[0].Why.Text, "platform") {
		t.Errorf("the plan for draining its node does not say why it finds no other: %s", show(plan))
	}
	m.need(m.api.SetNode(m.ctx, "q1", "drain"))
	j := m.await(id, "paused", 2*ended)
	if j.Why == nil || !strings.Contains(j.Why.Text, "platform") {
		t.Errorf("the job does not say why it is paused: %s", show(j))
	}
	m.uncordon()
	m.awaitThat(id, "running again", 2*ended, func(j api.Job) bool { return j.Tasks[0].State == "running" })
	m.awaitCount(id, 0, m.counted(id, 0)+1, ended)
	if j := m.job(id); j.Tasks[0].Node != "q1" || j.Tasks[0].Run != 1 {
		t.Errorf("want run 1 on q1: %s", show(j))
	}
}

func TestMixedVMsOfXenMoveAndPauseWithoutAGap(t *testing.T) {
	m := beginMixed(t)
	id := m.beginOn("xn1", counting(endless, "300m"))
	m.need(m.api.SetNode(m.ctx, "xn1", "drain"))
	m.awaitOn(id, "xn2")
	if moved := migrations(m.events(id)); !slices.Equal(moved, []string{id + "/0 xn1 to xn2"}) {
		t.Errorf("it moved %v", moved)
	}
	m.awaitCount(id, 0, m.counted(id, 0)+1, ended)

	m.need(m.api.Hold(m.ctx, id))
	m.await(id, "held", 2*ended)
	m.cordonBut("xn1")
	m.need(m.api.SetNode(m.ctx, "xn1", "uncordon"))
	m.need(m.api.Release(m.ctx, id))
	m.awaitOn(id, "xn1")
	m.awaitCount(id, 0, m.counted(id, 0)+1, ended)
	if j := m.job(id); j.Tasks[0].Run != 1 || j.Tasks[0].Losses != 0 {
		t.Errorf("want run 1: %s", show(j))
	}
}

// beginOn submits a job that counts, and returns once it has begun on the node. It may go elsewhere then.
func (m mixed) beginOn(node string, spec api.JobSpec) string {
	m.t.Helper()
	m.cordonBut(node)
	id := m.submitOne(spec)
	m.awaitCount(id, 0, 1, 2*ended)
	m.uncordon()
	return id
}

// awaitOn returns when the job's first task runs on the node.
func (m mixed) awaitOn(id, node string) {
	m.t.Helper()
	m.awaitThat(id, "running on "+node, 2*ended, func(j api.Job) bool {
		return j.Tasks[0].State == "running" && j.Tasks[0].Node == node
	})
}

func TestMixedKilledDaemonsOfXenDisturbNoTask(t *testing.T) {
	m := beginMixed(t)
	id := m.counter("300m", "xn1")

	m.ok(m.killXen("xn1", "monitor"))
	m.awaitNode("xn1", "unreachable", ended)
	m.ok(m.spawnXen("xn1", "monitor"))
	m.awaitNode("xn1", "ready", ended)
	m.undisturbed(id)

	m.ok(m.killXen("xn1", "libvirtd"))
	m.awaitNode("xn1", "stalled", ended)
	m.ok(m.startLibvirtdXen("xn1"))
	m.awaitNode("xn1", "ready", ended)
	m.undisturbed(id)

	m.ok(m.killXen("xn1", "fence"))
	m.awaitFence("xn1", false)
	m.ok(m.spawnXen("xn1", "fence"))
	m.awaitFence("xn1", true)
	m.undisturbed(id)
}

func TestMixedDom0ThatIsCutOffIsFencedBeforeItsTaskStartsElsewhere(t *testing.T) {
	m := beginMixed(t)
	id := m.beginOn("xn1", on(counting(endless, "300m"), xenNodes...))
	away := "ip route add blackhole " + m.env["GATEWAY"] + "/32"
	_, err := m.dom0("xn1", away)
	m.ok(err)
	t.Cleanup(func() { _, _ = m.dom0("xn1", strings.Replace(away, "add", "del", 1)) })
	m.awaitRun(id, 2, 3*ended)
	left := len(m.written(id, 0, 1))
	list, err := m.dom0("xn1", "xl list | grep aliquot-")
	m.ok(err)
	if state := strings.Fields(list)[4]; !strings.Contains(state, "p") {
		t.Errorf("its VM is not paused where it was: %s", list)
	}
	m.wantFenced(id, "xn1", 1)
	m.writesOn(id, 2)

	_, err = m.dom0("xn1", strings.Replace(away, "add", "del", 1))
	m.ok(err)
	m.awaitNode("xn1", "ready", 2*ended)
	m.eventually("the VM of the lost run is destroyed", ended, func() error {
		if list, err := m.dom0("xn1", "xl list | grep aliquot- || true"); err != nil || list != "" {
			return fmt.Errorf("there is %s, %v", list, err)
		}
		return nil
	})
	if now := len(m.written(id, 0, 1)); now != left {
		t.Errorf("run 1 had written %d lines when its node was given up, and %d when that was back", left, now)
	}
	if task := m.job(id).Tasks[0]; task.Run != 2 || task.Losses != 1 || task.Node != "xn2" {
		t.Errorf("want run 2 on xn2 after one loss: %+v", task)
	}
}
