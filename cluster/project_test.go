package cluster

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// in returns a job of one task in a project, for the second hour.
func (w *promised) in(owner, project string, need CPU) *Spec {
	spec := w.spec(1, need, &Reservation{Hour, Hour})
	spec.Owner, spec.Project = owner, project
	return spec
}

// halved is a cluster of two cores, of which ann and bob, both in the project p, are promised one for the second hour.
func halved(t *testing.T) *promised {
	w := priced(t)
	w.submit(w.in("ann", "p", 500))
	w.submit(w.in("bob", "p", 500))
	return w
}

func TestAllOwnersOfAProjectTogetherArePromisedHalfOfTheNodes(t *testing.T) {
	w := halved(t)
	r := w.unable(w.in("cid", "p", 250), 0)
	if r.Code != CodeNoPromise || !strings.Contains(r.Detail,
		"without a quota project p may be promised half of the nodes at a time, 1000m of CPU and 16 GiB, "+
			"has 1000m and 32 MiB of it already, which leaves room for 0 of 1") ||
		len(r.Alternatives) == 0 || r.Alternatives[0].Start < 2*Hour {
		t.Errorf("%v: %+v", r, r.Alternatives)
	}
	due := w.in("cid", "p", 250)
	due.Reserve, due.Deadline = nil, &Deadline{Ready: Hour, By: 2 * Hour, Lasts: 50 * Minute}
	if r := w.unable(due, 0); !strings.Contains(r.Detail, "project p") {
		t.Errorf("a deadline: %v", r)
	}
	w.submit(w.in("cid", "q", 250))
	later := w.in("cid", "p", 250)
	later.Reserve.Start = 3 * Hour
	w.submit(later)
}

func TestAnExtensionStaysWithinHalfOfTheNodesForItsProject(t *testing.T) {
	w := halved(t)
	early := w.in("cid", "p", 250)
	early.Reserve.Start = 30 * Minute
	early.Reserve.Lasts = 25 * Minute
	id := w.submit(early)
	if r := w.try(root, Reschedule{id, Hour}); r == nil || !strings.Contains(r.Detail, "project p may be promised half") {
		t.Errorf("%v", r)
	}
}

func TestAQuotaOfTheProjectOrNoProjectLiftsItsHalf(t *testing.T) {
	enough := Use{CPU: 100 * Core, Memory: 1 << 40}
	for name, quota := range map[string]Quota{"its own": {Project: "p", Most: enough},
		"of each project": {Project: Every, Most: enough}} {
		w := halved(t)
		w.do(SetQuota{quota})
		if r := w.try(root, Submit{Spec: w.in("cid", "p", 250)}); r != nil {
			t.Errorf("%s: %v", name, r)
		}
	}
	for _, project := range []string{DefaultProject, ""} {
		w := priced(t)
		for _, owner := range []string{"ann", "bob", "cid", "dan"} {
			w.submit(w.in(owner, project, 500))
		}
	}
}

func TestAQuotaOfCPUAloneLeavesTheHalfOfMemory(t *testing.T) {
	w := priced(t)
	w.do(SetQuota{Quota{Project: "p", Most: Use{CPU: 100 * Core}}})
	large := func(owner string) *Spec {
		spec := w.in(owner, "p", 700)
		spec.Requirement.Memory = 9 << 30
		return spec
	}
	w.submit(large("ann"))
	if r := w.unable(large("bob"), 0); !strings.Contains(r.Detail, "project p may be promised half") {
		t.Error(r)
	}
}

func TestBelowItsFormatProjectsAreNotHalved(t *testing.T) {
	w := halved(t)
	w.s.Format = limits - 1
	w.submit(w.in("cid", "p", 250))
}

// Law: whoever asks, and for whatever, no project is promised and offered more than half at any time, as long as the
// nodes stay.
func TestNoProjectIsEverPromisedMoreThanHalf(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		w := priced(t)
		w.node("c", 1000)
		for range rapid.IntRange(1, 12).Draw(r, "jobs") {
			spec := w.in(rapid.SampledFrom([]string{"ann", "bob", "cid"}).Draw(r, "owner"),
				rapid.SampledFrom([]string{"p", "q"}).Draw(r, "project"), CPU(rapid.IntRange(100, 1000).Draw(r, "need")))
			spec.Reserve.Start += Time(rapid.IntRange(0, 4).Draw(r, "start")) * 20 * Minute
			if rapid.Bool().Draw(r, "deadline") {
				spec.Deadline = &Deadline{Ready: spec.Reserve.Start, By: spec.Reserve.end() + 5*Minute, Lasts: 30 * Minute}
				spec.Reserve = nil
			}
			w.try(root, Submit{spec, Minute})
			if rapid.Bool().Draw(r, "extend") {
				w.try(root, Reschedule{w.s.NextJob - 1, 10 * Minute})
			}
			for _, project := range []string{"p", "q"} {
				b := w.s.promisedBookings().beside(&Spec{})
				if most := peak(b.shared(project), 0, maxReserved); most.CPU > w.s.up().half().CPU {
					r.Fatalf("%s has %v", project, most.CPU)
				}
			}
		}
		if err := w.s.Check(); err != nil {
			r.Error(err)
		}
	})
}
