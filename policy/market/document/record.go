package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// record is an element of a list, with its place for errors.
type record struct {
	place  string
	fields map[string]json.RawMessage
}

// parse reads an element: an object, or a list of the required fields in order.
func parse(place string, text json.RawMessage, required ...string) (record, error) {
	r := record{place, map[string]json.RawMessage{}}
	if text = bytes.TrimSpace(text); len(text) == 0 || text[0] != '[' {
		if json.Unmarshal(text, &r.fields) != nil || r.fields == nil {
			return r, fmt.Errorf("%s is neither an object nor a list", place)
		}
		return r, nil
	}
	var list []json.RawMessage
	if err := json.Unmarshal(text, &list); err != nil || len(list) != len(required) {
		return r, fmt.Errorf("%s: a list must have %d values: %s", place, len(required), strings.Join(required, ", "))
	}
	for i, name := range required {
		r.fields[name] = list[i]
	}
	return r, nil
}

// whole returns a number that must be there.
func (r record) whole(name string, low, high int64) (int64, error) {
	text, there := r.fields[name]
	if !there {
		return 0, fmt.Errorf("%s: %s is missing", r.place, name)
	}
	n, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64)
	if err != nil || n < low || n > high {
		return 0, fmt.Errorf("%s: %s: %.40s is not a whole number from %d to %d", r.place, name, text, low, high)
	}
	return n, nil
}

// optional returns a number, or another if there is none.
func (r record) optional(name string, otherwise, low, high int64) (int64, error) {
	if _, there := r.fields[name]; !there {
		return otherwise, nil
	}
	return r.whole(name, low, high)
}

// flag returns true, false, or another value if there is none.
func (r record) flag(name string, otherwise bool) (bool, error) {
	text, there := r.fields[name]
	if !there {
		return otherwise, nil
	}
	set := false
	if err := json.Unmarshal(text, &set); err != nil {
		return false, fmt.Errorf("%s: %s: %.40s is neither true nor false", r.place, name, text)
	}
	return set, nil
}

// name returns a text of up to 256 bytes, or another if there is none.
func (r record) name(otherwise string) (string, error) {
	text, there := r.fields["name"]
	if !there {
		return otherwise, nil
	}
	var name string
	if err := json.Unmarshal(text, &name); err != nil || name == "" || len(name) > 256 {
		return "", fmt.Errorf("%s: name: %.40s is not a text of 1 to 256 bytes", r.place, text)
	}
	return name, nil
}

// list reads a list, which may be missing, and gives each element to take.
func list(place string, text json.RawMessage, most int, required []string, take func(r record) error) error {
	if len(text) == 0 {
		return nil
	}
	var all []json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		return fmt.Errorf("%s is not a list", place)
	}
	if len(all) > most {
		return fmt.Errorf("%s has %d elements, more than %d", place, len(all), most)
	}
	for i, element := range all {
		r, err := parse(fmt.Sprintf("%s[%d]", place, i), element, required...)
		if err != nil {
			return err
		}
		if err := take(r); err != nil {
			return err
		}
	}
	return nil
}

// isList reports whether a value is a list.
func isList(text json.RawMessage) bool {
	return bytes.HasPrefix(bytes.TrimSpace(text), []byte("["))
}
