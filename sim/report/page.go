package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
)

//go:embed page.html.tmpl
var pageText string

var shell = template.Must(template.New("page").Parse(pageText))

// Page is a document around a body made by a template.
type Page struct {
	Title string
	Lead  string // its content and origin, in a sentence or two
	Body  template.HTML
}

// Write writes the page.
func (p Page) Write(w io.Writer) error {
	if err := shell.Execute(w, p); err != nil {
		return fmt.Errorf("write the page %q: %w", p.Title, err)
	}
	return nil
}
