package web

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gorilla/mux"
	"github.com/prometheus/client_golang/prometheus"

	"aliquot/cluster"
)

const auditKey = "audited"

// audited marks an operation as one that is recorded: one that shows secrets.
func audited(op huma.Operation) huma.Operation {
	op.Metadata[auditKey] = true
	return op
}

// unaudited marks an operation that changes nothing, although it is not a GET.
func unaudited(op huma.Operation) huma.Operation {
	op.Metadata[auditKey] = false
	return op
}

// triedKey is the function that returns what a request names in its body, if that exists. It is recorded of requests
// that are refused because of their role. Other things may be secrets.
const triedKey = "tried"

// record collects the entry of the audit log while a request is answered.
type record struct {
	entry   AuditEntry
	always  bool // it is recorded whatever the outcome; otherwise only if the sender was refused
	changes bool // it asks for a change
	tried   bool // the change was proposed, so its object exists
	done    bool
}

type recordKey struct{}

// recordOf returns the record of the request; one that nobody reads if the request has none.
func recordOf(ctx context.Context) *record {
	if r, ok := ctx.Value(recordKey{}).(*record); ok {
		return r
	}
	return new(record)
}

// begin records the operation and the address.
func (r *record) begin(op *huma.Operation, from string) {
	r.entry.Operation, r.entry.From = op.OperationID, from
	r.changes = op.Method != http.MethodGet
	r.always = r.changes
	if marked, ok := op.Metadata[auditKey].(bool); ok {
		r.always, r.changes = marked, r.changes && marked
	}
}

// by records the token, if it is known.
func (r *record) by(t *cluster.Token) {
	if t != nil {
		r.entry.Token, r.entry.Actor, r.entry.Role = t.ID, t.Actor.Name, t.Actor.Role.String()
	}
}

// about records the thing that the request concerns.
func (r *record) about(object string) { r.entry.Object = object }

// concerns records the things that the path names.
func (r *record) concerns(request *http.Request) {
	vars := mux.Vars(request)
	var names []string
	for _, key := range slices.Sorted(maps.Keys(vars)) {
		names = append(names, vars[key])
	}
	r.about(strings.Join(names, " "))
}

// recording puts a record into every request, and writes its entry before the answer.
func (s *server) recording(next http.Handler) http.Handler {
	if s.audit == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		to := &recorder{ResponseWriter: w, record: new(record), audit: s.audit}
		status := http.StatusInternalServerError // of a panic
		defer func() { to.settle(status) }()
		next.ServeHTTP(to, r.WithContext(context.WithValue(r.Context(), recordKey{}, to.record)))
		status = http.StatusOK
	})
}

// recorder writes the entry of a request before the answer begins.
type recorder struct {
	http.ResponseWriter
	record *record
	audit  Audit
}

func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *recorder) WriteHeader(status int) {
	if status >= http.StatusOK || status == http.StatusSwitchingProtocols { // others are not the answer
		w.settle(status)
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *recorder) Write(p []byte) (int, error) {
	w.settle(http.StatusOK)
	return w.ResponseWriter.Write(p)
}

// refuse records the code of a problem that is about to be written.
func (w *recorder) refuse(code string) { w.record.entry.Code = code }

// settle writes the entry once, if the request is one to record. An accepted change is on disk before its answer.
func (w *recorder) settle(status int) {
	r := w.record
	denied := status == http.StatusUnauthorized || status == http.StatusForbidden
	if r.done || r.entry.Operation == "" || !r.always && !denied {
		return
	}
	r.done = true
	e, accepted := r.entry, status < http.StatusBadRequest
	e.Status, e.Code = status, cmp.Or(e.Code, codeOf[status])
	if accepted {
		e.Code = ""
	}
	if !accepted && !r.confirmed(status) {
		e.Object = ""
	}
	w.audit.Add(e, accepted && r.changes)
}

// confirmed reports whether the object of a refused or failed request exists. Others may be anything, even a secret.
func (r *record) confirmed(status int) bool {
	return status == http.StatusForbidden || status == http.StatusConflict ||
		status == http.StatusGatewayTimeout && r.tried
}

// auditCollector shows the counts of the audit log as metrics.
type auditCollector struct{ audit Audit }

var (
	auditEntries  = gauge("audit_entries_total", "Entries written to this manager's audit log.")
	auditRepeated = gauge("audit_repeated_total", "Requests that only raised the count of an entry of the audit log.")
	auditDropped  = gauge("audit_dropped_total",
		"Entries of the audit log that were lost: the disk refused them, or syslog did not take them.", "where")
	auditBytes = gauge("audit_bytes", "Size of this manager's audit log.")
)

// Describe sends the descriptions of the metrics.
func (auditCollector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{auditEntries, auditRepeated, auditDropped, auditBytes} {
		to <- d
	}
}

// Collect sends the present counts.
func (c auditCollector) Collect(to chan<- prometheus.Metric) {
	n := c.audit.Counts()
	count := func(d *prometheus.Desc, value uint64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(value), labels...)
	}
	count(auditEntries, n.Entries)
	count(auditRepeated, n.Repeated)
	count(auditDropped, n.Unwritten, "disk")
	count(auditDropped, n.Unsent, "syslog")
	to <- prometheus.MustNewConstMetric(auditBytes, prometheus.GaugeValue, float64(n.Bytes))
}
