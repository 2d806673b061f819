package web

import (
	"context"
	"crypto/rand"
	"log"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"
	"github.com/gorilla/mux"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"aliquot/cluster"
	"aliquot/web/api"
)

// Time limits of a request. Streams extend theirs as long as they make progress.
const (
	requestTime = 30 * time.Second
	headerTime  = 5 * time.Second
	idleTime    = 2 * time.Minute
	heartbeat   = 15 * time.Second
)

// Options configure a handler.
type Options struct {
	Manager  Manager
	Version  string
	Registry *prometheus.Registry // gathered with REST's own metrics; nil: a new one
	Log      zerolog.Logger       // for failures of the manager itself
	Key      []byte               // key for sessions, shared by all managers; nil: a random key
	Console  http.Handler         // answers paths outside REST; nil: 404

	// Invite makes a join token for a node and the hash of its secret.
	Invite func() (token string, hash [32]byte)

	Simulations Simulations  // nil: this manager runs no simulations
	Peers       *http.Client // client for requests to other managers; nil: http.DefaultClient
	Audit       Audit        // nil: nothing is recorded
	Uses        Uses         // nil: uses are not known
}

// server holds the state shared by the operations.
type server struct {
	manager  Manager
	version  string
	log      zerolog.Logger
	registry *prometheus.Registry
	requests *limiter
	guesses  *limiter
	logins   *budget // for bodies sent before login
	users    *budget // for bodies sent with a valid token
	streams  *slots
	uploads  *slots // images that are being pushed
	tunnels  *slots // streams into VMs
	beat     time.Duration
	key      passKey
	invite   func() (token string, hash [32]byte)

	simulations Simulations
	peers       *http.Client
	audit       Audit
	uses        Uses
}

// NewHandler returns the handler of all of REST, and of the console if there is one. Without a console, paths outside
// /v1 are answered 404.
func NewHandler(o Options) http.Handler {
	s, router, _ := build(o)
	return s.guard(compressed(s.recording(router)))
}

func build(o Options) (*server, *mux.Router, huma.API) {
	s := &server{
		manager: o.Manager, version: o.Version, log: o.Log, registry: o.Registry,
		requests: newLimiter(requestsPerSecond), guesses: newLimiter(guessesPerSecond),
		logins: newBudget(bodiesOfLogins), users: newBudget(bodiesOfUsers),
		streams: newSlots(streamsInAll, streamsPerOwner), uploads: newSlots(uploadsInAll, uploadsPerOwner),
		tunnels: newSlots(tunnelsInAll, tunnelsPerOwner),
		beat:    heartbeat, key: o.Key, simulations: o.Simulations, peers: o.Peers,
		invite: o.Invite, audit: o.Audit, uses: o.Uses,
	}
	if s.peers == nil {
		s.peers = http.DefaultClient
	}
	if s.key == nil {
		s.key = passKey(rand.Text())
	}
	if s.registry == nil {
		s.registry = prometheus.NewRegistry()
	}
	router := mux.NewRouter()
	router.NotFoundHandler = http.HandlerFunc(notFound)
	router.MethodNotAllowedHandler = methodNotAllowed(router)
	description := humamux.New(router, s.config())
	description.UseMiddleware(s.measure(), s.arrive, s.authenticate, s.bodies, s.throughLeader)
	s.registerSystem(description)
	s.registerOverview(description)
	s.registerMap(description)
	s.registerPast(description)
	s.registerJobs(description)
	s.registerWorkflows(description)
	s.registerLogs(description)
	s.registerResults(description)
	s.registerStreams(description)
	s.registerNodes(description)
	s.registerEvents(description)
	s.registerPlans(description)
	s.registerImages(description)
	s.registerTokens(description)
	s.registerQuotas(description)
	s.registerTheta(description)
	s.registerNetwork(description)
	s.registerReservations(description)
	s.registerOffers(description)
	s.registerStanding(description)
	s.registerUsage(description)
	s.registerExperience(description)
	s.registerSpeeds(description)
	s.registerSessions(description)
	s.registerUsedSessions(description)
	s.registerAudit(description)
	s.registerSimulations(description)
	complete(description.OpenAPI())
	s.registry.MustRegister(clusterCollector{s.manager})
	if s.audit != nil {
		s.registry.MustRegister(auditCollector{s.audit})
	}
	router.Methods(http.MethodGet).Path("/v1/docs").Handler(docs(description.OpenAPI()))
	router.Path("/metrics").Handler(http.RedirectHandler("/v1/metrics", http.StatusPermanentRedirect))
	if o.Console != nil {
		router.MatcherFunc(outsideREST).Handler(o.Console)
	}
	return s, router, description
}

// outsideREST leaves 404 and 405 under /v1 to REST.
func outsideREST(r *http.Request, _ *mux.RouteMatch) bool {
	return r.URL.Path != "/v1" && !strings.HasPrefix(r.URL.Path, "/v1/")
}

func (s *server) config() huma.Config {
	c := huma.DefaultConfig("Aliquot", s.version)
	c.OpenAPIPath, c.DocsPath, c.SchemasPath, c.CreateHooks = "/v1/openapi", "", "", nil
	c.RejectUnknownQueryParameters = true
	c.Formats = formats()
	c.Info.Description = "Fractional shares of CPU for jobs in virtual machines. Every answer but health and version needs a token: `Authorization: Bearer …`."
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"token": {Type: "http", Scheme: "bearer"},
		"session": {Type: "apiKey", In: "cookie", Name: "aliquot-…",
			Description: "From POST /v1/session; requests that change something also need the header " + consoleHeader + ": 1"},
	}
	return c
}

// leaderHeader names the leader's base URL in the answers of followers, because only the leader knows the usage.
const leaderHeader = "Aliquot-Leader"

const (
	roleKey   = "least role"
	leaderKey = "through the leader"
)

// operation describes an operation; least is the role that it requires, 0 for none.
func operation(id, method, path string, least cluster.Role, summary, description string) huma.Operation {
	op := huma.Operation{
		OperationID: id, Method: method, Path: path, Summary: summary, Description: description,
		Metadata: map[string]any{roleKey: least}, BodyReadTimeout: requestTime,
		Tags: []string{tagOf(path)},
	}
	if least > 0 {
		op.Security = []map[string][]string{{"token": {}}, {"session": {}}}
		op.Description += "\n\nNeeds the role " + least.String() + "."
	}
	return op
}

// register adds an operation. Errors of the handler become problems; only internal errors are logged.
func register[I, O any](s *server, to huma.API, op huma.Operation, handle func(context.Context, *I) (*O, error)) {
	registerFor(s, to, op, requestTime, handle)
}

// registerFor is register with another time limit.
func registerFor[I, O any](s *server, to huma.API, op huma.Operation, bound time.Duration,
	handle func(context.Context, *I) (*O, error)) {
	huma.Register(to, op, func(ctx context.Context, in *I) (*O, error) {
		ctx, cancel := context.WithTimeout(ctx, bound)
		defer cancel()
		out, err := handle(ctx, in)
		if err == nil {
			return out, nil
		}
		p := problemFor(ctx, err)
		recordOf(ctx).entry.Code = p.Code
		if p.Status == http.StatusInternalServerError {
			s.log.Error().Err(err).Str("operation", op.OperationID).
				Msg("request failed with an internal error; please report it with this log")
		}
		return nil, p
	})
}

// body is an answer in JSON.
type body[T any] struct{ Body T }

func answer[T any](v T) *body[T] { return &body[T]{v} }

// do proposes an action and turns a refusal into an error.
func (s *server) do(ctx context.Context, key string, a cluster.Action) (cluster.Result, error) {
	recordOf(ctx).tried = true
	result, err := s.manager.Do(ctx, actor(ctx), request(ctx, key), a)
	if result.Job != 0 {
		recordOf(ctx).about(result.Job.String())
	}
	if err == nil && result.Rejection != nil {
		err = result.Rejection
	}
	if err == nil && result.Offered != nil {
		err = result.Offered
	}
	return result, err
}

// request names a user's request for idempotence. The keys of different actors are separate.
func request(ctx context.Context, key string) string {
	if key == "" {
		return ""
	}
	return "rest/" + bearer(ctx).ID + "/" + key
}

func accepted(r cluster.Result) *body[api.Accepted] {
	out := api.Accepted{Revision: r.Revision, Repeated: r.Repeated}
	if r.Job != 0 {
		out.Job = r.Job.String()
	}
	if r.Standing != 0 {
		out.Standing = r.Standing.String()
	}
	return answer(out)
}

// Keyed is part of every request that changes something.
type Keyed struct {
	Key string `header:"Idempotency-Key" maxLength:"128" doc:"Names the request: repeating it with the same key has no further effect"`
}

// guard wraps the whole handler: it catches panics and sets the headers of all answers.
func (s *server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if cause := recover(); cause != nil && cause != http.ErrAbortHandler {
				s.log.Error().Interface("panic", cause).Bytes("stack", debug.Stack()).Str("path", r.URL.Path).
					Msg("request failed with a panic; please report it with this log")
				newProblem(codeInternal, "", "the request failed because of a bug").write(w)
			}
		}()
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-store")
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		if r.TLS != nil {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		if health := s.manager.Health(); !health.Leads && health.Leader != "" {
			h.Set(leaderHeader, health.Leader)
		}
		next.ServeHTTP(w, r)
	})
}

// clientErrors takes the lines of net/http's own log.
type clientErrors struct{ zerolog.Logger }

// ClientErrors returns a log for an http.Server. Its lines appear at the level of debugging: anybody can cause them.
func ClientErrors(to zerolog.Logger) *log.Logger { return log.New(clientErrors{to}, "", 0) }

func (c clientErrors) Write(line []byte) (int, error) {
	c.Debug().Str("detail", strings.TrimSpace(string(line))).Msg("a connection failed")
	return len(line), nil
}

func notFound(w http.ResponseWriter, r *http.Request) {
	p := newProblem(string(cluster.CodeNotFound), "", "there is nothing at this path")
	p.Help = "See /v1/docs for the existing paths."
	p.write(w)
}

// methodNotAllowed answers with the methods of the path.
func methodNotAllowed(router *mux.Router) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p := newProblem(codeMethod, "", "this path does not accept %s", r.Method)
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete} {
			other := r.Clone(r.Context())
			other.Method = method
			if match := (mux.RouteMatch{}); router.Match(other, &match) && match.MatchErr == nil {
				p.header.Add("Allow", method)
			}
		}
		p.write(w)
	})
}

// NewServer returns a server for the handler with limits per client. Shutting it down ends open streams. The server
// logs at the level of debugging what clients do wrong, such as broken handshakes, because anybody can.
func NewServer(address string, handler http.Handler, to zerolog.Logger) *http.Server {
	ctx, cancel := context.WithCancelCause(context.Background())
	server := &http.Server{
		Addr: address, Handler: handler, BaseContext: baseContext(ctx),
		ReadHeaderTimeout: headerTime, ReadTimeout: requestTime, WriteTimeout: requestTime + headerTime,
		IdleTimeout: idleTime, MaxHeaderBytes: 32 << 10, ErrorLog: ClientErrors(to),
	}
	server.RegisterOnShutdown(func() { cancel(errStops) })
	return server
}
