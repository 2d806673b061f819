package main

import (
	"strings"
	"testing"

	"aliquot/client"
	"aliquot/cluster"
	"aliquot/scheduler"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

func TestATokenThatMayNotIsRefusedBeforeTheEffectIsShown(t *testing.T) {
	d := busy(t)
	d.PlanFunc = func(scheduler.Hypothesis) (scheduler.Preview, error) {
		v := d.Latest()
		return scheduler.Preview{Basis: v.Revision, Before: v, After: v}, nil
	}
	refused := func(token, line, why string) {
		t.Helper()
		d.env["ALIQUOT_TOKEN"] = token
		o := d.answer("y", line)
		if o.code != exitFailed || o.out != "" || o.err != "aliquot: "+why+" (forbidden)\n"+api.HelpForbidden+"\n" {
			t.Errorf("%s: %+v", line, o)
		}
	}
	const mayNotSet, mayNotApply = "; setting the policy needs admin", "; carrying out a plan needs operator"
	refused(webtest.Alice, "policy set fcfs", `the token "alice" has the role user`+mayNotSet)
	refused(webtest.Operator, "policy set fcfs --yes", `the token "operator" has the role operator`+mayNotSet)
	refused(webtest.Operator, "plan policy fcfs --apply", `the token "operator" has the role operator`+mayNotSet)
	refused(webtest.Alice, "plan drain n1 --apply", `the token "alice" has the role user`+mayNotApply)
	refused(webtest.Viewer, "plan --apply", `the token "viewer" has the role viewer`+mayNotApply)
	d.env["ALIQUOT_TOKEN"] = webtest.Admin
	for operation, tried := range map[string]int{"set-policy": 2, "apply-plan": 3} {
		if log := d.ok("audit --outcome refused --operation " + operation); strings.Count(log, "forbidden") != tried {
			t.Errorf("the audit log does not have that %s was tried %d times:\n%s", operation, tried, log)
		}
	}
	if log := d.ok("audit --outcome refused --operation apply-plan --limit 9"); !strings.Contains(log, " FCFS ") {
		t.Errorf("the audit log does not name the policy of a plan:\n%s", log)
	}
	d.env["ALIQUOT_TOKEN"] = webtest.Alice
	if out := d.ok("plan drain n1"); !strings.Contains(out, "No VM would change.") {
		t.Errorf("a user is shown %s", out)
	}
	if v := d.Latest(); v.Policy.Name == "FCFS" || v.Node(cluster.NodeID(1)).Draining {
		t.Errorf("something was done: %+v", v.Policy)
	}
}

func TestARoleThatTheManagerAllowsIsNotRefused(t *testing.T) {
	d := busy(t)
	if o := d.run("policy set FCFS --period 0s --yes"); o.code != exitFailed || d.Latest().Policy.Name == "FCFS" {
		t.Errorf("the order that asks whether a token may set the policy is carried out: %+v", o)
	}
	d.env["ALIQUOT_TOKEN"] = webtest.Operator
	_, c := d.connected(t)
	for code, refused := range map[string]bool{"forbidden": true, "invalid": false, "stale_basis": false} {
		err := needsRole(t.Context(), c, settingPolicy, "admin", func() (api.Accepted, error) {
			return api.Accepted{}, &client.Problem{Problem: api.Problem{Code: code}}
		})
		if (err != nil) != refused {
			t.Errorf("after %s: %v", code, err)
		}
	}
}

func TestAForwardThatIsRefusedIsInTheAuditLog(t *testing.T) {
	d := alone(t)
	for token, want := range map[string]string{webtest.Viewer: "j1 0", webtest.Bob: "j1 0 port 80"} {
		d.env["ALIQUOT_TOKEN"] = token
		if o := d.run("job forward j1 0:80"); o.code != exitFailed || !strings.Contains(o.err, "(forbidden)") {
			t.Errorf("%+v", o)
		}
		d.env["ALIQUOT_TOKEN"] = webtest.Admin
		if log := d.ok("audit --outcome refused --operation forward-port"); !strings.Contains(log, " "+want+" ") {
			t.Errorf("no %q in\n%s", want, log)
		}
	}
}

func TestARoleThatIsNotKnownIsLeftToTheManager(t *testing.T) {
	for role, refused := range map[string]bool{"viewer": true, "operator": false, "admin": false, "auditor": false} {
		err := atLeast(&api.Session{TokenName: "t", Role: role}, "a plan", "operator")
		if (err != nil) != refused {
			t.Errorf("%s: %v", role, err)
		}
	}
}
