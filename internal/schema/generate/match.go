package main

import (
	"cmp"
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// kind is how a field is converted.
type kind int

const (
	number   kind = iota // converted from one type of numbers to another
	flag                 // bool
	text                 // string
	enum                 // number up to the last constant of its type
	digest               // array of bytes
	numbers              // list of numbers
	texts                // list of strings
	list                 // list of structs
	inner                // struct
	optional             // pointer to a struct
)

// field is a field of a Go struct with its field of a message.
type field struct {
	kind    kind
	path    string     // of the Go field: Limits.Runtime
	of      types.Type // of the Go field, or of what it points to or lists
	name    string     // of the message's field in Go
	as      types.Type // of the message's field
	number  int
	message string // of what the field points to or lists
}

// slot is a field of a message.
type slot struct {
	name   string
	number int
	of     types.Type
}

// slots returns the fields of a message by number.
func slots(message *types.Struct) (out []slot) {
	for i := range message.NumFields() {
		// protobuf:"varint,12,opt,name=losses,proto3"
		parts := strings.Split(reflect.StructTag(message.Tag(i)).Get("protobuf"), ",")
		if len(parts) < 2 {
			continue
		}
		n, _ := strconv.Atoi(parts[1])
		f := message.Field(i)
		out = append(out, slot{f.Name(), n, f.Type()})
	}
	slices.SortFunc(out, func(a, b slot) int { return cmp.Compare(a.number, b.number) })
	return out
}

// match pairs the fields of a Go struct with those of a message. Every field must have a partner, except
// fields that are kept from nodes.
func match(goType string, from *types.Struct, message string, to *types.Struct, local bool) ([]field, error) {
	open, fields := slots(to), []field(nil)
	take := func(name string) (slot, bool) {
		i := slices.IndexFunc(open, func(s slot) bool { return strings.EqualFold(s.name, name) })
		if i < 0 {
			return slot{}, false
		}
		found := open[i]
		open = slices.Delete(open, i, i+1)
		return found, true
	}
	var walk func(of *types.Struct, path, name string) error
	walk = func(of *types.Struct, path, name string) error {
		for i := range of.NumFields() {
			f := of.Field(i)
			if !local && reflect.StructTag(of.Tag(i)).Get("wire") == "-" {
				continue
			}
			if f.Embedded() {
				if err := walk(f.Type().Underlying().(*types.Struct), path, name); err != nil {
					return err
				}
				continue
			}
			s, found := take(name + f.Name())
			if found {
				fields = append(fields, newField(path+f.Name(), f.Type(), s))
			} else if deep, is := f.Type().Underlying().(*types.Struct); !is {
				return fmt.Errorf("%s.%s%s has no field in message %s of the .proto file: "+
					"add one, with a number that was never used", goType, path, f.Name(), message)
			} else if err := walk(deep, path+f.Name()+".", name+f.Name()); err != nil {
				return err
			}
		}
		return nil
	}
	if err := walk(from, "", ""); err != nil {
		return nil, err
	}
	if len(open) > 0 {
		return nil, fmt.Errorf("field %s of message %s is in no field of the Go type %s", open[0].name, message, goType)
	}
	slices.SortFunc(fields, func(a, b field) int { return cmp.Compare(a.number, b.number) })
	return fields, nil
}

func newField(path string, of types.Type, s slot) field {
	f := field{path: path, of: of, name: s.name, as: s.of, number: s.number, message: messageOf(s.of)}
	switch u := of.Underlying().(type) {
	case *types.Basic:
		f.kind = basic(of, u)
	case *types.Array:
		f.kind = digest
	case *types.Struct:
		f.kind = inner
	case *types.Pointer:
		f.kind, f.of = optional, u.Elem()
	case *types.Slice:
		f.of = u.Elem()
		f.kind = listOf(u.Elem())
	}
	return f
}

func basic(of types.Type, b *types.Basic) kind {
	switch _, named := of.(*types.Named); {
	case b.Kind() == types.Bool:
		return flag
	case b.Kind() == types.String:
		return text
	case b.Kind() == types.Uint8 && named:
		return enum
	}
	return number
}

func listOf(element types.Type) kind {
	switch b, is := element.Underlying().(*types.Basic); {
	case !is:
		return list
	case b.Kind() == types.String:
		return texts
	}
	return numbers
}

// messageOf returns the name of the message that a field of a message points to or lists, or "".
func messageOf(t types.Type) string {
	if s, is := t.(*types.Slice); is {
		t = s.Elem()
	}
	if p, is := t.(*types.Pointer); is {
		return p.Elem().(*types.Named).Obj().Name()
	}
	return ""
}
