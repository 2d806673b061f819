package web

import (
	"net/http"

	"github.com/klauspost/compress/gzhttp"
)

// compressed answers JSON in gzip to who accepts it: the map of a thousand nodes is a tenth as long. Whatever is
// written bit by bit (events, logs, exports) is none of its types and passes through as it comes.
func compressed(next http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.EnableZstd(false), gzhttp.ContentTypes([]string{"application/json", "application/problem+json", "application/openapi+json"}))
	if err != nil {
		panic(err) // the options above are constant
	}
	return wrap(next)
}
