// Command generate writes schema.gen.go of the packages cluster and wire: the conversions of their types to messages
// of protobuf and back, and the walk that a state's hash is computed from. A field is named twice by hand, in its Go
// type and, with a number, in the .proto file; the two belong together if their names are equal but for case and
// underscores.
//
// The program reads source text, so that it works while the old schema.gen.go does not compile. It fails if a field of
// one side is missing on the other.
//
//   - A function of the package that is declared by hand goes before the generated one of its name.
//   - A function check<Type>(*Type) error that the package declares is called with what was read.
//   - A pointer that is nil is left out. Structs are always written, as they were by programs that are still in use.
//   - A struct that has no message is flattened: Limits.Runtime is limits_runtime. The fields of an embedded struct are
//     those of the struct around it.
//   - A field of a Go type with the tag wire:"-" is not sent to nodes, as they do not need it.
package main

import (
	"fmt"
	"os"
)

//go:generate go run .

func main() {
	for _, t := range targets {
		text, err := t.generate("../../..")
		if err == nil {
			err = os.WriteFile("../../../"+t.file(), text, 0o644)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "generate %s: %v\n", t.file(), err)
			os.Exit(1)
		}
	}
}

// target is one package for which conversions are generated.
type target struct {
	dir      string   // of the package, below the module's root
	types    string   // directory of the package that declares the types
	messages string   // …and of the one that declares the messages
	encode   string   // begins the names of the functions that write
	decode   string   // …and of those that read
	text     string   // function that makes text valid UTF-8; "": not needed
	actions  string   // message that holds one of the actions; "": none
	roots    []string // types to be converted, with all that is in them
	hashed   []string // types to be walked over for the hash
}

var targets = []target{
	{
		dir: "cluster", types: "cluster", messages: "cluster/clusterpb",
		encode: "encode", decode: "decode", actions: "Command",
		roots: []string{
			"Job", "Node", "Holding", "Move", "Image", "Token", "Quota", "request", "refused", "Gap", "Alarm", "PolicyChoice",
			"Promise", "JobOffer", "Standing", "RunTimes", "Boots", "Actor", "Refusal", "Reason",
		},
		hashed: []string{"Job", "Node", "Holding", "Move", "Image", "Token", "Quota", "request", "refused", "Gap", "Alarm",
			"PolicyChoice", "Promise", "JobOffer", "Standing", "RunTimes", "Boots"},
	},
	{
		dir: "wire", types: "cluster", messages: "wire/wirepb", encode: "pack", decode: "unpack", text: "text",
		roots: []string{"Orders", "Observation", "Description", "Foreign"},
	},
}

func (t *target) file() string { return t.dir + "/schema.gen.go" }
