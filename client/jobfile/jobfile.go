// Package jobfile reads job specifications from YAML or JSON as people write them. It submits nothing. It checks only
// the form; the manager checks whether a job makes sense.
//
// Invariant: an error names the file and the line.
//
// Reference: YAML 1.2, https://yaml.org/spec/1.2.2/.
package jobfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"aliquot/web/api"
)

// ErrWorkflow means that a file that should hold jobs holds a workflow.
var ErrWorkflow = errors.New("this is a workflow")

// Read returns the job specifications of a file, one per document and at least one. A field that does not exist, or a
// value of the wrong kind, is an error with its line.
func Read(name string, r io.Reader) ([]api.JobSpec, error) {
	var jobs []api.JobSpec
	decoder := yaml.NewDecoder(r)
	for {
		var document yaml.Node
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if line := listsTasks(document.Content[0]); line > 0 {
			return nil, fmt.Errorf("%s:%d: %w", name, line, ErrWorkflow)
		}
		var job api.JobSpec
		if err := fill(document.Content[0], reflect.ValueOf(&job).Elem()); err != nil {
			return nil, fmt.Errorf("%s:%w", name, err)
		}
		jobs = append(jobs, job)
	}
	if len(jobs) == 0 {
		return nil, fmt.Errorf("%s holds no job", name)
	}
	return jobs, nil
}

// ReadWorkflow returns the workflow of a file, in our form, or in WfFormat 1.5 as WfCommons publishes.
func ReadWorkflow(name string, r io.Reader, stand StandIn) (api.WorkflowSpec, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return api.WorkflowSpec{}, fmt.Errorf("read the workflow: %w", err)
	}
	var document, second yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
		return api.WorkflowSpec{}, fmt.Errorf("%s holds no workflow", name)
	} else if err != nil {
		return api.WorkflowSpec{}, fmt.Errorf("%s: %w", name, err)
	}
	if !errors.Is(decoder.Decode(&second), io.EOF) {
		return api.WorkflowSpec{}, fmt.Errorf("%s holds more than one document, and a workflow is one", name)
	}
	w, at := api.WorkflowSpec{}, ":"
	if top := document.Content[0]; holds(top, "schemaVersion") {
		at = ": "
		w, err = wfFormat(text, stand)
	} else {
		err = fill(top, reflect.ValueOf(&w).Elem())
	}
	switch {
	case err != nil:
		return w, fmt.Errorf("%s%s%w", name, at, err)
	case len(w.Tasks) == 0:
		return w, fmt.Errorf("%s holds no tasks: write tasks: [{name: …, job: {…}, after: […]}, …]", name)
	}
	return w, nil
}

// listsTasks returns the line of tasks that are not their number, as those of a workflow; 0: there are none.
func listsTasks(n *yaml.Node) (line int) {
	for i := 0; n.Kind == yaml.MappingNode && i < len(n.Content); i += 2 {
		if n.Content[i].Value == "tasks" && n.Content[i+1].Kind != yaml.ScalarNode {
			return n.Content[i].Line
		}
	}
	return 0
}

// holds reports whether a mapping has the key.
func holds(n *yaml.Node, key string) bool {
	for i := 0; n.Kind == yaml.MappingNode && i < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return true
		}
	}
	return false
}

// fill decodes a YAML node into a value by its JSON names. A plain number becomes text if the value is text, so that
// "cpu: 1.5" keeps its digits.
func fill(n *yaml.Node, to reflect.Value) error {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	switch to.Kind() {
	case reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		return fill(n, to.Elem())
	case reflect.Struct:
		return fillStruct(n, to)
	case reflect.Map:
		return fillMap(n, to)
	case reflect.Slice:
		return fillSlice(n, to)
	case reflect.String:
		if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
			return wrong(n, "text")
		}
		to.SetString(n.Value)
		return nil
	}
	if err := n.Decode(to.Addr().Interface()); err != nil {
		return wrong(n, map[reflect.Kind]string{reflect.Int: "a whole number", reflect.Bool: "true or false"}[to.Kind()])
	}
	return nil
}

func wrong(n *yaml.Node, wanted string) error {
	return fmt.Errorf("%d: %s is expected here", n.Line, wanted)
}

func fillStruct(n *yaml.Node, to reflect.Value) error {
	return entries(n, func(key, value *yaml.Node) error {
		var known []string
		for i := range to.NumField() {
			name, _, _ := strings.Cut(to.Type().Field(i).Tag.Get("json"), ",")
			if name == key.Value {
				return fillField(value, to.Field(i), to.Type().Field(i).Tag.Get("minimum"))
			}
			known = append(known, name)
		}
		return fmt.Errorf("%d: there is no field %q; known are %s", key.Line, key.Value, strings.Join(known, ", "))
	})
}

// fillField fills a field. It refuses a number below the field's minimum, because the request would omit a zero.
func fillField(n *yaml.Node, to reflect.Value, minimum string) error {
	if err := fill(n, to); err != nil || minimum == "" {
		return err
	}
	if least, err := strconv.ParseInt(minimum, 10, 64); err == nil && to.Int() < least {
		return fmt.Errorf("%d: must be at least %d", n.Line, least)
	}
	return nil
}

func fillMap(n *yaml.Node, to reflect.Value) error {
	to.Set(reflect.MakeMap(to.Type()))
	return entries(n, func(key, value *yaml.Node) error {
		text := reflect.New(to.Type().Elem()).Elem()
		if err := fill(value, text); err != nil {
			return err
		}
		to.SetMapIndex(reflect.ValueOf(key.Value), text)
		return nil
	})
}

// entries visits the keys and values of a mapping, each key once.
func entries(n *yaml.Node, visit func(key, value *yaml.Node) error) error {
	if n.Kind != yaml.MappingNode {
		return wrong(n, "a list of `name: value`")
	}
	seen := map[string]bool{}
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		if seen[key.Value] {
			return fmt.Errorf("%d: %q is there twice", key.Line, key.Value)
		}
		seen[key.Value] = true
		if err := visit(key, n.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

func fillSlice(n *yaml.Node, to reflect.Value) error {
	if n.Kind != yaml.SequenceNode {
		return wrong(n, "a list")
	}
	to.Set(reflect.MakeSlice(to.Type(), len(n.Content), len(n.Content)))
	for i, item := range n.Content {
		if err := fill(item, to.Index(i)); err != nil {
			return err
		}
	}
	return nil
}
