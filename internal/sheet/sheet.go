// Package sheet writes lists as CSV for spreadsheets.
package sheet

import (
	"encoding"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// Text keeps a spreadsheet from taking user text for a formula.
func Text(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}

// Write writes the list that page is, or its first slice of structs, with a line per element. There is a column for
// each field in JSON, spec.cpu for one in another, whatever the elements hold. Lists and maps are cells with JSON.
func Write(w io.Writer, page any) error {
	list, ok := listIn(reflect.ValueOf(page))
	if !ok {
		return fmt.Errorf("%T holds no list", page)
	}
	out := csv.NewWriter(w)
	if err := out.Write(columns(nil, "", list.Type().Elem())); err != nil {
		return err
	}
	for i := range list.Len() {
		cells, err := cells(nil, list.Type().Elem(), list.Index(i))
		if err != nil {
			return err
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func listIn(page reflect.Value) (list reflect.Value, ok bool) {
	if page.Kind() == reflect.Slice {
		return page, true
	}
	for i := range page.NumField() {
		if f := page.Field(i); f.Kind() == reflect.Slice && f.Type().Elem().Kind() == reflect.Struct {
			return f, true
		}
	}
	return list, false
}

// columns appends the names of the fields of t.
func columns(names []string, before string, t reflect.Type) []string {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if inner, ok := nested(f.Type); ok {
			if name != "" { // else its fields stand among the others, as in JSON
				name += "."
			}
			names = columns(names, before+name, inner)
			continue
		}
		names = append(names, before+name)
	}
	return names
}

var texts = reflect.TypeFor[encoding.TextMarshaler]()

// nested returns the struct that a field holds or points to, unless it has a text of its own, like a time.
func nested(t reflect.Type) (inner reflect.Type, ok bool) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t, t.Kind() == reflect.Struct && !t.Implements(texts)
}

// cells appends the fields of v, a t. They are empty if v is not valid.
func cells(out []string, t reflect.Type, v reflect.Value) (_ []string, err error) {
	for i := range t.NumField() {
		var field reflect.Value
		if v.IsValid() {
			field = v.Field(i)
		}
		if field.IsValid() && field.Kind() == reflect.Pointer {
			field = field.Elem() // not valid if nil
		}
		if inner, ok := nested(t.Field(i).Type); ok {
			if out, err = cells(out, inner, field); err != nil {
				return nil, err
			}
			continue
		}
		text, err := cell(field)
		if err != nil {
			return nil, err
		}
		out = append(out, text)
	}
	return out, nil
}

// cell returns the value as in JSON, text without its quotes, and nothing for none.
func cell(v reflect.Value) (string, error) {
	if !v.IsValid() || (v.Kind() == reflect.Slice || v.Kind() == reflect.Map) && v.Len() == 0 {
		return "", nil
	}
	if v.Kind() == reflect.String {
		return Text(v.String()), nil
	}
	text, err := json.Marshal(v.Interface())
	return strings.Trim(string(text), `"`), err
}
