package web_test

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"aliquot/web/webtest"
)

func TestJSONIsCompressedForWhoAcceptsIt(t *testing.T) {
	s := newSite(t)
	for accept, want := range map[string]string{"identity": "", "gzip": "gzip", "gzip;q=0": "", "br, gzip": "gzip"} {
		answer := s.call("GET", "/v1/openapi.json", "", "", "Accept-Encoding: "+accept)
		if got := answer.header.Get("Content-Encoding"); got != want {
			t.Errorf("Accept-Encoding %q: Content-Encoding %q, want %q", accept, got, want)
		}
		var document struct{ OpenAPI string }
		if err := json.Unmarshal([]byte(unzip(t, want, answer.text)), &document); err != nil || document.OpenAPI == "" {
			t.Errorf("Accept-Encoding %q: no OpenAPI document: %v", accept, err)
		}
	}
}

func TestStreamsAreNeverCompressed(t *testing.T) {
	s := newSite(t)
	lines, end := s.open("/v1/events", webtest.Admin, "Accept-Encoding: gzip")
	defer end()
	if got := next(t, lines); !strings.HasPrefix(got, "hello ") {
		t.Errorf("the stream begins with %q", got)
	}
}

func unzip(t *testing.T, encoding, text string) string {
	if encoding == "" {
		return text
	}
	unzipped, err := gzip.NewReader(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(unzipped)
	if err != nil {
		t.Fatal(err)
	}
	return string(plain)
}
