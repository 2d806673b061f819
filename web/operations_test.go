package web_test

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"aliquot/cluster"
	"aliquot/web"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

func TestDescriptionIsTheSameEveryTimeAndAsCommitted(t *testing.T) {
	first, err := web.OpenAPI("test")
	if err != nil {
		t.Fatal(err)
	}
	second, err := web.OpenAPI("test")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, second) {
		t.Error("two descriptions of the same program differ")
	}
	golden(t, "openapi.json", indented(t, string(first)))
	s := newSite(t)
	if served := s.want(200, "GET", "/v1/openapi.json", "", "").text; served != string(first) {
		t.Error("the served description is another one")
	}
}

func TestEveryOperationButHealthVersionAndLoginNeedsAToken(t *testing.T) {
	text, err := web.OpenAPI("test")
	if err != nil {
		t.Fatal(err)
	}
	var description struct {
		OpenAPI string
		Paths   map[string]map[string]struct{ Security []map[string][]string }
	}
	if err := json.Unmarshal(text, &description); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(description.OpenAPI, "3.1") {
		t.Errorf("OpenAPI %s", description.OpenAPI)
	}
	s := newSite(t)
	for path, methods := range description.Paths {
		concrete := regexp.MustCompile(`\{[a-z]+\}`).ReplaceAllString(path, "j1")
		for method, op := range methods {
			open := path == "/v1/health" || path == "/v1/version" || path == "/v1/session" && method == "post"
			if anybody := len(op.Security) == 1 && len(op.Security[0]) == 0; anybody != open {
				t.Errorf("%s %s is described with security %v", method, path, op.Security)
			}
			if r := s.call(strings.ToUpper(method), concrete, "", ""); (r.status != 401) != open {
				t.Errorf("%s %s answers %d without a token", method, path, r.status)
			}
		}
	}
}

func TestGeneratorsOfClientsFindAllThatTheyExpect(t *testing.T) {
	text, err := web.OpenAPI("test")
	if err != nil {
		t.Fatal(err)
	}
	var description struct {
		Servers    []struct{ URL string }
		Info       struct{ License struct{ Identifier string } }
		Components struct{ Responses map[string]any }
		Paths      map[string]map[string]struct {
			Responses map[string]struct {
				Ref string `json:"$ref"`
			}
		}
	}
	if err := json.Unmarshal(text, &description); err != nil {
		t.Fatal(err)
	}
	if len(description.Servers) != 1 || description.Servers[0].URL != "/" {
		t.Errorf("servers: %v", description.Servers)
	}
	if description.Info.License.Identifier == "" {
		t.Error("no license")
	}
	if bytes.Contains(text, []byte("patternDescription")) {
		t.Error("patternDescription is no word of OpenAPI")
	}
	for operation, want := range map[string]string{
		"get /v1/jobs":          "200 401 403 422 429 503 default",
		"get /v1/jobs/{job}":    "200 401 403 404 422 429 503 default",
		"delete /v1/jobs/{job}": "200 401 403 404 409 422 429 503 default",
		"post /v1/session":      "200 401 409 422 429 503 default",
		"get /v1/health":        "200 429 503 default",
	} {
		method, path, _ := strings.Cut(operation, " ")
		if has := strings.Join(slices.Sorted(maps.Keys(description.Paths[path][method].Responses)), " "); has != want {
			t.Errorf("%s answers %s, want %s", operation, has, want)
		}
	}
	for path, methods := range description.Paths {
		for method, op := range methods {
			for _, answer := range op.Responses {
				name, refers := strings.CutPrefix(answer.Ref, "#/components/responses/")
				if refers && description.Components.Responses[name] == nil {
					t.Errorf("%s %s: no response %s", method, path, answer.Ref)
				}
			}
		}
	}
}

func TestDocsRunNoScriptAndNameEveryOperation(t *testing.T) {
	s := newSite(t)
	r := s.want(200, "GET", "/v1/docs", "", "")
	if strings.Contains(r.text, "<script") || strings.Contains(r.text, "src=") ||
		!strings.Contains(r.header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Errorf("the page loads something: %v", r.header)
	}
	for _, id := range []string{"submit-job", "follow-events", "drain-node", "push-image", "JobSpec"} {
		if !strings.Contains(r.text, `id="`+id+`"`) {
			t.Errorf("the page lacks %s", id)
		}
	}
}

func TestNodeIsShownWithAllItsNumbers(t *testing.T) {
	s := newSite(t)
	n1 := s.Join(t, "n1", 2000, 1024*cluster.MiB)
	s.Join(t, "n2", 1000, 512*cluster.MiB)
	id := s.submit(`{"tasks": 2, "cpu": "1", "memory": "64Mi", "command": ["true"]}`)
	s.Run(t, id, 800, n1, n1)
	s.SetUsage(cluster.RunID{Job: id, Index: 0, Number: 1}, 790, 0)
	s.SetUsage(cluster.RunID{Job: id, Index: 1, Number: 1}, 780, 0)
	s.SetHost(n1, web.Host{CPU: 1900, CPUs: 4000, MemoryUsed: 1200 * cluster.MiB, Memory: 2048 * cluster.MiB,
		DiskUsed: 30 * 1024 * cluster.MiB, Disk: 40 * 1024 * cluster.MiB})
	s.Report(t, n1, cluster.Observation{Run: cluster.RunID{Job: 40, Index: 0, Number: 1}, Seen: cluster.SeenStray})
	s.want(200, "POST", "/v1/nodes/n2/drain", webtest.Operator, "")
	golden(t, "nodes.json", indented(t, s.want(200, "GET", "/v1/nodes", webtest.Viewer, "").text))
	golden(t, "strays.json", indented(t, s.want(200, "GET", "/v1/strays", webtest.Viewer, "").text))
	s.want(200, "POST", "/v1/nodes/n1/strays", webtest.Operator, `{"run": "j40/0/1", "action": "destroy"}`)
}

func TestFollowersDoNotGuessUse(t *testing.T) {
	s := newSite(t)
	n1 := s.Join(t, "n1", 2000, 1024*cluster.MiB)
	id := s.submit(small)
	s.Run(t, id, 500, n1)
	s.SetUsage(cluster.RunID{Job: id, Number: 1}, 400, 0)
	s.Following = true
	if text := s.want(200, "GET", "/v1/jobs/j1", webtest.Viewer, "").text; strings.Contains(text, "usedMillicores") {
		t.Error(text)
	}
}

func TestAnInvitationShowsItsTokenOnceAndIsForOperators(t *testing.T) {
	s := newSite(t)
	s.want(403, "POST", "/v1/nodes/n1/invitation", webtest.Alice, `{}`)
	var i api.Invitation
	s.want(201, "POST", "/v1/nodes/n1/invitation", webtest.Operator, `{"for": "10m"}`, "Idempotency-Key: k").into(t, &i)
	n := s.Latest().NodeNamed("n1")
	if i.Token != webtest.JoinToken || n.Invitation == nil || n.Invitation.Hash != web.HashSecret(i.Token) ||
		!i.Expires.Equal(time.UnixMicro(int64(n.Invitation.Expires))) {
		t.Errorf("%+v became %+v", i, n.Invitation)
	}
	s.want(409, "POST", "/v1/nodes/n1/invitation", webtest.Operator, `{"for": "10m"}`, "Idempotency-Key: k")
	s.want(403, "GET", "/v1/invitations", webtest.Alice, "")
	var open api.InvitationList
	list := s.want(200, "GET", "/v1/invitations", webtest.Operator, "")
	list.into(t, &open)
	if len(open.Invitations) != 1 || open.Invitations[0].Node != "n1" || strings.Contains(list.text, i.Token) {
		t.Errorf("open: %s", list.text)
	}
	s.want(422, "POST", "/v1/nodes/n1/invitation", webtest.Operator, `{"for": "200h"}`)
	if list := s.want(200, "GET", "/v1/nodes", webtest.Viewer, "").text; strings.Contains(list, "n1") {
		t.Errorf("a node that has not joined is listed: %s", list)
	}
	s.want(404, "POST", "/v1/nodes/n1/drain", webtest.Operator, "")
	s.want(200, "DELETE", "/v1/nodes/n1", webtest.Operator, "")
	if n := s.Latest().NodeNamed("n1"); n.Invitation != nil {
		t.Errorf("removing the name leaves %+v", n.Invitation)
	}
}

func TestARemovedNodeIsGone(t *testing.T) {
	s := newSite(t)
	n1 := s.Join(t, "n1", 2000, 1024*cluster.MiB)
	s.Join(t, "n2", 2000, 1024*cluster.MiB)
	id := s.submit(small)
	s.Run(t, id, 500, n1)
	s.want(403, "DELETE", "/v1/nodes/n1", webtest.Alice, "")
	s.want(404, "DELETE", "/v1/nodes/n3", webtest.Operator, "")
	s.want(409, "DELETE", "/v1/nodes/n1", webtest.Operator, "")
	s.want(200, "DELETE", "/v1/nodes/n1?force=true", webtest.Operator, "")
	s.want(200, "GET", "/v1/nodes/n1", webtest.Viewer, "")
	s.want(200, "DELETE", "/v1/nodes/n2", webtest.Operator, "")
	s.want(404, "GET", "/v1/nodes/n2", webtest.Viewer, "")
	for _, path := range []string{"/v1/nodes", "/v1/map", "/v1/overview"} {
		if text := s.want(200, "GET", path, webtest.Viewer, "").text; strings.Contains(text, `"n2"`) {
			t.Errorf("%s still shows it: %s", path, text)
		}
	}
}

func TestNodeWishesReachTheState(t *testing.T) {
	s := newSite(t)
	s.Join(t, "n1", 2000, 1024*cluster.MiB)
	for _, step := range []struct{ wish, state string }{
		{"cordon", "cordoned"}, {"uncordon", "ready"}, {"drain", "drained"}, {"uncordon", "ready"},
	} {
		s.want(200, "POST", "/v1/nodes/n1/"+step.wish, webtest.Operator, "")
		var n api.Node
		s.want(200, "GET", "/v1/nodes/n1", webtest.Viewer, "").into(t, &n)
		if n.State != step.state {
			t.Errorf("after %s the node is %s, want %s", step.wish, n.State, step.state)
		}
	}
}

func TestNodeThatHasNotReportedSinceItCameBackIsReturning(t *testing.T) {
	s := newSite(t)
	id := s.Join(t, "n1", 2000, 1024*cluster.MiB)
	s.Must(t, cluster.SetHealth{Node: id, Health: cluster.Silent})
	s.Must(t, cluster.SetHealth{Node: id, Health: cluster.Ready})
	stands := func(want string) {
		t.Helper()
		var n api.Node
		if s.want(200, "GET", "/v1/nodes/n1", webtest.Viewer, "").into(t, &n); n.State != want {
			t.Errorf("the node is %s, want %s", n.State, want)
		}
	}
	stands("returning")
	s.Must(t, cluster.Report{Node: id, FenceAlive: true, StoreProven: true, Joined: s.Latest().Revision})
	stands("ready")
}

func TestHistoryIsPagedFromTheNewest(t *testing.T) {
	s := newSite(t)
	s.Join(t, "n1", 2000, 1024*cluster.MiB)
	s.submit(small)
	s.want(200, "DELETE", "/v1/jobs/j1?cause=typo", webtest.Alice, "")
	var kinds []string
	for cursor := ""; ; {
		var page api.EventPage
		s.want(200, "GET", "/v1/history?limit=2&kind=job_*,node_*&cursor="+cursor, webtest.Viewer, "").into(t, &page)
		for _, e := range page.Events {
			kinds = append(kinds, e.Kind)
		}
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	if got, want := strings.Join(kinds, " "), "job_ended job_ending job_submitted node_joined"; got != want {
		t.Errorf("history %s, want %s", got, want)
	}
}

func TestAFilterThatMatchesLittleGoesOnOverEmptyPages(t *testing.T) {
	s := newSite(t)
	s.PageEvents = 2
	s.Join(t, "n1", 2000, 1024*cluster.MiB)
	for range 4 {
		s.submit(small)
	}
	empty, found := 0, 0
	for cursor := ""; ; {
		var page api.EventPage
		s.want(200, "GET", "/v1/history?kind=node_joined&cursor="+cursor, webtest.Viewer, "").into(t, &page)
		found += len(page.Events)
		if cursor = page.Next; cursor == "" {
			break
		}
		if len(page.Events) == 0 {
			empty++
		}
	}
	if found != 1 || empty == 0 {
		t.Errorf("%d events after %d empty pages", found, empty)
	}
	text := s.want(200, "GET", "/v1/history/export?kind=node_joined", webtest.Viewer, "").text
	if strings.Count(text, "\n") != 1 {
		t.Errorf("the export ends early or late: %q", text)
	}
}

func TestPolicyIsReadAndSet(t *testing.T) {
	s := newSite(t)
	s.want(200, "PUT", "/v1/policy", webtest.Admin, `{"name": "FCFS"}`)
	if got := strings.TrimSpace(s.want(200, "GET", "/v1/policy", webtest.Viewer,
		"").text); got != `{"name":"FCFS","period":"10m"}` {
		t.Errorf("the period left out was not kept: %s", got)
	}
	s.want(200, "PUT", "/v1/policy", webtest.Admin, `{"name": "FCFS", "period": "15s"}`)
	if got := s.Latest().Policy; got != (cluster.PolicyChoice{Name: "FCFS", Period: 15 * cluster.Second}) {
		t.Errorf("policy %v", got)
	}
}

func TestTheTimeIsSet(t *testing.T) {
	s := newSite(t)
	to := time.UnixMicro(int64(webtest.Start - cluster.Hour)).UTC()
	s.want(200, "PUT", "/v1/time", webtest.Admin, `{"time": "`+to.Format(time.RFC3339Nano)+`"}`)
	if got := s.Latest().State.Now; got != webtest.Start-cluster.Hour {
		t.Errorf("it is %v s after what was asked for", (got - webtest.Start + cluster.Hour).Seconds())
	}
}

// archive returns a tar archive of name, content, name, content…
func archive(t testing.TB, parts ...string) string {
	t.Helper()
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	for i := 0; i < len(parts); i += 2 {
		header := &tar.Header{Name: parts[i], Size: int64(len(parts[i+1])), Mode: 0o644, Typeflag: tar.TypeReg}
		if err := w.WriteHeader(header); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(parts[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

func TestImageIsPushedUsedAndRemoved(t *testing.T) {
	s := newSite(t)
	push := archive(t, "./kernel", "vmlinuz", "initrd", "cpio", "cmdline", "quiet")
	var image api.Image
	s.want(201, "POST", "/v1/images?name=mine", webtest.Operator, push, "Content-Type: application/x-tar").into(t, &image)
	if image.SizeBytes != 16 || image.Cmdline != "quiet" || image.Reference != "mine@sha256:"+image.Digest {
		t.Errorf("pushed %+v", image)
	}
	var list api.ImageList
	s.want(200, "GET", "/v1/images", webtest.Viewer, "").into(t, &list)
	if len(list.Images) != 2 || list.Images[1].Digest != image.Digest {
		t.Errorf("listed %+v", list)
	}
	s.submit(`{"cpu": "1", "memory": "64Mi", "command": ["true"], "image": "mine"}`)
	s.want(409, "DELETE", "/v1/images/"+image.Digest, webtest.Operator, "")
	s.want(200, "DELETE", "/v1/jobs/j1", webtest.Alice, "")
	s.want(200, "DELETE", "/v1/images/sha256:"+image.Digest, webtest.Operator, "")
}

func TestRemovalOfAnImageByItsNameIsDoneOnce(t *testing.T) {
	s := newSite(t)
	const path, key = "/v1/images/mine", "Idempotency-Key: r1"
	push := archive(t, "kernel", "vmlinuz", "initrd", "cpio")
	s.want(201, "POST", "/v1/images?name=mine", webtest.Operator, push, "Content-Type: application/x-tar")
	var first, again api.Accepted
	s.want(200, "DELETE", path, webtest.Operator, "", key).into(t, &first)
	s.want(200, "DELETE", path, webtest.Operator, "", key).into(t, &again)
	if first.Repeated || !again.Repeated || again.Revision != first.Revision {
		t.Errorf("removed in %+v, again in %+v", first, again)
	}
	s.want(404, "DELETE", path, webtest.Operator, "", "Idempotency-Key: r2")
}

func TestTheBuiltInImageIsNotRemoved(t *testing.T) {
	s := newSite(t)
	if r := s.want(409, "DELETE", "/v1/images/busybox", webtest.Admin, ""); !strings.Contains(r.text, "name another one") {
		t.Error(r.text)
	}
	s.submit(`{"cpu": "1", "memory": "64Mi", "command": ["true"]}`)
}

func TestImagesThatAreNoneAreRefused(t *testing.T) {
	s := newSite(t)
	whole := archive(t, "kernel", "vmlinuz", "initrd", "cpio")
	for what, body := range map[string]string{
		"kernel":                         archive(t, "initrd", "cpio"),
		"contains kernel twice":          archive(t, "kernel", "a", "kernel", "b"),
		"contain only the regular files": archive(t, "kernel", "a", "initrd", "b", "../../etc/passwd", "c"),
		"at most 2048": archive(t, "kernel", "a", "initrd", "b", "cmdline",
			strings.Repeat("x", 3000)),
		"complete tar archive":                   whole[:515],
		"the body is not a complete tar archive": strings.Repeat("x", 1024),
	} {
		r := s.call("POST", "/v1/images?name=bad", webtest.Operator, body, "Content-Type: application/x-tar")
		if r.status < 400 || r.status >= 500 || !strings.Contains(r.text, what) {
			t.Errorf("%s: answered %d %s", what, r.status, r.text)
		}
	}
	if n := strings.Count(s.want(200, "GET", "/v1/images", webtest.Viewer, "").text, "reference"); n != 1 {
		t.Errorf("%d images, want the built-in one alone", n)
	}
}

func TestTokenIsShownOnceUsedAndRevoked(t *testing.T) {
	s := newSite(t)
	var created api.CreatedToken
	s.want(201, "POST", "/v1/tokens", webtest.Admin,
		`{"name": "ci", "role": "user", "project": "build", "expires": "24h"}`).into(t, &created)
	if created.Owner != "ci" || created.Expires == nil || time.Until(*created.Expires) > 24*time.Hour {
		t.Errorf("created %+v", created)
	}
	var me api.Token
	s.want(200, "GET", "/v1/whoami", created.Secret, "").into(t, &me)
	if me.Name != "ci" || me.Role != "user" || me.Project != "build" {
		t.Errorf("who am I: %+v", me)
	}
	if list := s.want(200, "GET", "/v1/tokens", webtest.Admin, "").text; strings.Contains(list, created.Secret) ||
		!strings.Contains(list, created.ID) {
		t.Errorf("list: %s", list)
	}
	s.want(200, "DELETE", "/v1/tokens/"+created.ID, webtest.Admin, "")
	s.want(401, "GET", "/v1/whoami", created.Secret, "")
}

func TestTheLastTokenOfAnAdminIsNotRevoked(t *testing.T) {
	s := newSite(t)
	former := cluster.Actor{Name: "former", Owner: "former", Project: "default", Role: cluster.Admin}
	s.Must(t, cluster.PutToken{Token: cluster.Token{ID: "t-expired", Name: "former", Actor: former,
		Expires: cluster.Second}})
	s.Must(t, cluster.PutToken{Token: cluster.Token{ID: "t-revoked", Name: "former", Actor: former}})
	s.want(200, "DELETE", "/v1/tokens/t-revoked", webtest.Admin, "")
	s.want(409, "DELETE", "/v1/tokens/t-admin", webtest.Admin, "")
	var next api.CreatedToken
	s.want(201, "POST", "/v1/tokens", webtest.Admin, `{"name": "next", "role": "admin"}`).into(t, &next)
	s.want(200, "DELETE", "/v1/tokens/t-admin", webtest.Admin, "")
	s.want(409, "DELETE", "/v1/tokens/"+next.ID, next.Secret, "")
}

func TestLostSecretIsNotShownToARepeatedRequest(t *testing.T) {
	s := newSite(t)
	body := `{"name": "ci", "role": "user"}`
	s.want(201, "POST", "/v1/tokens", webtest.Admin, body, "Idempotency-Key: k")
	if r := s.want(409, "POST", "/v1/tokens", webtest.Admin, body, "Idempotency-Key: k"); strings.Contains(r.text,
		"alq_") {
		t.Error(r.text)
	}
}

func TestADrainingNodeCountsTheVMsThatAreStillOnIt(t *testing.T) {
	s := newSite(t)
	n1, n2 := s.Join(t, "n1", 2000, 1024*cluster.MiB), s.Join(t, "n2", 2000, 1024*cluster.MiB)
	id := s.submit(small)
	s.Run(t, id, 500, n1)
	charge := int64(s.Latest().Charge(s.Latest().Job(id).Spec))
	s.want(200, "POST", "/v1/nodes/n1/drain", webtest.Operator, "")
	s.Place(t, id, 500, n2)
	for path, want := range map[string]string{"/v1/nodes/n1": "draining", "/v1/nodes/n2": "ready"} {
		var n api.Node
		s.want(200, "GET", path, webtest.Viewer, "").into(t, &n)
		if n.State != want || n.Tasks != 1 || n.MemoryReservedBytes != charge {
			t.Errorf("%s is %s with %d tasks and %d bytes", n.Name, n.State, n.Tasks, n.MemoryReservedBytes)
		}
	}
}

func TestProgressIsShownAsItIsObserved(t *testing.T) {
	s := newSite(t)
	n1 := s.Join(t, "n1", 2000, 1024*cluster.MiB)
	id := s.submit(small)
	s.Run(t, id, 400, n1)
	work := func(ran, waited cluster.Time) {
		s.Report(t, n1, cluster.Observation{
			Run: cluster.RunID{Job: id, Number: 1}, Seen: cluster.SeenRunning, Cap: 400, Tiered: true,
			Work: &cluster.Work{Ran: ran * cluster.Second, Waited: waited * cluster.Second},
		})
		s.Advance(cluster.Minute)
	}
	work(1, 0)
	work(11, 30)
	text := s.want(200, "GET", "/v1/jobs/"+id.String(), webtest.Viewer, "").text
	for _, part := range []string{`"progressRate":0.2,`, `"progressSource":"observed"`} {
		if !strings.Contains(text, part) {
			t.Errorf("no %s in %s", part, text)
		}
	}
	s.wantMetrics(`aliquot_node_work_seconds{node="n1",what="ran"} 11`,
		`aliquot_node_work_seconds{node="n1",what="waited"} 30`)
}

func TestDebugViewIsTheWholeStateWithoutItsSecrets(t *testing.T) {
	s := newSite(t)
	s.submit(`{"cpu": "500m", "memory": "64Mi", "command": ["hunter1"],
		"args": ["hunter3"], "env": {"KEY": "hunter2"}, "labels": {"team": "hunter4"},
		"files": {"a.py": "hunter5"}}`)
	r := s.want(200, "GET", "/v1/debug/view", webtest.Admin, "")
	state, err := cluster.Decode(strings.NewReader(r.text))
	if err != nil {
		t.Fatal(err)
	}
	if state.Revision != s.Latest().Revision || state.Job(1) == nil {
		t.Errorf("decoded revision %d", state.Revision)
	}
	hash := web.HashSecret(webtest.Admin)
	if strings.Contains(r.text, "hunter") || strings.Contains(r.text, string(hash[:])) {
		t.Error("it holds a text that a user wrote for the job alone, or a token's hash")
	}
	if env := s.Latest().Job(1).Spec.Env; env[0].Value != "hunter2" {
		t.Errorf("redacting has changed the state: %v", env)
	}
}

func TestAnswersAreNeitherSniffedNorCachedNorFramed(t *testing.T) {
	r := newSite(t).want(200, "GET", "/v1/version", "", "")
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store",
		"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'", "Strict-Transport-Security": "",
	} {
		if got := r.header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
