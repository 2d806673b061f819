package console_test

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"aliquot/web/console"
)

func text(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }

var built = fstest.MapFS{
	"index.html": text(
		`<meta name="csp-nonce" content="__CSP_NONCE__"><script src="/assets/main-a1.js"></script>`),
	"favicon.svg":          text("<svg/>"),
	".gitkeep":             text(""),
	"assets/main-a1.js":    text("plain"),
	"assets/main-a1.js.br": text("brotli"),
	"assets/main-a1.js.gz": text("gzipped"),
	"assets/style-b2.css":  text("body{}"),
}

func handler(t *testing.T, files fs.FS) http.Handler {
	t.Helper()
	h, err := console.Handler(files)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func ask(h http.Handler, method, path string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestEveryPathIsThePageOrAFileOrMissing(t *testing.T) {
	h := handler(t, built)
	for path, want := range map[string]string{
		"/": "page", "/jobs": "page", "/jobs/j17": "page", "/nodes/n1.example.com": "page", "/login": "page",
		"/index.html": "page", "/jobs/": "page",
		"/favicon.svg": "<svg/>", "/assets/main-a1.js": "plain", "/assets/style-b2.css": "body{}",
		"/favicon.ico": "missing", "/assets/main-00.js": "missing", "/assets": "page", "/assets/": "page",
		"/assets/main-a1.js.br": "missing", "/assets/main-a1.js.gz": "missing", "/.gitkeep": "missing",
		"/assets/../index.html": "page",
	} {
		w := ask(h, "GET", path)
		got := w.Body.String()
		switch {
		case w.Code == http.StatusNotFound:
			got = "missing"
		case strings.Contains(got, "csp-nonce"):
			got = "page"
		}
		if got != want {
			t.Errorf("%s: %d %q, want %s", path, w.Code, got, want)
		}
		if w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s may be sniffed", path)
		}
	}
}

func TestThePageIsNotStoredAndItsNonceIsItsOwn(t *testing.T) {
	h := handler(t, built)
	form := regexp.MustCompile(`content="([^"]+)"`)
	nonces := map[string]bool{}
	for range 2 {
		w := ask(h, "GET", "/")
		nonce := form.FindStringSubmatch(w.Body.String())[1]
		nonces[nonce] = true
		if policy := w.Header().Get("Content-Security-Policy"); !strings.Contains(policy, "'nonce-"+nonce+"'") ||
			strings.Contains(policy, "unsafe") || !strings.Contains(policy, "script-src 'self';") {
			t.Errorf("policy %q for nonce %q", policy, nonce)
		}
		if w.Header().Get("Cache-Control") != "no-store" || w.Header().Get("ETag") != "" {
			t.Errorf("it may be stored: %v", w.Header())
		}
	}
	if len(nonces) != 2 {
		t.Errorf("nonces %v are not new each time", nonces)
	}
}

func TestAssetsAreImmutableAndTheRestIsAskedForAgain(t *testing.T) {
	h := handler(t, built)
	if got := ask(h, "GET", "/assets/style-b2.css").Header().Get(
		"Cache-Control"); got != "public, max-age=31536000, immutable" {
		t.Errorf("assets: %q", got)
	}
	w := ask(h, "GET", "/favicon.svg")
	if w.Header().Get("Cache-Control") != "no-cache" || w.Header().Get("Content-Type") != "image/svg+xml" {
		t.Errorf("favicon: %v", w.Header())
	}
	if again := ask(h, "GET", "/favicon.svg", "If-None-Match",
		w.Header().Get("ETag")); again.Code != http.StatusNotModified {
		t.Errorf("the same file again: %d", again.Code)
	}
}

func TestACompressedFileIsForThoseWhoTakeIt(t *testing.T) {
	h := handler(t, built)
	for accept, want := range map[string]string{
		"": "plain", "identity": "plain", "gzip": "gzipped", "gzip, deflate, br": "brotli", "br;q=0, gzip;q=0.5": "gzipped",
		"br; q=0": "plain", "brotli": "plain",
	} {
		w := ask(h, "GET", "/assets/main-a1.js", "Accept-Encoding", accept)
		encoding := map[string]string{"plain": "", "gzipped": "gzip", "brotli": "br"}[want]
		if w.Body.String() != want || w.Header().Get("Content-Encoding") != encoding ||
			w.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("%q: %q with %v", accept, w.Body, w.Header())
		}
		if w.Header().Get("Content-Type") != "text/javascript; charset=utf-8" {
			t.Errorf("%q: %s", accept, w.Header().Get("Content-Type"))
		}
	}
	if w := ask(h, "GET", "/assets/style-b2.css", "Accept-Encoding",
		"br, gzip"); w.Header().Get("Content-Encoding") != "" || w.Header().Get("Vary") != "" {
		t.Errorf("a file that is not compressed: %v", w.Header())
	}
}

func TestOnlyReadingIsPossible(t *testing.T) {
	h := handler(t, built)
	if w := ask(h, "POST", "/jobs"); w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d %v", w.Code, w.Header())
	}
	if w := ask(h, "HEAD", "/assets/main-a1.js"); w.Code != http.StatusOK || w.Body.Len() != 0 ||
		w.Header().Get("Content-Length") != "5" {
		t.Errorf("HEAD: %d %q %v", w.Code, w.Body, w.Header())
	}
}

func TestAProgramWithoutAConsoleSaysHowToGetOne(t *testing.T) {
	h := handler(t, fstest.MapFS{".gitkeep": text("")})
	for _, path := range []string{"/", "/jobs/j1", "/assets/main-a1.js"} {
		if w := ask(h, "GET", path); w.Code != http.StatusServiceUnavailable ||
			!strings.Contains(w.Body.String(), "make console build") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

func TestWhatIsEmbeddedCanBeServed(t *testing.T) {
	if w := ask(handler(t, console.Built()), "GET", "/"); w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}
