package web_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"aliquot/cluster"
	"aliquot/guest/stream"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

// running is a site with a job of alice's that runs.
func running(t *testing.T) *site {
	s := newSite(t)
	n1 := s.Join(t, "n1", 2000, 512*cluster.MiB)
	s.Run(t, s.submit(small), 500, n1)
	return s
}

// upgrade are the headers that ask for a WebSocket.
var upgrade = []string{"Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
	"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="}

// dial opens a stream as the token.
func (s *site) dial(ctx context.Context, what, token string) (*websocket.Conn, *http.Response, error) {
	return websocket.Dial(ctx, s.URL+"/v1/jobs/j1/tasks/0/"+what,
		&websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + token}}})
}

// tell sends the frames and returns what comes back until the end.
func tell(t *testing.T, conn *websocket.Conn, frames ...string) (got []string, end stream.Outcome) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for _, frame := range frames {
		if err := conn.Write(ctx, websocket.MessageBinary, []byte(frame)); err != nil {
			t.Fatal(err)
		}
	}
	for {
		_, frame, err := conn.Read(ctx)
		if err != nil {
			t.Fatalf("%v after %q", err, got)
		}
		if stream.Kind(frame[0]) == stream.Exit {
			if end, err = stream.Decode[stream.Outcome](frame); err != nil {
				t.Fatal(err)
			}
			return got, end
		}
		got = append(got, string(frame))
	}
}

func TestStreamsIntoVMsAreForTheJobsOwner(t *testing.T) {
	s := running(t)
	for _, c := range []struct {
		status              int
		path, token, reason string
	}{
		{403, "0/forward?port=80", webtest.Bob, "belongs to alice"},
		{403, "0/forward?port=80", webtest.Viewer, "needs user"},
		{403, "0/exec", webtest.Bob, "belongs to alice"},
		{401, "0/exec", "wrong", "token"},
		{404, "1/exec", webtest.Alice, "no such task"},
		{422, "0/forward", webtest.Alice, "port"},
		{422, "0/forward?port=65536", webtest.Alice, "port"},
	} {
		r := s.want(c.status, "GET", "/v1/jobs/j1/tasks/"+c.path, c.token, "", upgrade...)
		if !strings.Contains(r.text, c.reason) {
			t.Errorf("%s: %s", c.path, r.text)
		}
	}
	s.want(400, "GET", "/v1/jobs/j1/tasks/0/exec", webtest.Alice, "")
	s.submit(small)
	if r := s.want(409, "GET", "/v1/jobs/j2/tasks/0/exec", webtest.Alice, "", upgrade...); !strings.Contains(r.text,
		"has no VM yet") {
		t.Error(r.text)
	}
	s.NoStreams = true
	if r := s.want(409, "GET", "/v1/jobs/j1/tasks/0/exec", webtest.Alice, "", upgrade...); !strings.Contains(r.text,
		"it is not connected") {
		t.Error(r.text)
	}
}

func TestAStreamCarriesDataBothWays(t *testing.T) {
	s := running(t)
	for _, c := range []struct {
		what, token string
		send        []string
		got         string
		end         stream.Outcome
	}{
		{"forward?port=80", webtest.Alice, []string{"\x03hello", "\x05"}, "\x02 \x03hello", stream.Outcome{}},
		{"forward?port=1", webtest.Operator, nil, "", stream.Outcome{Error: "nothing listens at port 1 of the task"}},
		{"forward?port=2", webtest.Alice, []string{"\x03x"}, "\x02",
			stream.Outcome{Error: "the connection to the task's node broke"}},
		{"forward?port=80", webtest.Alice, []string{"\x01{}"}, "\x02",
			stream.Outcome{Error: "a message is neither data nor its end"}},
		{"exec", webtest.Alice, []string{"\x01" + `{"command": ["false", "a"]}`, "\x03in", "\x05"},
			"\x02 \x04false a \x03in", stream.Outcome{Code: 1}},
		{"exec", webtest.Alice, []string{"\x01" + `{"port": 80}`}, "", stream.Outcome{Error: "the command is empty"}},
		{"exec", webtest.Alice, []string{"\x03x"}, "", stream.Outcome{Error: "the first message is not a command"}},
	} {
		conn, _, err := s.dial(t.Context(), c.what, c.token)
		if err != nil {
			t.Fatal(err)
		}
		got, end := tell(t, conn, c.send...)
		if strings.Join(got, " ") != c.got || end != c.end {
			t.Errorf("%s: %q, %+v", c.what, got, end)
		}
		conn.CloseNow()
	}
}

func TestAFollowerPassesStreamsOnToTheLeader(t *testing.T) {
	s := running(t)
	c := webtest.New(t)
	n1 := c.Join(t, "n1", 2000, 512*cluster.MiB)
	c.Following, c.Leader = true, s.URL
	f := &site{c, t, c.Serve(t)}
	f.Run(t, f.submit(small), 500, n1)
	c.NoStreams = true // its own
	conn, _, err := f.dial(t.Context(), "forward?port=80", webtest.Alice)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	if got, end := tell(t, conn, "\x03hello", "\x05"); strings.Join(got, " ") != "\x02 \x03hello" || end.Error != "" {
		t.Errorf("%q, %+v", got, end)
	}
}

func TestStreamsAreClosedWithTheCodeOfAManagerThatStops(t *testing.T) {
	for name, of := range map[string]func(leader, follower *site) (dialled, stops *site){
		"the leader":                 func(leader, _ *site) (*site, *site) { return leader, leader },
		"one that passes them on":    func(_, follower *site) (*site, *site) { return follower, follower },
		"the leader of a follower's": func(leader, follower *site) (*site, *site) { return follower, leader },
	} {
		dialled, stops := of(pair(t))
		conn, _, err := dialled.dial(t.Context(), "forward?port=80", webtest.Alice)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.CloseNow()
		if _, frame, err := conn.Read(t.Context()); err != nil || stream.Kind(frame[0]) != stream.Opened {
			t.Fatalf("%s: %q, %v", name, frame, err)
		}
		go func() { _ = stops.Server.Config.Shutdown(context.Background()) }()
		if _, frame, err := conn.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusGoingAway {
			t.Errorf("%s: %q, %v", name, frame, err)
		}
	}
}

func TestAManagerThatStopsBeforeTheCommandCameBlamesNothingElse(t *testing.T) {
	s := running(t)
	conn, _, err := s.dial(t.Context(), "exec", webtest.Alice)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	go func() { _ = s.Server.Config.Shutdown(context.Background()) }()
	if _, frame, err := conn.Read(t.Context()); err == nil {
		t.Errorf("%q", frame)
	}
}

// Another site's page must not open a stream with the cookie of somebody who visits it. That is checked before a node
// is asked: without streams it would answer otherwise.
func TestAnotherSiteOpensNoStream(t *testing.T) {
	s := running(t)
	c := webtest.New(t)
	n1 := c.Join(t, "n1", 2000, 512*cluster.MiB)
	follower := &site{c, t, c.Serve(t)}
	follower.Run(t, follower.submit(small), 500, n1)
	session := map[*site]string{}
	for _, at := range []*site{s, follower} {
		session[at], _ = at.login(at.code(webtest.Alice, "{}"))
	}
	c.Following, c.Leader = true, s.URL
	s.NoStreams, c.NoStreams = true, true
	for at, cookie := range session {
		for header, status := range map[string]int{
			"Origin: https://evil.example": http.StatusForbidden, "Sec-Fetch-Site: cross-site": http.StatusForbidden,
			"Sec-Fetch-Site: same-site": http.StatusForbidden, "Origin: null": http.StatusForbidden,
			"Origin: " + at.URL: http.StatusConflict, "Sec-Fetch-Site: same-origin": http.StatusConflict,
		} {
			r := at.want(status, "GET", "/v1/jobs/j1/tasks/0/exec", "", "", append([]string{cookie, header}, upgrade...)...)
			if strings.Contains(r.text, "another site") != (status == http.StatusForbidden) {
				t.Errorf("%s: %s", header, r.text)
			}
		}
	}
}

func TestAStreamIsInTheAuditLogWhileItIsOpen(t *testing.T) {
	s := running(t)
	for what, object := range map[string]string{"forward?port=80": "j1 0 port 80", "exec": "j1 0"} {
		conn, _, err := s.dial(t.Context(), what, webtest.Alice)
		if err != nil {
			t.Fatal(err)
		}
		operation := map[bool]string{true: "exec-command", false: "forward-port"}[what == "exec"]
		var page api.AuditPage
		s.want(200, "GET", "/v1/audit?operation="+operation, webtest.Admin, "").into(s, &page)
		if len(page.Entries) != 1 || page.Entries[0].Object != object || page.Entries[0].Actor != "alice" ||
			page.Entries[0].Status != http.StatusSwitchingProtocols || page.Entries[0].Outcome != "accepted" {
			t.Errorf("%s: %+v", what, page.Entries)
		}
		conn.CloseNow()
	}
}
