package web

import (
	"net/http"

	"github.com/klauspost/compress/gzhttp"
)

// compressed sends JSON in gzip to clients that accept it: the map of a thousand nodes shrinks to a tenth. Streams
// (events, logs, exports) have other types and pass through unchanged.
func compressed(next http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.EnableZstd(false),
		gzhttp.ContentTypes([]string{"application/json", "application/problem+json", "application/openapi+json"}))
	if err != nil {
		panic(err) // the options above are constant
	}
	return wrap(next)
}
