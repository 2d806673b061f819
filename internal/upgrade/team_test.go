package upgrade

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aliquot/client"
	"aliquot/cluster"
	"aliquot/internal/freeport"
	"aliquot/web/api"
)

// A team is up to three managers of one cluster, each a process of one program or another.
type team struct {
	*testing.T
	size             int
	folder           string
	rest, raft, link [4]string // addresses by replica, from 1
	runs             [4]*process
	program          [4]string
	api              *client.Client // of whichever answers
}

func newTeam(t *testing.T, size int) *team {
	t.Helper()
	c := &team{T: t, size: size, folder: t.TempDir()}
	for i := 1; i <= size; i++ {
		c.rest[i], c.raft[i], c.link[i] = freeport.Take(), freeport.Take(), freeport.Take()
	}
	for _, name := range []string{"image", "store"} {
		if err := os.Mkdir(c.path(name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, content := range map[string][]byte{
		"kernel": sizedKernel(), "initrd": []byte("modelled\n"), "cmdline": []byte("modelled\n"),
	} {
		if err := os.WriteFile(c.path("image", name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// sizedKernel returns the begin of a bzImage that takes 1 MiB of memory. Programs differ in whether they look.
func sizedKernel() []byte {
	b := make([]byte, 1024)
	copy(b[0x202:], "HdrS\x0f\x02")
	binary.LittleEndian.PutUint32(b[0x260:], 1<<20)
	return b
}

func (c *team) path(parts ...string) string {
	return filepath.Join(append([]string{c.folder}, parts...)...)
}

// each lists one thing of each manager, as the settings write it.
func (c *team) each(format string, of [4]string) string {
	var list []string
	for i := 1; i <= c.size; i++ {
		list = append(list, fmt.Sprintf(format, i, of[i]))
	}
	return strings.Join(list, ",")
}

// settings are those of one of the managers.
func (c *team) settings(i int) []string {
	own := []string{
		"--data", c.path(fmt.Sprintf("manager-%d", i)), "--secrets", c.path("secrets"), "--store", c.path("store"), "--image",
		c.path("image"),
		"--rest", c.rest[i], "--raft", c.raft[i], "--link", c.link[i],
	}
	if c.size == 1 {
		return own
	}
	return append(own, "--replica", fmt.Sprint(i), "--members", c.each("%d=%s", c.raft), "--links",
		c.each("%d=%s", c.link),
		"--urls", c.each("%d=http://%s", c.rest))
}

// start runs one of the managers by the program, with the folder that an earlier one left, if any.
func (c *team) start(i int, program string) {
	c.Helper()
	c.program[i] = program
	c.runs[i] = launch(c.T, c.path(fmt.Sprintf("manager-%d.log", i)), program,
		append([]string{"manager"}, c.settings(i)...)...)
}

// found starts all managers by the program, and returns when they serve.
func (c *team) found(program string) {
	c.Helper()
	c.start(1, program) // it makes the secrets
	eventually(c.T, "there are secrets", func() error {
		_, err := os.Stat(c.path("secrets", "admin.token"))
		return err
	})
	all, urls := []int{1}, []string{"http://" + c.rest[1]}
	for i := 2; i <= c.size; i++ {
		c.start(i, program)
		all, urls = append(all, i), append(urls, "http://"+c.rest[i])
	}
	var err error
	if c.api, err = client.New(client.Options{Managers: urls, Token: c.token()}); err != nil {
		c.Fatal(err)
	}
	c.Cleanup(c.api.Close)
	c.serving(all...)
	c.agree(all...) // also on the token
}

func (c *team) token() string {
	text, err := os.ReadFile(c.path("secrets", "admin.token"))
	if err != nil {
		c.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

// replace ends one of the managers and starts it again by the program.
func (c *team) replace(i int, program string) {
	c.Helper()
	c.runs[i].stop()
	c.start(i, program)
	c.serving(i)
}

// get asks one of the managers.
func (c *team) get(i int, path string) ([]byte, error) {
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

// ask reads an answer of one of the managers.
func ask[T any](c *team, i int, path string) (answer T, err error) {
	body, err := c.get(i, path)
	if err != nil {
		return answer, err
	}
	return answer, json.Unmarshal(body, &answer)
}

// serving returns once these managers say that all is well.
func (c *team) serving(replicas ...int) {
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

// leader waits until one of the managers leads, and returns it.
func (c *team) leader() (leader int) {
	c.Helper()
	eventually(c.T, "one manager leads", func() error {
		for i := 1; i <= c.size; i++ {
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
func (c *team) lead(wanted func(i int) bool) {
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

// agree returns once these managers have the same state at the same revision.
func (c *team) agree(replicas ...int) *cluster.State {
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
			s = s.Redacted() // as the managers of this release show it
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
