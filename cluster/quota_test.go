package cluster

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// job returns a specification of the owner in the project.
func jobOf(owner, project string, tasks int) *Spec {
	s := *specimen()
	s.Owner, s.Project, s.Tasks = owner, project, tasks
	return &s
}

// office is a desk with an image.
func office(t *testing.T) desk {
	d := newDesk(t)
	d.ok("", PutImage{Image{Name: "busybox", Digest: testImage[len("busybox@sha256:"):], Kind: "kernel", Size: 1}})
	return d
}

func (d desk) refused(a Action, words string) {
	d.Helper()
	if r := d.do("", a); codeOf(r) != CodeQuota || !strings.Contains(r.Rejection.Detail, words) {
		d.Errorf("%+v, want %s", r.Rejection, words)
	}
}

func TestAQuotaRefusesWithItsNumbers(t *testing.T) {
	for _, c := range []struct {
		most  Use
		words string
	}{
		{Use{Jobs: 2}, "the quota of project render is 2 jobs; its unfinished jobs take 2 jobs, and this one asks for 1 job"},
		{Use{Tasks: 7}, " is 7 tasks; its unfinished jobs take 6 tasks, and this one asks for 3 tasks"},
		{Use{CPU: 8000}, " is 8000m of CPU; its unfinished jobs take 6000m of CPU, and this one asks for 3000m of CPU"},
		{Use{Memory: 512 * MiB}, "take 384 MiB of memory, and this one asks for 192 MiB of memory"},
		{Use{Logs: 80 * MiB}, "take 60 MiB of kept output, and this one asks for 30 MiB of kept output"},
		{Use{Text: 300}, "of specifications, and this one asks for"},
	} {
		d := office(t)
		d.ok("", SetQuota{Quota{Project: "render", Most: c.most}})
		first := d.ok("", Submit{Spec: jobOf("alice", "render", 3)}).Job
		d.ok("", Submit{Spec: jobOf("bob", "render", 3)})
		d.refused(Submit{Spec: jobOf("alice", "render", 3)}, c.words)
		d.ok("", Submit{Spec: jobOf("alice", "other", 3)})
		d.ok("", Cancel{Job: first})
		d.ok("", Submit{Spec: jobOf("carol", "render", 3)})
		d.checked()
	}
}

func TestAnOwnersQuotaHoldsInAllProjects(t *testing.T) {
	d := office(t)
	d.ok("", SetQuota{Quota{Owner: Every, Most: Use{Jobs: 1}}})
	d.ok("", SetQuota{Quota{Owner: "alice", Most: Use{Jobs: 2}}})
	d.ok("", Submit{Spec: jobOf("alice", "a", 1)})
	d.ok("", Submit{Spec: jobOf("alice", "b", 1)})
	d.refused(Submit{Spec: jobOf("alice", "c", 1)}, "the quota of owner alice is 2 jobs;")
	d.ok("", Submit{Spec: jobOf("bob", "a", 1)})
	d.refused(Submit{Spec: jobOf("bob", "a", 1)}, "the quota of owner bob is 1 job;")
	d.ok("", SetQuota{Quota{Owner: Every}})
	d.ok("", Submit{Spec: jobOf("bob", "a", 1)})
}

func TestQuotasAreSetAndRemoved(t *testing.T) {
	d := office(t)
	d.ok("", Submit{Spec: jobOf("alice", "render", 1)})
	d.ok("", SetQuota{Quota{Project: "render", Most: Use{Jobs: 5}}})
	d.ok("", SetQuota{Quota{Project: "empty", Most: Use{Tasks: 5}}})
	d.ok("", SetQuota{Quota{Project: "empty"}})
	want := []Quota{{Project: "render", Most: Use{Jobs: 5}}, {Owner: "alice"}}
	if diff := cmp.Diff(want, d.Quotas()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, bad := range []Quota{{}, {Project: "a", Owner: "b"}, {Project: "a", Most: Use{Jobs: -1}},
		{Owner: "a", Weight: -1}, {Owner: "a", Weight: MaxWeight + 1},
		{Project: strings.Repeat("x", MaxName+1), Most: Use{Jobs: 1}}} {
		if r := d.do("", SetQuota{bad}); codeOf(r) != CodeInvalid {
			t.Errorf("%+v: %+v", bad, r)
		}
	}
	operator := Command{Actor: Actor{Name: "o", Role: Operator}, Action: SetQuota{Quota{Project: "a", Most: Use{Jobs: 1}}}}
	if r := d.Apply(d.Revision+1, operator); codeOf(r) != CodeForbidden {
		t.Errorf("an operator: %+v", r)
	}
	d.Format = hasQuotas - 1
	if r := d.do("", SetQuota{Quota{Project: "a", Most: Use{Jobs: 1}}}); codeOf(r) != CodeConflict {
		t.Errorf("below its format: %+v", r)
	}
}

func TestTheWeightOfAnOwnerInAProjectIsTheProductOfBoth(t *testing.T) {
	d := office(t)
	d.ok("", SetQuota{Quota{Owner: "alice", Weight: 300}})
	d.ok("", SetQuota{Quota{Project: Every, Weight: 50}})
	d.ok("", SetQuota{Quota{Project: "render", Most: Use{Jobs: 5}}})
	for _, c := range []struct {
		project, owner string
		want           int
	}{{"render", "bob", 100 * 100}, {"render", "alice", 100 * 300}, {"a", "bob", 50 * 100}, {"a", "alice", 50 * 300}} {
		if got := d.View(0).Weight(c.project, c.owner); got != c.want {
			t.Errorf("%s in %s weighs %d, want %d", c.owner, c.project, got, c.want)
		}
	}
	d.checked()
}

func TestAllJobsTogetherHaveALimit(t *testing.T) {
	d := office(t)
	for range maxLiveTasks / MaxTasks {
		d.ok("", Submit{Spec: jobOf("alice", "a", MaxTasks)})
	}
	d.refused(Submit{Spec: jobOf("bob", "b", 1)}, "the quota of the cluster is 1000000 tasks;")
}

func TestTheHistoryIsLimitedByTasksAndText(t *testing.T) {
	d := office(t)
	large := jobOf("alice", "a", MaxTasks)
	var last JobID
	for range maxPastTasks/MaxTasks + 2 {
		last = d.ok("", Submit{Spec: large}).Job
		d.ok("", Cancel{Job: last})
	}
	if _, n, _ := d.Counts(); n != maxPastTasks/MaxTasks {
		t.Errorf("%d jobs are remembered", n)
	}
	if d.Ended(last) == nil || d.Ended(1) != nil {
		t.Error("not the oldest are forgotten")
	}
	d.checked()
}
