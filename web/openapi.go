package web

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"aliquot/cluster"
)

// refusals describes the answers by which operations refuse a request.
var refusals = map[int]string{
	http.StatusUnauthorized:        "No token, or one that is unknown, expired or revoked",
	http.StatusForbidden:           "The token's role, owner or project may not do this",
	http.StatusNotFound:            "Nothing has that name or id",
	http.StatusConflict:            "The present state does not allow it",
	http.StatusUnprocessableEntity: "A field or parameter is wrong",
	http.StatusTooManyRequests:     "Too many requests or streams; Retry-After says when to try again",
	http.StatusServiceUnavailable:  "This manager cannot answer now; another one may",
}

// complete adds to a description of all operations what generators of clients and linters expect.
func complete(d *huma.OpenAPI) {
	d.Info.License = &huma.License{Name: "Apache 2.0", Identifier: "Apache-2.0"}
	d.Servers = []*huma.Server{{URL: "/", Description: "The manager that serves this description"}}
	d.Components.Responses = map[string]*huma.Response{}
	for status, text := range refusals {
		d.Components.Responses[refusalName(status)] = &huma.Response{Description: text, Content: map[string]*huma.MediaType{
			"application/problem+json": {Schema: &huma.Schema{Ref: "#/components/schemas/Problem"}},
		}}
	}
	for _, path := range d.Paths {
		for _, op := range []*huma.Operation{path.Get, path.Post, path.Put, path.Delete, path.Patch} {
			if op != nil {
				completeOperation(op)
				for _, parameter := range op.Parameters {
					moveToDescription(parameter.Schema)
				}
			}
		}
	}
	for _, schema := range d.Components.Schemas.Map() {
		for _, property := range schema.Properties {
			moveToDescription(property)
		}
	}
}

func refusalName(status int) string { return strings.ReplaceAll(http.StatusText(status), " ", "") }

func completeOperation(op *huma.Operation) {
	if isOpen(op) {
		op.Security = []map[string][]string{{}} // said in full, because a missing list may be an oversight
	}
	for _, status := range refusalsOf(op) {
		if op.Responses[strconv.Itoa(status)] != nil {
			continue
		}
		op.Responses[strconv.Itoa(status)] = &huma.Response{Ref: "#/components/responses/" + refusalName(status)}
	}
}

// isOpen reports whether the operation needs no token.
func isOpen(op *huma.Operation) bool { return op.Metadata[roleKey] == cluster.Role(0) }

func refusalsOf(op *huma.Operation) []int {
	list := []int{http.StatusTooManyRequests, http.StatusServiceUnavailable}
	if !isOpen(op) || op.RequestBody != nil { // or it takes the token itself
		list = append(list, http.StatusUnauthorized)
	}
	if !isOpen(op) {
		list = append(list, http.StatusForbidden)
	}
	if strings.Contains(op.Path, "{") {
		list = append(list, http.StatusNotFound)
	}
	if op.Method != http.MethodGet {
		list = append(list, http.StatusConflict)
	}
	if len(op.Parameters) > 0 || op.RequestBody != nil {
		list = append(list, http.StatusUnprocessableEntity)
	}
	slices.Sort(list)
	return list
}

// moveToDescription makes words about a pattern, which only our own messages use, a part of the description.
func moveToDescription(s *huma.Schema) {
	if s.PatternDescription == "" {
		return
	}
	s.Description = strings.TrimPrefix(s.Description+"; "+s.PatternDescription, "; ")
	s.PatternDescription = ""
}
