package cluster

import (
	"reflect"
	"slices"
	"testing"
)

// A View offers policies a short list of methods. None of them returns the State, its tokens, or a way to change it.
func TestAViewGivesNoAccessToTheState(t *testing.T) {
	forbidden := []reflect.Type{reflect.TypeFor[State](), reflect.TypeFor[Token](), reflect.TypeFor[Command]()}
	view := reflect.TypeFor[*View]()
	if n := view.NumMethod(); n > 44 {
		t.Errorf("a view has %d methods", n)
	}
	for i := range view.NumMethod() {
		m := view.Method(i)
		for _, at := range signature(m.Type) {
			if slices.Contains(forbidden, at) {
				t.Errorf("View.%s deals in %v", m.Name, at)
			}
		}
	}
	for i := range view.Elem().NumField() {
		if f := view.Elem().Field(i); f.IsExported() && f.Name != "At" {
			t.Errorf("View.%s is there for policies to change", f.Name)
		}
	}
}

// signature lists the types that a method takes and returns, those behind pointers and in sequences included.
func signature(method reflect.Type) (all []reflect.Type) {
	add := func(at reflect.Type) {
		for at.Kind() == reflect.Pointer || at.Kind() == reflect.Slice {
			at = at.Elem()
		}
		all = append(all, at)
		if at.Kind() == reflect.Func {
			all = append(all, signature(at)...)
		}
	}
	for i := range method.NumIn() {
		add(method.In(i))
	}
	for i := range method.NumOut() {
		add(method.Out(i))
	}
	return all
}
