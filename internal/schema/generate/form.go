package main

import (
	"fmt"
	"go/types"
	"strings"
)

// form is how a kind of field is written. {v} and {m} are the field of the Go value and of the message, {T} and {M}
// their types, of the elements in lists; {n} is the number, {of} the name that functions end with, {last} the last
// constant.
type form struct{ encode, decode, hash string }

var forms = map[kind]form{
	number:  {"{M}({v})", "{T}({m})", "w.num({n}, int64({v}))"},
	flag:    {"{v}", "{m}", "w.flag({n}, {v})"},
	text:    {"{M}({v})", "{T}({m})", "w.text({n}, string({v}))"},
	enum:    {"{M}({v})", "schema.Enum(r, {m}, {last})", "w.num({n}, int64({v}))"},
	digest:  {"{v}[:]", "", "w.bytes({n}, {v}[:])"},
	numbers: {"schema.Numbers[{M}]({v})", "schema.Numbers[{T}]({m})", "hashNumbers(w, {n}, {v})"},
	texts:   {"{v}", "{m}", "hashTexts(w, {n}, {v})"},
	list: {
		"schema.List({v}, {encode}{of})",
		"schema.ReadList(r, {m}, {decode}{of})",
		"hashList(w, {n}, {v}, hash{of})",
	},
	inner: {
		"{encode}{of}(&{v})",
		"{decode}{of}(r, {m})",
		"hashStruct(w, {n}, &{v}, hash{of})",
	},
	optional: {
		"schema.Optional({v}, {encode}{of})",
		"schema.ReadOptional(r, {m}, {decode}{of})",
		"hashOptional(w, {n}, {v}, hash{of})",
	},
}

// same are the forms of fields whose two types are equal.
var same = map[kind]form{
	number:  {"{v}", "{m}", forms[number].hash},
	text:    {"{v}", "{m}", "w.text({n}, {v})"},
	numbers: {"{v}", "{m}", forms[numbers].hash},
}

// form returns the expressions of a field.
func (w *writer) form(f field) form {
	of, as := w.name(f.of), f.as.String()
	if element, is := f.as.(*types.Slice); is {
		as = element.Elem().String()
	}
	chosen, equal := same[f.kind]
	if !equal || of != as {
		chosen = forms[f.kind]
	}
	fill := strings.NewReplacer(
		"{v}", "v."+f.path, "{m}", "m.Get"+f.name+"()", "{T}", of, "{M}", as, "{n}", fmt.Sprint(f.number),
		"{of}", exported(named(f.of)), "{last}", w.last(f), "{encode}", w.encode, "{decode}", w.decode,
	)
	return form{w.valid(f.kind, fill.Replace(chosen.encode)), fill.Replace(chosen.decode), fill.Replace(chosen.hash)}
}

// valid makes the text of an expression valid UTF-8, where the package has a function for it.
func (w *writer) valid(k kind, expression string) string {
	switch {
	case w.text != "" && k == text:
		return w.text + "(" + expression + ")"
	case w.text != "" && k == texts:
		return w.text + "s(" + expression + ")"
	}
	return expression
}

func (w *writer) last(f field) string {
	if f.kind != enum {
		return ""
	}
	return w.local(w.from.last(f.of))
}
