package console

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"
)

//go:embed all:dist
var embedded embed.FS

// Built returns the console's files in this program. Without index.html the program was built without a console.
func Built() fs.FS {
	files, err := fs.Sub(embedded, "dist")
	if err != nil {
		panic("console: " + err.Error()) // dist is a constant
	}
	return files
}

// noncePlaceholder marks the places of the nonce in index.html.
const noncePlaceholder = "__CSP_NONCE__"

// assets is the folder of files whose names change with their content.
const assets = "assets/"

// types maps file extensions to content types. The machine's own table is not reliable.
var types = map[string]string{
	".css": "text/css; charset=utf-8", ".html": "text/html; charset=utf-8", ".ico": "image/x-icon",
	".js":   "text/javascript; charset=utf-8",
	".json": "application/json", ".map": "application/json", ".png": "image/png", ".svg": "image/svg+xml",
	".txt":         "text/plain; charset=utf-8",
	".webmanifest": "application/manifest+json", ".woff2": "font/woff2",
}

// encodings lists the encodings that the build may have used, the best first.
var encodings = []struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}}

// site serves the files.
type site struct {
	files fs.FS
	index []byte            // nil: not built
	tags  map[string]string // ETag by name
}

// Handler serves the console's files by their names, and index.html for every page's path.
func Handler(files fs.FS) (http.Handler, error) {
	s := &site{files: files, tags: map[string]string{}}
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, name)
		sum := sha256.Sum256(text)
		s.tags[name] = `"` + hex.EncodeToString(sum[:8]) + `"`
		return err
	})
	if err != nil {
		return nil, err
	}
	if s.index, err = fs.ReadFile(files, "index.html"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return s, nil
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		h.Set("Allow", "GET, HEAD")
		plain(w, http.StatusMethodNotAllowed, "The console's files can only be read.")
	case s.index == nil:
		notBuilt(w)
	case s.serves(name):
		s.file(w, r, name)
	case isFile(name):
		plain(w, http.StatusNotFound, "There is no such file in this version of the console. Load the page again.")
	default:
		s.page(w, r)
	}
}

// serves reports whether the path names a file that may be served, other than the page and compressed twins.
func (s *site) serves(name string) bool {
	return s.tags[name] != "" && name != "index.html" && !strings.HasPrefix(name, ".") && types[path.Ext(name)] != ""
}

// isFile reports whether a path asks for a file: one under assets, or with an extension at the top. Node names have
// dots, too.
func isFile(name string) bool {
	return strings.HasPrefix(name, assets) || !strings.Contains(name, "/") && path.Ext(name) != "" && name != "index.html"
}

// file sends a file, compressed if the build has such a version and the client accepts it.
func (s *site) file(w http.ResponseWriter, r *http.Request, name string) {
	h := w.Header()
	h.Set("Content-Type", types[path.Ext(name)])
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("Cache-Control", "no-cache")
	if strings.HasPrefix(name, assets) {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	chosen := name
	for _, e := range encodings {
		if s.tags[name+e.suffix] == "" {
			continue
		}
		h.Set("Vary", "Accept-Encoding")
		if chosen == name && accepts(r.Header.Get("Accept-Encoding"), e.name) {
			chosen = name + e.suffix
			h.Set("Content-Encoding", e.name)
		}
	}
	h.Set("ETag", s.tags[chosen])
	text, err := fs.ReadFile(s.files, chosen)
	if err != nil {
		plain(w, http.StatusInternalServerError, "The file cannot be read.")
		return
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text))
}

// accepts reports whether an Accept-Encoding header allows the encoding.
func accepts(header, encoding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, parameters, _ := strings.Cut(part, ";")
		if strings.TrimSpace(name) == encoding {
			q := strings.ReplaceAll(parameters, " ", "")
			return q != "q=0" && q != "q=0.0" && q != "q=0.00" && q != "q=0.000"
		}
	}
	return false
}

// page sends index.html with a fresh nonce.
func (s *site) page(w http.ResponseWriter, r *http.Request) {
	random := make([]byte, 18)
	rand.Read(random)
	nonce := base64.StdEncoding.EncodeToString(random)
	h := w.Header()
	h.Set("Content-Type", types[".html"])
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'self'; script-src 'self'; style-src 'self' 'nonce-"+nonce+
		"'; img-src 'self' data:; connect-src 'self'; "+
		"object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
	http.ServeContent(w, r, "", time.Time{},
		bytes.NewReader(bytes.ReplaceAll(s.index, []byte(noncePlaceholder), []byte(nonce))))
}

// missing is the page of a program without a console.
const missing = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Aliquot: no console in this program</title>
<h1>This program was built without its console</h1>
<p>REST works all the same: see <a href="/v1/docs">/v1/docs</a>.</p>
<p>To get the console, run this in the source tree and start aliquotd again:</p>
<pre>make console build</pre>
</html>
`

func notBuilt(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Type", types[".html"])
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	w.WriteHeader(http.StatusServiceUnavailable)
	_, _ = w.Write([]byte(missing)) // the reader has gone
}

func plain(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n")) // the reader has gone
}
