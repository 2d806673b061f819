package web

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"

	"aliquot/cluster"
	"aliquot/web/api"
)

// Codes of problems found by REST itself; the others come from package cluster.
const (
	codeMalformed    = "malformed"
	codeUnauthorized = "unauthorized"
	codeCrossSite    = "cross_site"
	codeMethod       = "method_not_allowed"
	codeTooLarge     = "too_large"
	codeMediaType    = "unsupported_media_type"
	codeRateLimited  = "rate_limited"
	codeTooMany      = "too_many_streams"
	codeKeyReused    = string(cluster.CodeKeyReused)
	codeNoLeader     = "no_leader"
	codeUncertain    = "outcome_unknown"
	codeTooOld       = "resume_too_old"
	codeNoLogs       = "no_logs"
	codeNoResults    = "no_results"
	codeStoreSilent  = "store_silent"
	codeLastAdmin    = "last_admin"
	codeInternal     = "internal"
)

// kinds gives every code its status and its advice.
var kinds = map[string]struct {
	status int
	help   string
}{
	string(cluster.CodeNotFound):  {404, "It may have been removed: list what there is."}, // or the entry of whereToLook
	string(cluster.CodeForbidden): {403, api.HelpForbidden},
	string(cluster.CodeInvalid):   {422, "Correct it and try again."},
	string(cluster.CodeConflict):  {409, "Show the job: its state does not allow this."}, // or the entry of wayOut
	string(cluster.CodeStaleEpoch): {503,
		"Another manager has just taken over: repeat the request with the same Idempotency-Key."},
	string(cluster.CodeStaleBasis): {409,
		"The cluster has changed since the plan was made: plan again, then apply the new one."},
	string(cluster.CodeNeedsMoreCPU):  {422, "Ask for less CPU per task, use more tasks, or add a larger node."},
	string(cluster.CodeNeedsMoreMem):  {422, "Ask for less memory per task, use more tasks, or add a larger node."},
	string(cluster.CodeTooManyTasks):  {422, "Ask for fewer or smaller tasks, do not spread them, or add nodes."},
	string(cluster.CodeNoAllowedNode): {422, "Loosen the placement, or label a node: `labels` is a setting of its monitor."},
	string(cluster.CodeImageInUse):    {409, "Wait for the jobs that use the image, or cancel them."},
	string(cluster.CodeUnknownImage):  {422, "Push the image first, or name one that is listed."},
	string(cluster.CodeLimit):         {409, "Wait until some have ended, or remove what is no longer needed."},
	string(cluster.CodeQuota): {409,
		"Wait until jobs of it have ended, or ask an admin for more; `aliquot quota list` shows what is used."},
	string(cluster.CodeNoPromise): {409, "Ask for less."}, // and the ways that promiseHelp adds
	string(cluster.CodeInternalBug): {500,
		"Nothing was changed. Please report it with the manager's log and /v1/debug/view."},
	codeLastAdmin: {409, "Create another admin's token first, then revoke this one with it."},
	codeMalformed: {400, "Send one JSON value in UTF-8, as /v1/docs describes it."},
	codeUnauthorized: {401,
		"Send a valid token as `Authorization: Bearer …`; an admin can make one. In a browser, log in: `aliquot console login` prints an address."},
	codeCrossSite: {403, "Send the request from the console itself, with the header " + consoleHeader +
		": 1, or use a token."},
	codeMethod:      {405, "Use one of the methods in the Allow header."},
	codeTooLarge:    {413, "Send less; put a job's input data into an image."},
	codeMediaType:   {415, "Send application/json, or application/x-tar for images."},
	codeRateLimited: {429, "Slow down and try again after the time in Retry-After."},
	codeTooMany: {429,
		"Close streams that are no longer needed; one event stream serves a whole program."},
	codeKeyReused: {422, "Use a new Idempotency-Key for a new request."},
	codeNoLeader: {503,
		"Nothing was done: repeat the request with the same Idempotency-Key, or ask another manager."},
	codeUncertain: {504,
		"It may have been done: repeat the request with the same Idempotency-Key to find out."},
	codeTooOld:      {410, "Read the present state, then follow the events from now on."},
	codeNoLogs:      {404, "Wait until the task has started; see its state."},
	codeNoResults:   {404, "Wait until the task has started; if it has ended, its files may have been removed."},
	codeStoreSilent: {503, "Try again later, or ask another manager; an operator should check the store's mount."},
	codeInternal:    {500, "Try again; if it persists, please report it with the manager's log."},
}

// whereToLook gives advice for a missing object, by the field that named it.
var whereToLook = map[string]string{
	"job":        "List the jobs; ended ones are forgotten after a while.",
	"node":       "List the nodes.",
	"image":      "List the images.",
	"offer":      "List the offers that are held.",
	"token":      "List the tokens.",
	"session":    "List the sessions.",
	"manager":    "Ask another manager.",
	"task":       "Show the job with its tasks.",
	"path":       "List the files of the task: the job's outputs name those that are kept when it ends.",
	"after":      "List the jobs; ended ones are forgotten after a while.",
	"workflow":   "List the workflows; they are forgotten with their jobs.",
	"start":      "Show the node with its planned maintenance.",
	"standing":   "List the standing reservations; those that are over are not kept.",
	"simulation": "List the simulations of the manager that ran it; old ones are forgotten.",
	"run":        "Show the job with the runs of its tasks, or list the strays.",
}

// wayOut gives advice on a conflict, by the field that it is about.
var wayOut = map[string]string{
	"after":           "Let the job wait for others, or for none.",
	"Idempotency-Key": "Repeat the request with a new Idempotency-Key.",
	"image":           "List the images, and name one by its digest.",
	"live":            "Simulate a trace, or wait until there are nodes and jobs.",
	"manager":         "Ask another manager, or an admin to let this one run them.",
	"network":         "Ask an admin, or submit the job without a network.",
	"node":            "Show the node: its health, its tasks and its planned maintenance.",
	"offer":           "List the offers that are held, or submit the job again for new ones.",
	"run":             "Show the job with the runs of its tasks, or list the strays.",
	"simulation":      "Show the simulation; wait for its end, or cancel it.",
	"start":           "Show the node with its planned maintenance.",
	"subnet":          "Wait until these jobs have ended, or cancel them.",
	"workflow":        "Show the workflow with its tasks.",
}

// problem is an error that is sent as problem+json.
type problem struct {
	api.Problem
	header http.Header
}

func (p *problem) Error() string { return p.Detail }

// GetStatus returns the HTTP status, for huma.
func (p *problem) GetStatus() int { return p.Status }

// GetHeaders returns further headers of the answer, for huma.
func (p *problem) GetHeaders() http.Header { return p.header }

// ContentType returns the type of problem details, for huma.
func (p *problem) ContentType(string) string { return "application/problem+json" }

func newProblem(code, field, format string, args ...any) *problem {
	kind, ok := kinds[code]
	if !ok {
		kind = kinds[codeInternal]
	}
	p := &problem{api.Problem{
		Type: "about:blank", Title: http.StatusText(kind.status), Status: kind.status,
		Code: code, Field: field, Detail: fmt.Sprintf(format, args...), Help: kind.help,
	}, http.Header{}}
	switch code {
	case string(cluster.CodeNotFound):
		p.Help = cmp.Or(whereToLook[field], kind.help)
	case string(cluster.CodeConflict):
		p.Help = cmp.Or(wayOut[field], kind.help)
	}
	if kind.status == http.StatusUnauthorized {
		p.header.Set("WWW-Authenticate", `Bearer realm="aliquot"`)
	}
	if kind.status == http.StatusServiceUnavailable || kind.status == http.StatusTooManyRequests {
		p.retryAfter(time.Second)
	}
	return p
}

func (p *problem) retryAfter(d time.Duration) {
	p.header.Set("Retry-After", strconv.Itoa(max(1, int(d.Round(time.Second)/time.Second))))
}

// write sends the problem where huma does not.
func (p *problem) write(w http.ResponseWriter) {
	if r, ok := w.(*recorder); ok {
		r.refuse(p.Code)
	}
	for k, values := range p.header {
		w.Header()[k] = values
	}
	w.Header().Set("Content-Type", p.ContentType(""))
	w.WriteHeader(p.Status)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(p) // an error means that the client has gone
}

// refusal converts a rejection. The output of a bug stays in the log.
func refusal(r *cluster.Rejection) *problem {
	if r.Code == cluster.CodeInternalBug {
		first, _, _ := strings.Cut(r.Detail, ",")
		return newProblem(string(r.Code), "", "a bug was caught at %s", first)
	}
	p := newProblem(string(r.Code), r.Field, "%s", r.Detail)
	p.Alternatives = alternativesJSON(r.Alternatives)
	if r.Code == cluster.CodeNoPromise || slices.ContainsFunc(p.Alternatives, isHeld) {
		p.Help = promiseHelp(p, r.Unquoted, false)
	}
	return p
}

// problemFor converts any error of the manager into a problem that advises the request's actor.
func problemFor(ctx context.Context, err error) *problem {
	p := problemOf(err)
	var r *cluster.Rejection
	if errors.As(err, &r) && r.Code == cluster.CodeNoPromise && actor(ctx).Role == cluster.Admin {
		p.Help = promiseHelp(p, r.Unquoted, true)
	}
	return p
}

// promiseHelp returns advice on a refused promise: its offers and alternatives, where there are any, and the quota that
// would raise the limit of the owner or the project, which an admin sets. The end of a promise is moved by less.
func promiseHelp(p *problem, unquoted string, admin bool) string {
	var ways []string
	less := "ask for less"
	moves := p.Field == "by"
	if moves {
		less = "move the end by less"
	}
	if slices.ContainsFunc(p.Alternatives, isHeld) {
		ways = append(ways, "accept an offer while it is held")
	}
	if !moves && slices.ContainsFunc(p.Alternatives, func(a api.Alternative) bool { return !isHeld(a) }) {
		ways = append(ways, "submit one of the alternatives")
	}
	if unquoted != "" {
		way := "ask an admin for a quota (`aliquot quota set --%s --cpu … --memory …`)"
		if admin {
			way = "set a quota: `aliquot quota set --%s --cpu … --memory …`"
		}
		ways = append(ways, fmt.Sprintf(way, unquoted))
	}
	help := strings.Join(append(ways, less), ", or ")
	return strings.ToUpper(help[:1]) + help[1:] + "."
}

// isHeld reports whether the alternative is an offer that is held.
func isHeld(a api.Alternative) bool { return a.Offer != "" }

// problemOf converts any error of the manager into a problem.
func problemOf(err error) *problem {
	var p *problem
	var rejection *cluster.Rejection
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &rejection):
		return refusal(rejection)
	case errors.Is(err, ErrNoLeader):
		return newProblem(codeNoLeader, "", "no manager leads at present")
	case errors.Is(err, ErrUncertain), errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return newProblem(codeUncertain, "", "no majority confirmed the request in time")
	case errors.Is(err, ErrTooOld):
		return newProblem(codeTooOld, "since", "events after that revision are no longer kept")
	case errors.Is(err, ErrStoreSilent):
		return newProblem(codeStoreSilent, "", "the store with the output does not answer")
	case errors.Is(err, ErrNoLogs):
		return newProblem(codeNoLogs, "", "no output of the run is kept")
	case errors.Is(err, ErrNoStream):
		return newProblem(string(cluster.CodeConflict), "", "%v", err)
	case errors.Is(err, ErrNoResults):
		return newProblem(codeNoResults, "", "no files of the run are kept")
	}
	return newProblem(codeInternal, "", "the request failed: %v", err)
}

func init() {
	huma.NewError = humaProblem
	huma.DefaultArrayNullable = false
	huma.ValidateStrictCasing = true
	validation.MsgUnexpectedProperty = "there is no such field"
	validation.MsgExpectedRFC3339DateTime = "expected a time with its zone, like 2026-11-26T14:00:00Z"
}

// codeOf maps the statuses of huma's own errors to codes.
var codeOf = map[int]string{
	400: codeMalformed, 406: codeMediaType, 408: codeMalformed, 413: codeTooLarge, 415: codeMediaType,
	422: string(cluster.CodeInvalid),
}

// humaProblem converts huma's own errors. It drops values, because they may be secrets.
func humaProblem(status int, message string, errs ...error) huma.StatusError {
	p := newProblem(cmp.Or(codeOf[status], codeInternal), "", "%s", message)
	var limit int64
	if n, _ := fmt.Sscanf(message, "request body is too large limit=%d bytes", &limit); n == 1 {
		p.Detail = fmt.Sprintf("the body is larger than the limit of %s", cluster.Bytes(limit).Words())
	}
	for _, err := range errs {
		var detailer huma.ErrorDetailer
		if !errors.As(err, &detailer) {
			continue
		}
		d := detailer.ErrorDetail()
		p.Errors = append(p.Errors, faultOf(d))
	}
	slices.SortFunc(p.Errors, func(a, b api.Fault) int {
		return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Message, b.Message))
	})
	if len(p.Errors) > 0 {
		p.Field, p.Detail = p.Errors[0].Field, p.Errors[0].Message
	}
	if len(p.Errors) == 1 {
		p.Errors = nil
	}
	if more := len(p.Errors) - maxFaults; more > 0 {
		p.Errors = append(p.Errors[:maxFaults:maxFaults], api.Fault{Message: fmt.Sprintf("and %d more", more)})
	}
	return p
}

// faultOf names the missing or wrong field without its value.
func faultOf(d *huma.ErrorDetail) api.Fault {
	where, message := field(d.Location), harmless(d.Message)
	if name, ok := strings.CutPrefix(message, "expected required property "); ok {
		name = strings.TrimSuffix(name, " to be present")
		return api.Fault{Field: strings.TrimPrefix(where+"."+name, "."), Message: "is missing"}
	}
	return api.Fault{Field: where, Message: message}
}

// field strips the part of the request from a location; "" is the whole body.
func field(location string) string {
	if location == "body" {
		return ""
	}
	for _, part := range []string{"body.", "query.", "path.", "header."} {
		if rest, ok := strings.CutPrefix(location, part); ok {
			return rest
		}
	}
	return location
}

// harmless removes quotations of the input from a decoder's message.
func harmless(message string) string {
	if strings.HasPrefix(message, "invalid character") || strings.HasPrefix(message, "json:") ||
		strings.HasPrefix(message, "unexpected end") {
		return "is not valid JSON of the expected form"
	}
	return message
}
