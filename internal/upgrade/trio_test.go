package upgrade

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
	"testing"

	"aliquot/client"
	"aliquot/cluster"
	"aliquot/web/api"
)

// A trio is three managers, each a process of one program or another.
type trio struct {
	*testing.T
	folder           string
	rest, raft, link [4]string // addresses by replica, from 1
	runs             [4]*process
	program          [4]string
	api              *client.Client // of whichever answers
}

func newTrio(t *testing.T) *trio {
	t.Helper()
	c := &trio{T: t, folder: t.TempDir()}
	for i := 1; i <= 3; i++ {
		c.rest[i], c.raft[i], c.link[i] = freeAddress(t), freeAddress(t), freeAddress(t)
	}
	for _, name := range []string{"image", "store"} {
		if err := os.Mkdir(c.path(name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"kernel", "initrd", "cmdline"} {
		if err := os.WriteFile(c.path("image", name), []byte("modelled\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func (c *trio) path(parts ...string) string {
	return filepath.Join(append([]string{c.folder}, parts...)...)
}

// each lists one thing of each of the three, as the settings write it.
func each(format string, of [4]string) string {
	var list []string
	for i := 1; i <= 3; i++ {
		list = append(list, fmt.Sprintf(format, i, of[i]))
	}
	return strings.Join(list, ",")
}

// start runs one of the three by the program; if it ran before, with what that left.
func (c *trio) start(i int, program string) {
	c.Helper()
	c.program[i] = program
	c.runs[i] = launch(c.T, c.path(fmt.Sprintf("manager-%d.log", i)), program, "manager", "--replica", fmt.Sprint(i),
		"--data", c.path(fmt.Sprintf("manager-%d", i)), "--secrets", c.path("secrets"), "--store", c.path("store"), "--image", c.path("image"),
		"--rest", c.rest[i], "--raft", c.raft[i], "--link", c.link[i],
		"--members", each("%d=%s", c.raft), "--links", each("%d=%s", c.link), "--urls", each("%d=http://%s", c.rest))
}

// found starts all three by the program.
func (c *trio) found(program string) {
	c.Helper()
	c.start(1, program) // it makes the secrets
	eventually(c.T, "there are secrets", func() error {
		_, err := os.Stat(c.path("secrets", "admin.token"))
		return err
	})
	for i := 2; i <= 3; i++ {
		c.start(i, program)
	}
	var urls []string
	for _, address := range c.rest[1:] {
		urls = append(urls, "http://"+address)
	}
	var err error
	if c.api, err = client.New(client.Options{Managers: urls, Token: c.token()}); err != nil {
		c.Fatal(err)
	}
	c.Cleanup(c.api.Close)
	c.serving(1, 2, 3)
	c.agree(1, 2, 3) // also on the token
}

func (c *trio) token() string {
	text, err := os.ReadFile(c.path("secrets", "admin.token"))
	if err != nil {
		c.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

// replace ends one of the three and starts it again by the program.
func (c *trio) replace(i int, program string) {
	c.Helper()
	c.runs[i].stop()
	c.start(i, program)
	c.serving(i)
}

// get asks one of the three.
func (c *trio) get(i int, path string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(c.Context(), patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+c.rest[i]+path, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+c.token())
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("manager %d: %s: %s", i, response.Status, body)
	}
	return body, err
}

// ask reads an answer of one of the three.
func ask[T any](c *trio, i int, path string) (answer T, err error) {
	body, err := c.get(i, path)
	if err != nil {
		return answer, err
	}
	return answer, json.Unmarshal(body, &answer)
}

// serving returns once these of the three say that all is well.
func (c *trio) serving(replicas ...int) {
	c.Helper()
	for _, i := range replicas {
		eventually(c.T, fmt.Sprintf("manager %d serves", i), func() error {
			if !c.runs[i].alive() {
				c.Fatalf("manager %d has ended: %v\n%s", i, c.runs[i].err, c.runs[i].said())
			}
			h, err := ask[api.Health](c, i, "/v1/health")
			if err == nil && h.Status != "ok" {
				err = fmt.Errorf("%+v", h)
			}
			return err
		})
	}
}

// leader waits until one of the three leads, and returns it.
func (c *trio) leader() (leader int) {
	c.Helper()
	eventually(c.T, "one manager leads", func() error {
		for i := 1; i <= 3; i++ {
			if h, err := ask[api.Health](c, i, "/v1/health"); err == nil && h.Leads {
				leader = i
				return nil
			}
		}
		return errors.New("none does")
	})
	return leader
}

// lead moves the lead to one that is wanted: as long as another has it, that one starts again.
func (c *trio) lead(wanted func(i int) bool) {
	c.Helper()
	for range 30 {
		leader := c.leader()
		if wanted(leader) {
			return
		}
		c.replace(leader, c.program[leader])
	}
	c.Fatal("the lead does not move")
}

// agree returns once these of the three have the same state at the same revision.
func (c *trio) agree(replicas ...int) *cluster.State {
	c.Helper()
	var states []*cluster.State
	eventually(c.T, "all managers have the same state", func() error {
		states = nil
		for _, i := range replicas {
			body, err := c.get(i, "/v1/debug/view")
			if err != nil {
				return err
			}
			s, err := cluster.Decode(strings.NewReader(string(body)))
			if err != nil {
				return err
			}
			if states = append(states, s); s.Revision != states[0].Revision {
				return fmt.Errorf("manager %d is at revision %d, manager %d at %d", i, s.Revision, replicas[0], states[0].Revision)
			}
			if s.Hash() != states[0].Hash() {
				c.Fatalf("at revision %d the state of manager %d is not that of manager %d", s.Revision, i, replicas[0])
			}
		}
		return nil
	})
	return states[0]
}
