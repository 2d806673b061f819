package web_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"aliquot/cluster"
	"aliquot/web/webtest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestMain(m *testing.M) {
	flag.Parse()
	goleak.VerifyTestMain(m)
}

// site is a cluster with its server and shorthands for requests.
type site struct {
	*webtest.Cluster
	testing.TB
	*httptest.Server
}

func newSite(t testing.TB) *site {
	c := webtest.New(t)
	return &site{c, t, c.Serve(t)}
}

// reply is the answer to a request.
type reply struct {
	status int
	header http.Header
	text   string
}

func (r reply) into(t testing.TB, v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(r.text), v); err != nil {
		t.Fatalf("answer %d %q: %v", r.status, r.text, err)
	}
}

// call sends a request with a bearer token, "" for none, and header lines like "Name: value".
func (s *site) call(method, path, token, body string, header ...string) reply {
	s.Helper()
	request, err := http.NewRequest(method, s.URL+path, strings.NewReader(body))
	if err != nil {
		s.Fatal(err)
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		request.Header.Set(name, value)
	}
	response, err := s.Client().Do(request)
	if err != nil {
		s.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.Fatal(err)
	}
	return reply{response.StatusCode, response.Header, string(text)}
}

// want calls and checks the status of the reply.
func (s *site) want(status int, method, path, token, body string, header ...string) reply {
	s.Helper()
	r := s.call(method, path, token, body, header...)
	if r.status != status {
		s.Fatalf("%s %s answered %d, want %d: %s", method, path, r.status, status, r.text)
	}
	return r
}

// submit submits a job as alice and returns its id.
func (s *site) submit(body string) cluster.JobID {
	s.Helper()
	var accepted struct{ Job string }
	s.want(201, "POST", "/v1/jobs", webtest.Alice, body).into(s, &accepted)
	id, err := cluster.ParseJobID(accepted.Job)
	if err != nil {
		s.Fatal(err)
	}
	return id
}

// fingerprint returns the state's encoding without the revision and the clock.
func (s *site) fingerprint() []byte {
	s.Helper()
	v := s.Latest()
	v.Revision, v.Now = 0, 0
	var buf bytes.Buffer
	if err := v.Encode(&buf); err != nil {
		s.Fatal(err)
	}
	return buf.Bytes()
}

// golden compares a text with testdata/name.
func golden(t testing.TB, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// indented is JSON for people who read golden files.
func indented(t testing.TB, text string) string {
	t.Helper()
	var buf bytes.Buffer
	if err := json.Indent(&buf, []byte(text), "", "  "); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return buf.String()
}

func readFile(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
