package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"aliquot/packing/pace"
)

// syntax holds the nodes and items of a JSON file and the lines where they begin.
type syntax struct {
	name      string
	nodes     []node
	items     []item
	nodeLines []int
	itemLines []int
	asks      *pace.Pace
}

func readJSON(name string, text []byte, asks *pace.Pace) (*Instance, error) {
	d := &syntax{name: name, asks: asks}
	if err := d.read(text); err != nil {
		return nil, err
	}
	b := &builder{syntax: d, in: &Instance{Listed: d.nodeLines != nil}, byName: map[string][]int{},
		exact: map[string]int{}, lists: map[string][]bool{}}
	b.dimensions()
	for k := range d.nodes {
		err := b.node(k)
		if errors.Is(err, ErrSpent) {
			return nil, err
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, d.nodeLines[k], err)
		}
	}
	seen := newLines(len(d.items))
	b.in.expect(len(d.items))
	for k := range d.items {
		if asks.Seen(1) {
			return nil, ErrSpent
		}
		err := seen.add(d.items[k].ID, d.itemLines[k])
		if err == nil {
			err = b.item(k)
		}
		if errors.Is(err, ErrSpent) {
			return nil, err
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, d.itemLines[k], err)
		}
	}
	return b.in, nil
}

// read decodes the text element by element, so that errors can name a line.
func (d *syntax) read(text []byte) error {
	r := json.NewDecoder(bytes.NewReader(text))
	r.DisallowUnknownFields()
	fail := func(at int64, err error) error {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			at = syntax.Offset
		}
		return fmt.Errorf("%s:%d: %w", d.name, lineAt(text, at), explainJSON(err))
	}
	elements := func(one func() error) (lines []int, err error) {
		lines = []int{}
		if open, err := r.Token(); err != nil {
			return nil, fail(r.InputOffset(), err)
		} else if open != json.Delim('[') {
			return nil, fail(r.InputOffset(), errors.New("a list must begin here"))
		}
		line, counted := 1, int64(0)
		for r.More() {
			if d.asks.Seen(1) {
				return nil, ErrSpent
			}
			start := nextValue(text, r.InputOffset())
			if err := one(); err != nil {
				return nil, fail(start, err)
			}
			line, counted = line+bytes.Count(text[counted:start], []byte("\n")), start
			lines = append(lines, line)
		}
		_, err = r.Token()
		if err != nil {
			return nil, fail(r.InputOffset(), err)
		}
		return lines, nil
	}
	if _, err := r.Token(); err != nil {
		return fail(r.InputOffset(), err)
	}
	for r.More() {
		key, err := r.Token()
		if err != nil {
			return fail(r.InputOffset(), err)
		}
		if key == "nodes" && d.nodeLines != nil || key == "items" && d.itemLines != nil {
			return fail(r.InputOffset(), fmt.Errorf("%v is there twice", key))
		}
		switch key {
		case "nodes":
			d.nodeLines, err = elements(func() error {
				d.nodes = append(d.nodes, node{})
				return r.Decode(&d.nodes[len(d.nodes)-1])
			})
		case "items":
			d.itemLines, err = elements(func() error {
				d.items = append(d.items, item{})
				return r.Decode(&d.items[len(d.items)-1])
			})
		default:
			err = fail(r.InputOffset(), fmt.Errorf("there is no field %v here, only nodes and items", key))
		}
		if err != nil {
			return err
		}
		if key == "nodes" && len(d.nodes) == 0 {
			return fail(r.InputOffset(),
				errors.New("the list of nodes is empty: name some, or leave it out for --nodes unit nodes"))
		}
	}
	if _, err := r.Token(); err != nil {
		return fail(r.InputOffset(), err)
	}
	if d.itemLines == nil {
		return fail(r.InputOffset(), errors.New("there is no list of items"))
	}
	if rest := bytes.TrimSpace(text[r.InputOffset():]); len(rest) > 0 {
		return fail(r.InputOffset()+1, errors.New("something follows the end"))
	}
	return nil
}

func lineAt(text []byte, offset int64) int {
	return 1 + bytes.Count(text[:min(max(0, offset), int64(len(text)))], []byte("\n"))
}

// nextValue returns the offset at which the next element begins.
func nextValue(text []byte, offset int64) int64 {
	for offset < int64(len(text)) && bytes.IndexByte([]byte(" \t\r\n,"), text[offset]) >= 0 {
		offset++
	}
	return offset
}

// explainJSON words an error of encoding/json in terms of the format.
func explainJSON(err error) error {
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the file ends before it is complete: a bracket is missing, or it was cut off")
	case errors.As(err, &kind):
		what := kind.Field
		if what == "" {
			what = "this"
		}
		return fmt.Errorf("%s is %s, must be %s", what, valueName(kind.Value), kindName(kind.Type))
	}
	if field, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return fmt.Errorf("there is no field %s here; docs/formats/packing.md lists those that there are", field)
	}
	return err
}

// valueName names a value that encoding/json refused: the number itself, or else the kind of value.
func valueName(value string) string {
	kind, number, _ := strings.Cut(value, " ")
	if number != "" {
		return number
	}
	if kind == "array" || kind == "object" {
		return "an " + kind
	}
	return "a " + kind
}

func kindName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Float64:
		return "a number"
	case reflect.Int:
		return "a whole number, in plain digits"
	case reflect.String:
		return "a text in quotes"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list"
	}
	return "an object with fields"
}
