package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"
	"strings"
)

//go:embed page.html.tmpl
var pageText string

var shell = template.Must(template.New("page").Parse(pageText))

// Page is a document around a body that a template has made.
type Page struct {
	Title string
	Lead  string // what it is and where it comes from, in a sentence or two
	Body  template.HTML
}

// Write writes the page.
func (p Page) Write(w io.Writer) error {
	if err := shell.Execute(w, p); err != nil {
		return fmt.Errorf("write the page %q: %w", p.Title, err)
	}
	return nil
}

// Number writes a value with three or four significant digits and thousands apart: 0.344, 6.94, 3,579.
func Number(x float64) string {
	magnitude := math.Abs(x)
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return "–"
	case x == 0:
		return "0"
	case magnitude < 0.0005:
		return strconv.FormatFloat(x, 'g', 2, 64)
	case magnitude < 1:
		return strconv.FormatFloat(x, 'f', 3, 64)
	case magnitude < 10:
		return strconv.FormatFloat(x, 'f', 2, 64)
	case magnitude < 1000:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	s := strconv.FormatFloat(x, 'f', 0, 64)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Span writes seconds as people say them: 41 s, 12 min, 3 h 20 min, 2 d 4 h.
func Span(seconds float64) string {
	whole := int64(math.Round(seconds))
	join := func(a int64, big string, b int64, small string) string {
		return strings.TrimSuffix(fmt.Sprintf("%d %s %d %s", a, big, b, small), fmt.Sprintf(" 0 %s", small))
	}
	switch {
	case seconds > 0 && seconds < 10:
		return strconv.FormatFloat(seconds, 'g', 2, 64) + " s"
	case whole < 120:
		return fmt.Sprintf("%d s", whole)
	case whole < 2*3600:
		return join(whole/60, "min", whole%60, "s")
	case whole < 2*86400:
		return join(whole/3600, "h", whole%3600/60, "min")
	}
	return join(whole/86400, "d", whole%86400/3600, "h")
}
