package web

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"aliquot/cluster"
)

func (s *server) registerMetrics(to huma.API) {
	op := operation("get-metrics", "GET", "/v1/metrics", cluster.Viewer, "Metrics", "For Prometheus, in its text format.")
	op.Responses = map[string]*huma.Response{"200": {
		Description: "The metrics", Content: map[string]*huma.MediaType{"text/plain": {Schema: &huma.Schema{Type: "string"}}},
	}}
	serve := promhttp.HandlerFor(s.registry, promhttp.HandlerOpts{})
	register(s, to, op, func(context.Context, *struct{}) (*huma.StreamResponse, error) {
		return &huma.StreamResponse{Body: func(c huma.Context) {
			r, w := humamux.Unwrap(c)
			serve.ServeHTTP(w, r)
		}}, nil
	})
}

// measure counts and times requests by operation.
func (s *server) measure() func(huma.Context, func(huma.Context)) {
	total := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "aliquot_http_requests_total", Help: "Answered requests by operation and status.",
	}, []string{"operation", "status"})
	seconds := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "aliquot_http_request_seconds", Help: "Time to answer by operation; streams last as long as they are open.",
		Buckets: []float64{.001, .002, .005, .01, .02, .05, .1, .2, .5, 1, 5},
	}, []string{"operation"})
	s.registry.MustRegister(total, seconds)
	return func(ctx huma.Context, next func(huma.Context)) {
		begin := time.Now()
		next(ctx)
		id := ctx.Operation().OperationID
		total.WithLabelValues(id, strconv.Itoa(max(ctx.Status(), http.StatusOK))).Inc()
		seconds.WithLabelValues(id).Observe(time.Since(begin).Seconds())
	}
}
