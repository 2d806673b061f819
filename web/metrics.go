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

// clusterCollector computes gauges from the state on request.
type clusterCollector struct{ manager Manager }

func gauge(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("aliquot_"+name, help, labels, nil)
}

var (
	jobsGauge  = gauge("jobs", "Jobs that have not ended, by state.", "state")
	tasksGauge = gauge("tasks", "Tasks of jobs that have not ended, by state.", "state")
	movesGauge = gauge("moves", "Moves in progress, by kind.", "kind")
	leastYield = gauge("yield_least", "Least yield of the placed jobs; absent if there is none.")
	meanYield  = gauge("yield_mean", "Mean yield of the placed jobs; absent if there is none.")
	nodeReady  = gauge("node_ready", "1 if the node's lease is valid.", "node")
	hypervisor = gauge("node_hypervisor_answers", "1 if the node's hypervisor answered at the last report.", "node")
	nodeCPU    = gauge("node_cpu_cores",
		"CPU of a node: its capacity for the cluster, the needs and shares placed on it, and the guaranteed part of the shares.", "node", "what")
	nodeMemory = gauge("node_memory_bytes", "Memory of a node: its capacity for the cluster, and the reserved part.",
		"node", "what")
	nodeWork = gauge("node_work_seconds",
		"Work of the VMs on a node, as last reported: CPU time that they had (ran), and CPU time that their caps allowed but the node did not give (waited).", "node", "what")
	nodeStrays    = gauge("node_strays", "VMs of the cluster that are not expected on the node.", "node")
	storeFree     = gauge("store_free_bytes", "Free space of the store of saved images; absent if there is none.")
	revisionGauge = gauge("revision", "Revision of this replica's state.")
	leadsGauge    = gauge("leads", "1 if this replica leads.")
	backoffGauge  = gauge("decision_backoff_seconds",
		"Time before the leader decides again on jobs whose decision could not be adopted; 0: none.")
	allDescriptors = []*prometheus.Desc{
		jobsGauge, tasksGauge, movesGauge, leastYield, meanYield, nodeReady, hypervisor, nodeCPU, nodeMemory, nodeWork,
		nodeStrays, storeFree, revisionGauge, leadsGauge, backoffGauge,
	}
)

// Describe sends the descriptions of all gauges.
func (clusterCollector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range allDescriptors {
		to <- d
	}
}

// Collect computes all gauges from the newest state of this replica.
func (c clusterCollector) Collect(to chan<- prometheus.Metric) {
	v, h := c.manager.Latest(), c.manager.Health()
	set := func(d *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	set(revisionGauge, float64(v.Revision))
	set(leadsGauge, float64(bit(h.Leads)))
	set(backoffGauge, h.Backoff.Seconds())
	if room := v.StoreRoom(); room >= 0 {
		set(storeFree, float64(room))
	}
	collectJobs(v, set)
	collectNodes(v, set)
}

func collectJobs(v *cluster.Snapshot, set func(*prometheus.Desc, float64, ...string)) {
	jobs, tasks, moves := map[string]int{}, map[string]int{}, map[string]int{}
	for j := range v.Jobs() {
		jobs[stateOf(v, j)]++
		for i := range j.Tasks {
			tasks[taskState(&j.Tasks[i], v.Move(cluster.TaskID{Job: j.ID, Index: i}))]++
		}
	}
	for m := range v.Moves() {
		moves[m.Kind.String()]++
	}
	for d, counts := range map[*prometheus.Desc]map[string]int{jobsGauge: jobs, tasksGauge: tasks, movesGauge: moves} {
		for label, n := range counts {
			set(d, float64(n), label)
		}
	}
	sum := 0.0
	for id, p := range v.TargetAll().All() {
		sum += *yieldOf(v.Job(id), p)
	}
	if y, n := least(v); n > 0 {
		set(leastYield, *y)
		set(meanYield, sum/float64(n))
	}
}

// workByNode sums the reported work of the VMs on each node.
func workByNode(v *cluster.Snapshot) map[cluster.NodeID]cluster.Work {
	work := map[cluster.NodeID]cluster.Work{}
	for j := range v.Jobs() {
		for i := range j.Tasks {
			if t := &j.Tasks[i]; t.Progress != nil {
				sum := work[t.Node]
				sum.Ran += t.Progress.Work.Ran
				sum.Waited += t.Progress.Work.Waited
				work[t.Node] = sum
			}
		}
	}
	return work
}

func collectNodes(v *cluster.Snapshot, set func(*prometheus.Desc, float64, ...string)) {
	work := workByNode(v)
	cores := func(c cluster.CPU) float64 { return float64(c) / float64(cluster.Core) }
	for n := range v.Nodes() {
		c := n.Capacity()
		set(nodeReady, float64(bit(n.Health == cluster.Ready)), n.Name)
		set(hypervisor, float64(bit(!n.HypervisorSilent)), n.Name)
		set(nodeCPU, cores(c.CPU), n.Name, "capacity")
		set(nodeCPU, cores(n.Load.Need), n.Name, "need")
		set(nodeCPU, cores(n.Load.Granted()), n.Name, "share")
		set(nodeCPU, cores(n.Load.Guaranteed), n.Name, "guaranteed")
		set(nodeMemory, float64(c.Memory), n.Name, "capacity")
		set(nodeMemory, float64(n.Load.Memory), n.Name, "reserved")
		set(nodeWork, work[n.ID].Ran.Seconds(), n.Name, "ran")
		set(nodeWork, work[n.ID].Waited.Seconds(), n.Name, "waited")
		set(nodeStrays, float64(len(n.Strays)), n.Name)
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
