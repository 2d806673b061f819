package labtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"aliquot/client"
	"aliquot/cluster"
	"aliquot/internal/freeport"
	"aliquot/web/api"
)

// A trio is three managers in place of the lab's one, with its secrets and its nodes.
type trio struct {
	*scene
	managers    [4]*manager // by replica, from 1
	rests, raft [4]string
}

// becomeThree replaces the lab's one manager, which has ended, by three with the backup's state.
func (s *scene) becomeThree(backup string) *trio {
	s.t.Helper()
	t := &trio{scene: s}
	for i := 1; i <= 3; i++ {
		t.rests[i], t.raft[i] = freeport.Take(), freeport.Take()
	}
	for i := 1; i <= 3; i++ {
		_, err := s.do(filepath.Join(s.bin, "aliquotd"), append([]string{"restore", backup}, t.member(i)...)...)
		s.ok(err)
	}
	s.t.Cleanup(t.becomeOne)
	for i := 1; i <= 3; i++ {
		t.start(i)
	}
	s.api = t.client(1, 2, 3)
	s.links = strings.Join([]string{t.link(1), t.link(2), t.link(3)}, ",")
	for _, p := range s.places {
		s.ok(s.kill(p.name, "monitor"))
		s.ok(s.spawn(p.name, "monitor"))
	}
	s.ok(s.awaitNodes())
	return t
}

// link returns the address of one of the three for monitors. The first has the address of the lab's own manager.
func (t *trio) link(i int) string { return net.JoinHostPort(t.env["GATEWAY"], fmt.Sprint(7421+i)) }

// member returns the settings of one of the three.
func (t *trio) member(i int) []string {
	var members, links, urls []string
	for n := 1; n <= 3; n++ {
		members = append(members, fmt.Sprintf("%d=%s", n, t.raft[n]))
		links = append(links, fmt.Sprintf("%d=%s", n, t.link(n)))
		urls = append(urls, fmt.Sprintf("%d=http://%s", n, t.rests[n]))
	}
	return append(t.managing(fmt.Sprintf("manager-%d", i)), "--replica", fmt.Sprint(i), "--rest", t.rests[i],
		"--link", t.link(i),
		"--members", strings.Join(members, ","), "--links", strings.Join(links, ","), "--urls", strings.Join(urls, ","))
}

func (t *trio) start(i int) {
	t.t.Helper()
	m, err := t.launch(fmt.Sprintf("manager-%d", i), append([]string{"manager"}, t.member(i)...)...)
	t.ok(err)
	t.managers[i] = m
}

// client returns a client of these managers only, the first of them first.
func (t *trio) client(managers ...int) *client.Client {
	t.t.Helper()
	token, err := os.ReadFile(t.state("secrets/admin.token"))
	t.ok(err)
	var urls []string
	for _, i := range managers {
		urls = append(urls, "http://"+t.rests[i])
	}
	c, err := client.New(client.Options{Managers: urls, Token: strings.TrimSpace(string(token))})
	t.ok(err)
	return c
}

// health returns one manager's report on itself.
func (t *trio) health(i int) (h api.Health, err error) {
	body, err := t.get(i, "/v1/health")
	if err != nil {
		return h, err
	}
	return h, json.Unmarshal(body, &h)
}

func (t *trio) get(i int, path string) ([]byte, error) { return t.lab.get(t.ctx, t.rests[i], path) }

// get returns what the manager with that address of REST answers.
func (l *lab) get(ctx context.Context, rest, path string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	token, err := os.ReadFile(l.state("secrets/admin.token"))
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+rest+path, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", response.Status, body)
	}
	return body, err
}

// leader waits until one of the running managers leads, and returns it.
func (t *trio) leader() (leader int) {
	t.t.Helper()
	t.eventually("one manager leads", ended, func() error {
		for i := 1; i <= 3; i++ {
			if h, err := t.health(i); err == nil && h.Leads {
				leader = i
				return nil
			}
		}
		return errors.New("none does")
	})
	return leader
}

// agree returns when all managers show the same state at the same revision.
func (t *trio) agree() {
	t.t.Helper()
	t.eventually("all managers have the same state", ended, func() error {
		var states [4]*cluster.State
		for i := 1; i <= 3; i++ {
			body, err := t.get(i, "/v1/debug/view")
			if err != nil {
				return err
			}
			if states[i], err = cluster.Decode(strings.NewReader(string(body))); err != nil {
				return err
			}
		}
		if a, b, c := states[1], states[2], states[3]; a.Revision != b.Revision || b.Revision != c.Revision {
			return fmt.Errorf("they are at %d, %d and %d", a.Revision, b.Revision, c.Revision)
		}
		if a, b, c := states[1].Hash(), states[2].Hash(), states[3].Hash(); a != b || b != c {
			t.t.Fatalf("at revision %d their hashes are %x, %x and %x", states[1].Revision, a, b, c)
		}
		return nil
	})
}

// backup writes the state of a running manager to a new folder.
func (s *scene) backup(data string) (folder string) {
	s.t.Helper()
	folder, err := os.MkdirTemp(s.bin, "backup-")
	s.ok(err)
	_, err = s.do(filepath.Join(s.bin, "aliquotd"), "backup", folder, "--data", s.state(data))
	s.ok(err)
	return folder
}

// becomeOne ends the remaining managers of the three and gives their state to the lab's own manager, as later tests
// require.
func (t *trio) becomeOne() {
	t.t.Helper()
	if t.manager.alive() {
		return
	}
	for i := 1; i <= 3; i++ {
		if t.managers[i] == nil || !t.managers[i].alive() {
			t.start(i)
		}
	}
	folder := t.backup(fmt.Sprintf("manager-%d", t.leader()))
	for _, m := range t.managers[1:] {
		t.ok(m.end(syscall.SIGTERM))
	}
	_, err := t.do(filepath.Join(t.bin, "aliquotd"),
		append([]string{"restore", folder, "--rest", t.rest, "--raft", t.lab.raft, "--link", t.lab.link()},
			t.managing("manager")...)...)
	t.ok(err)
	t.links = ""
	t.ok(t.startManager())
	t.ok(t.connect())
	t.ok(t.awaitNodes())
}
