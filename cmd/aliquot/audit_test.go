package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"aliquot/web"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

func TestTheAuditLogShowsWhoDidOrTriedWhat(t *testing.T) {
	d := newDesk(t)
	d.ok("job submit --cpu 1 --memory 64Mi -- true")
	d.env["ALIQUOT_TOKEN"] = webtest.Viewer
	d.run("job cancel j1")
	if o := d.run("audit"); o.code != exitFailed || !strings.Contains(o.err, "needs admin") {
		t.Errorf("a viewer: %+v", o)
	}
	d.env["ALIQUOT_TOKEN"] = webtest.Admin
	d.Others = []web.Replica{{ID: 2, URL: "http://127.0.0.1:1"}}
	o := d.run("audit --limit 3")
	lines := strings.Split(strings.TrimSpace(o.out), "\n")
	for i, want := range []string{"OPERATION", "list-audit", "cancel-job", "submit-job"} {
		if len(lines) != 4 || !strings.Contains(lines[i], want) {
			t.Errorf("line %d has no %s: %s", i, want, o.out)
		}
	}
	if !strings.Contains(o.err, "the entries of manager 2 are missing") {
		t.Errorf("no warning: %s", o.err)
	}
	var page api.AuditPage
	if err := json.Unmarshal([]byte(d.ok("audit --who admin --operation submit-* --from 1h -o json")), &page); err != nil {
		t.Fatal(err)
	}
	if len(page.Entries) != 1 || page.Entries[0].Object != "j1" || len(page.Silent) != 1 {
		t.Errorf("%+v", page)
	}
	if out := d.ok("audit --to 1h"); strings.Contains(out, "submit-job") {
		t.Errorf("until an hour ago: %s", out)
	}
}

func TestWrongFiltersOfTheAuditLogAreRefused(t *testing.T) {
	d := newDesk(t)
	for line, want := range map[string]int{
		"audit --limit 0":         exitUsage,
		"audit --from yesterday":  exitUsage,
		"audit --from -1h":        exitUsage,
		"audit --to 1h -f":        exitUsage,
		"audit --outcome maybe":   exitFailed,
		"audit --operation [":     exitFailed,
		"session end":             exitUsage,
		"session end x --token y": exitUsage,
		"session end nobody":      exitFailed,
	} {
		if o := d.run(line); o.code != want || o.err == "" {
			t.Errorf("aliquot %s: exit code %d, want %d: %s", line, o.code, want, o.err)
		}
	}
}

func TestTheAuditLogCanBeFollowed(t *testing.T) {
	d := newDesk(t)
	d.ok("quota set --project before --jobs 1")
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	out, in := io.Pipe()
	a := &app{out: in, err: io.Discard, env: func(name string) (string, bool) {
		value, ok := d.env[name]
		return value, ok
	}}
	ended := make(chan int)
	go func() { ended <- a.run(ctx, []string{"audit", "-f", "-o", "json", "--operation", "set-quota"}) }()
	go func() {
		for ctx.Err() == nil {
			d.run("quota set --project after --jobs 1")
			time.Sleep(100 * time.Millisecond)
		}
	}()
	var e api.AuditEntry
	if err := json.NewDecoder(out).Decode(&e); err != nil || e.Object != "after" {
		t.Errorf("%+v, %v", e, err)
	}
	cancel()
	out.Close()
	if code := <-ended; code != exitStopped && code != exitFailed {
		t.Errorf("exit code %d", code)
	}
}

// browse logs a browser in with a token and returns a function that asks for the jobs in its session.
func (d *desk) browse(token string) func() int {
	d.Helper()
	ask := func(method, path, body, cookie string) *http.Response {
		d.Helper()
		request := httptest.NewRequest(method, d.env["ALIQUOT_MANAGERS"]+path, bytes.NewBufferString(body))
		request.RequestURI = ""
		for name, value := range map[string]string{
			"Aliquot-Console": "1", "Content-Type": "application/json", "Cookie": cookie,
		} {
			if value != "" {
				request.Header.Set(name, value)
			}
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			d.Fatal(err)
		}
		response.Body.Close()
		return response
	}
	d.Cleanup(http.DefaultClient.CloseIdleConnections)
	cookie, _, _ := strings.Cut(ask("POST", "/v1/session", `{"token": "`+token+`"}`, "").Header.Get("Set-Cookie"), ";")
	return func() int { return ask("GET", "/v1/jobs", "", cookie).StatusCode }
}

func TestSessionsAreListedAndEnded(t *testing.T) {
	d := newDesk(t)
	first, second := d.browse(webtest.Alice), d.browse(webtest.Alice)
	if first() != 200 || second() != 200 {
		t.Fatal("the sessions do not work")
	}
	table := strings.Split(strings.TrimSpace(d.ok("session list --token t-alice")), "\n")
	if len(table) != 3 || !strings.Contains(table[1], "alice") || !strings.Contains(table[1], "127.0.0.1") {
		t.Fatalf("%q", table)
	}
	id, _, _ := strings.Cut(table[1], " ")
	d.ok("session end " + id)
	if (first() == 200) == (second() == 200) {
		t.Error("not one session is ended")
	}
	if list := d.ok("session list"); strings.Contains(list, id) {
		t.Errorf("still listed: %s", list)
	}
	d.ok("session end --token t-alice")
	if first() != 401 || second() != 401 {
		t.Error("a session goes on")
	}
	if list := d.ok("token list"); !strings.Contains(list, "LAST USED") {
		t.Errorf("token list: %s", list)
	}
}
