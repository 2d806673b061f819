package web

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

//go:embed docs.html
var docsPage string

//go:embed docs.css
var docsStyle string

// docsOperation is an operation on the page.
type docsOperation struct {
	*huma.Operation
	Method string
	Input  string // name of the body's schema
	Output string
}

// docs serves the page that describes REST. It is made once from the OpenAPI document and runs no script.
func docs(description *huma.OpenAPI) http.Handler {
	var page bytes.Buffer
	data := map[string]any{
		"Info": description.Info, "Style": template.CSS(docsStyle),
		"Operations": operationsOf(description), "Schemas": description.Components.Schemas.Map(),
	}
	parsed := template.Must(template.New("docs").Funcs(template.FuncMap{"type": typeText,
		"schema": refName}).Parse(docsPage))
	if err := parsed.Execute(&page, data); err != nil {
		panic("web: the docs page does not fit the description: " + err.Error())
	}
	sum := sha256.Sum256([]byte(docsStyle))
	policy := "default-src 'none'; frame-ancestors 'none'; style-src 'sha256-" +
		base64.StdEncoding.EncodeToString(sum[:]) + "'"
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", policy)
		_, _ = w.Write(page.Bytes()) // the reader has gone
	})
}

// tagOf returns the chapter of a path.
func tagOf(path string) string {
	tag, _, _ := strings.Cut(strings.TrimPrefix(path, "/v1/"), "/")
	return tag
}

func operationsOf(description *huma.OpenAPI) map[string][]docsOperation {
	byTag := map[string][]docsOperation{}
	for _, path := range slices.Sorted(maps.Keys(description.Paths)) {
		item := description.Paths[path]
		for _, o := range []docsOperation{{item.Get, "GET", "", ""}, {item.Post, "POST", "", ""}, {item.Put, "PUT", "", ""},
			{item.Delete, "DELETE", "", ""}} {
			if o.Operation == nil {
				continue
			}
			if o.RequestBody != nil {
				o.Input = contentName(o.RequestBody.Content)
			}
			for _, status := range []string{"200", "201"} {
				if r := o.Responses[status]; r != nil {
					o.Output = contentName(r.Content)
				}
			}
			byTag[tagOf(path)] = append(byTag[tagOf(path)], o)
		}
	}
	return byTag
}

func contentName(content map[string]*huma.MediaType) string {
	found := slices.Sorted(maps.Keys(content))
	if len(found) == 0 {
		return ""
	}
	if s := content[found[0]].Schema; s != nil && s.Ref != "" {
		return refName(s)
	}
	return found[0]
}

func refName(s *huma.Schema) string { return s.Ref[strings.LastIndex(s.Ref, "/")+1:] }

// typeText describes a schema's type in a few words.
func typeText(s *huma.Schema) string {
	switch {
	case s.Ref != "":
		return refName(s)
	case s.Type == "array":
		return "list of " + typeText(s.Items)
	case s.Format == "date-time":
		return "time"
	}
	if values, ok := s.AdditionalProperties.(*huma.Schema); ok {
		return "map to " + typeText(values)
	}
	return s.Type
}
