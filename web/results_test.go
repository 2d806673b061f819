package web_test

import (
	"archive/tar"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aliquot/cluster"
	"aliquot/web/webtest"
)

// left is a site with a job whose task has left the files.
func left(t *testing.T, files map[string]string) *site {
	s := newSite(t)
	n1 := s.Join(t, "n1", 2000, 512*cluster.MiB)
	id := s.submit(`{"cpu": "500m", "memory": "64Mi", "command": ["true"], "outputs": ["results/"]}`)
	s.Run(t, id, 500, n1)
	s.Leave(cluster.RunID{Job: id, Number: 1}, files)
	return s
}

func TestFilesThatATaskLeftAreListedAndDownloaded(t *testing.T) {
	s := left(t, map[string]string{"results/a.csv": "1,2", "results/ü.html": "<script>", "log": "x"})
	golden(t, "results.json", indented(t, s.want(200, "GET", "/v1/jobs/j1/tasks/0/files", webtest.Alice, "").text))
	r := s.want(200, "GET", "/v1/jobs/j1/tasks/0/files/content?path=results/%C3%BC.html", webtest.Operator, "")
	got := []string{r.text}
	for _, name := range []string{"Content-Type", "Content-Disposition", "Content-Length", "X-Content-Type-Options"} {
		got = append(got, r.header.Get(name))
	}
	want := []string{"<script>", "application/octet-stream", "attachment; filename*=utf-8''%C3%BC.html", "8", "nosniff"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for path, want := range map[string]string{
		"": "log results/a.csv results/ü.html", "?path=results/": "results/a.csv results/ü.html", "?path=log": "log",
		"?path=results/*.csv": "results/a.csv", "?path=res*": "results/a.csv results/ü.html",
	} {
		r := s.want(200, "GET", "/v1/jobs/j1/tasks/0/files/archive"+path, webtest.Alice, "")
		archive := tar.NewReader(strings.NewReader(r.text))
		var names []string
		for h, err := archive.Next(); err != io.EOF; h, err = archive.Next() {
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, h.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("archive%s holds %s, want %s", path, got, want)
		}
	}
}

func TestFilesOfOtherProjectsAndMissingOnesAreRefused(t *testing.T) {
	s := left(t, map[string]string{"a": ""})
	for _, c := range []struct {
		status              int
		path, token, reason string
	}{
		{403, "", webtest.Bob, "its files are for that project"},
		{403, "/archive", webtest.Viewer, "its files are for that project"},
		{403, "/content?path=a", webtest.Bob, "its files are for that project"},
		{422, "/content", webtest.Alice, "path"},
		{404, "/content?path=b", webtest.Alice, "has left no such file"},
		{404, "/archive?path=b", webtest.Alice, "has left no such file"},
		{404, "/content?path=*", webtest.Alice, "has left no such file"},
		{422, "/archive?path=%5Ba", webtest.Alice, "not closed"},
		{404, "?run=2", webtest.Alice, "no such run"},
	} {
		r := s.want(c.status, "GET", "/v1/jobs/j1/tasks/0/files"+c.path, c.token, "")
		if !strings.Contains(r.text, c.reason) {
			t.Errorf("%s: %s", c.path, r.text)
		}
	}
	s.want(404, "GET", "/v1/jobs/j1/tasks/1/files", webtest.Alice, "")
	s.submit(small)
	if r := s.want(404, "GET", "/v1/jobs/j2/tasks/0/files", webtest.Alice, ""); !strings.Contains(r.text, "no_results") {
		t.Error(r.text)
	}
}

// A client must be able to tell a part from the whole.
func TestADownloadThatFailsIsNotMistakenForTheWhole(t *testing.T) {
	s := left(t, map[string]string{"a": webtest.Damaged})
	for _, path := range []string{"/content?path=a", "/archive"} {
		request, err := http.NewRequest(http.MethodGet, s.URL+"/v1/jobs/j1/tasks/0/files"+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+webtest.Alice)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.ReadAll(response.Body)
		response.Body.Close()
		if err != io.ErrUnexpectedEOF {
			t.Errorf("%s: %v", path, err)
		}
	}
}
