package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"aliquot/client"
	"aliquot/cluster"
	"aliquot/config"
	"aliquot/internal/freeport"
)

// trio is the settings of three managers on loopback.
type trio struct {
	*testing.T
	secrets              string
	members, links, urls []string
}

func newTrio(t *testing.T) *trio {
	t.Helper()
	c := &trio{T: t, secrets: t.TempDir()}
	for n := 1; n <= 3; n++ {
		c.members = append(c.members, fmt.Sprintf("%d=%s", n, freeport.Take()))
		c.links = append(c.links, fmt.Sprintf("%d=%s", n, freeport.Take()))
		c.urls = append(c.urls, fmt.Sprintf("%d=http://%s", n, freeport.Take()))
	}
	return c
}

func after(entry, sign string) string { _, rest, _ := strings.Cut(entry, sign); return rest }

// config returns the settings of a manager that knows all three.
func (c *trio) config(n int) *config.Manager {
	cfg := config.NewManager()
	cfg.Replica, cfg.Join, cfg.Image, cfg.Secrets, cfg.LogLevel = uint64(n), n > 1, "none", c.secrets, "error"
	cfg.Data, cfg.Store = c.TempDir(), c.TempDir()
	cfg.Members, cfg.Links, cfg.URLs = c.members, c.links, c.urls
	cfg.Raft, cfg.Link, cfg.REST = after(c.members[n-1], "="), after(c.links[n-1], "="), after(c.urls[n-1], "//")
	if err := validate(cfg); err != nil {
		c.Fatal(err)
	}
	return cfg
}

// start runs a manager until stop is called or the test ends.
func (c *trio) start(cfg *config.Manager) (stop func()) {
	return c.startGreeting(cfg, unheard)
}

func (c *trio) startGreeting(cfg *config.Manager, greet func(*secrets)) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := runManager(ctx, cfg, logger(cfg.LogLevel), greet); !errors.Is(err, context.Canceled) {
			c.Errorf("manager %d: %v", cfg.Replica, err)
		}
	}()
	stop = func() { cancel(); <-ended }
	c.Cleanup(stop)
	return stop
}

// await asks for the members until they are the wanted ones.
func (c *trio) await(cfg *config.Manager, done func(members string) bool) {
	c.Helper()
	var text string
	var err error
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if text, err = run(c.Context(), "member", "list", "--data", cfg.Data); err == nil && done(text) {
			return
		}
	}
	c.Fatalf("manager %d tells the members %q, %v", cfg.Replica, text, err)
}

func unheard(*secrets) {}

// visit logs in with the code, unless it is "", and asks for the session. It returns both statuses and the cookies.
func (c *trio) visit(n int, code string, cookies []*http.Cookie) (login, look int, found []*http.Cookie) {
	c.Helper()
	url := after(c.urls[n-1], "=") + "/v1/session"
	for _, r := range []struct{ method, body string }{{"POST", `{"code": "` + code + `"}`}, {"GET", ""}} {
		if r.method == "POST" && code == "" {
			continue
		}
		request, err := http.NewRequest(r.method, url, strings.NewReader(r.body))
		if err != nil {
			c.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Aliquot-Console", "1")
		for _, cookie := range cookies {
			request.AddCookie(cookie)
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			c.Fatal(err)
		}
		answer.Body.Close()
		if r.method == "POST" {
			login, cookies = answer.StatusCode, answer.Cookies()
		} else {
			look = answer.StatusCode
		}
	}
	return login, look, cookies
}

// checkLogin logs a browser in at one manager, shows its cookie to another, and the used code to a third.
func (c *trio) checkLogin() {
	c.Helper()
	s, err := openSecrets(c.secrets)
	if err != nil {
		c.Fatal(err)
	}
	var page strings.Builder
	welcome(&page, true, "http://here", s)
	_, rest, _ := strings.Cut(page.String(), "http://here/login#code=")
	code := strings.Fields(rest)[0]
	login, look, cookies := c.visit(2, code, nil)
	if login != http.StatusOK || look != http.StatusOK {
		c.Errorf("at the manager that gave the cookie: %d, %d", login, look)
	}
	if _, look, _ := c.visit(1, "", cookies); look != http.StatusOK {
		c.Errorf("at another manager: %d", look)
	}
	if login, look, _ := c.visit(3, code, nil); login != http.StatusUnauthorized || look != http.StatusUnauthorized {
		c.Errorf("the code again at a third: %d, %d", login, look)
	}
	http.DefaultClient.CloseIdleConnections()
}

// client returns a client of one of the managers with the administrator's token.
func (c *trio) client(n int) *client.Client {
	c.Helper()
	token, err := os.ReadFile(filepath.Join(c.secrets, "admin.token"))
	if err != nil {
		c.Fatal(err)
	}
	asked, err := client.New(client.Options{Managers: []string{after(c.urls[n-1], "=")},
		Token: strings.TrimSpace(string(token))})
	if err != nil {
		c.Fatal(err)
	}
	c.Cleanup(asked.Close)
	return asked
}

// checkPolicy expects every manager to have the policy of the first manager's configuration, set when it was alone.
func (c *trio) checkPolicy(want string) {
	c.Helper()
	for n := 1; n <= 3; n++ {
		if got, err := c.client(n).Policy(c.Context()); err != nil || got.Name != want {
			c.Errorf("manager %d: policy %+v, %v", n, got, err)
		}
	}
}

// checkManagers asks a follower for the health of all managers.
func (c *trio) checkManagers() {
	c.Helper()
	list, err := c.client(3).Managers(c.Context())
	if err != nil || len(list) != 3 {
		c.Fatalf("%+v, %v", list, err)
	}
	leaders := 0
	for i, m := range list {
		if m.Replica != uint64(i+1) || m.Address != after(c.urls[i], "=") || m.Answers != (i == 2) || m.Status != "ok" ||
			m.Format != cluster.LatestFormat || m.LatestFormat != cluster.LatestFormat {
			c.Errorf("manager %d: %+v", i+1, m)
		}
		if m.Leads {
			leaders++
		}
	}
	if leaders != 1 {
		c.Errorf("%d lead: %+v", leaders, list)
	}
}

func TestTheLoginIsShownOnATerminalAlone(t *testing.T) {
	s, err := openSecrets(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	welcome(&log, false, "http://here", s)
	if strings.Contains(log.String(), "#code=") || !strings.Contains(log.String(), "http://here;") {
		t.Errorf("a log would keep %q", log.String())
	}
}

// run runs a command and returns its output.
func run(ctx context.Context, args ...string) (string, error) {
	var out strings.Builder
	c := command()
	c.SetArgs(args)
	c.SetOut(&out)
	c.SetErr(&out)
	err := c.ExecuteContext(ctx)
	return out.String(), err
}

func led(n int) func(string) bool {
	return func(members string) bool {
		return strings.Count(members, "\n") == n && strings.Count(members, "leads") == 1 &&
			!strings.Contains(members, "add it")
	}
}

func TestOneManagerGrowsToThreeAndADeadOneIsRemoved(t *testing.T) {
	c := newTrio(t)
	first := c.config(1)
	alone := *first
	alone.Members, alone.Links, alone.URLs, alone.Policy = nil, nil, nil, "EASY"
	greeted := make(chan struct{})
	stop := c.startGreeting(&alone, func(*secrets) { close(greeted) })
	c.await(&alone, led(1))
	<-greeted
	stop()

	c.start(first)
	c.await(first, led(1))
	var third *config.Manager
	var stopThird func()
	for n := 2; n <= 3; n++ {
		text, err := run(t.Context(), "member", "add", c.members[n-1], "--data", first.Data)
		if err != nil || !strings.Contains(text, "start it now") {
			t.Fatalf("adding %d: %q, %v", n, text, err)
		}
		third = c.config(n)
		stopThird = c.start(third)
		c.await(third, led(n))
		c.await(first, led(n))
	}

	c.checkLogin()
	c.checkManagers()
	c.checkPolicy("EASY")

	stopThird()
	if text, err := run(t.Context(), "member", "remove", "3", "--data", first.Data); err != nil {
		t.Fatal(text, err)
	}
	c.await(first, led(2))
	if _, err := run(t.Context(), "member", "add", c.members[2], "--data", first.Data); err == nil ||
		!strings.Contains(err.Error(), "cannot be reused") {
		t.Errorf("adding a removed number: %v", err)
	}
}

func TestARunningManagerKeepsOthersOffItsFolder(t *testing.T) {
	c := newTrio(t)
	cfg := c.config(1)
	cfg.Members, cfg.Links, cfg.URLs = nil, nil, nil
	stop := c.start(cfg)
	c.await(cfg, led(1))
	backup := t.TempDir()
	if text, err := run(t.Context(), "backup", backup, "--data", cfg.Data); err != nil {
		t.Fatal(text, err)
	}
	restore := []string{"restore", backup, "--data", cfg.Data, "--secrets", cfg.Secrets, "--raft", cfg.Raft}
	if _, err := run(t.Context(), restore...); err == nil ||
		!strings.Contains(err.Error(), "another aliquotd runs on "+cfg.Data) {
		t.Errorf("restoring under a manager: %v", err)
	}
	if err := runManager(t.Context(), cfg, zerolog.Nop(), unheard); err == nil ||
		!strings.Contains(err.Error(), "another aliquotd runs on "+cfg.Data) {
		t.Errorf("a second manager: %v", err)
	}
	for _, change := range []struct{ what, member, want string }{
		{"remove", "1", "only manager"},
		{"add", "2=10.0.0.2:7421", "cannot reach"},
	} {
		if _, err := run(t.Context(), "member", change.what, change.member, "--data", cfg.Data); err == nil ||
			!strings.Contains(err.Error(), change.want) {
			t.Errorf("%s %s: %v", change.what, change.member, err)
		}
	}
	stop()
	if text, err := run(t.Context(), restore...); err != nil {
		t.Fatal(text, err)
	}
	c.start(cfg)
	c.await(cfg, led(1))
}
