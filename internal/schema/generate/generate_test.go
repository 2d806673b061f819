package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestGeneratedFilesAreUpToDate(t *testing.T) {
	for _, target := range targets {
		want, err := target.generate("../../..")
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile("../../../" + target.file())
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what its types and messages say: run `make proto`", target.file())
		}
	}
}

const (
	goText = `package cluster
type Bytes int64
type Health uint8
const (
	Ready Health = iota
	Down
)
type Limits struct{ Memory Bytes }
type Node struct {
	ID     uint64
	Health Health
	Limits Limits
}
`
	pbText = `package pb
type Node struct {
	Id           uint64 ` + "`protobuf:\"varint,1,opt,name=id,proto3\"`" + `
	Health       uint32 ` + "`protobuf:\"varint,3,opt,name=health,proto3\"`" + `
	LimitsMemory int64 ` + "`protobuf:\"varint,2,opt,name=limits_memory,proto3\"`" + `
}
`
)

// generated returns the conversion of Node between two packages with the given text, written for a third.
func generated(t *testing.T, goText, pbText, home string) (string, error) {
	root := t.TempDir()
	for dir, text := range map[string]string{"types": goText, "messages": pbText, "home": home} {
		if err := os.Mkdir(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, dir, "file.go"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	target := target{dir: "home", types: "types", messages: "messages", encode: "pack", decode: "unpack", text: "text",
		roots: []string{"Node"}}
	text, err := target.generate(root)
	return string(text), err
}

func TestAStructWithoutAMessageIsFlattenedAndFieldsComeByNumber(t *testing.T) {
	text, err := generated(t, goText, pbText, "package home\nfunc checkNode(*types.Node) error { return nil }\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`
	return &pb.Node{
		Id:           v.ID,
		LimitsMemory: int64(v.Limits.Memory),
		Health:       uint32(v.Health),
	}
`, `
	v.ID = m.GetId()
	v.Limits.Memory = cluster.Bytes(m.GetLimitsMemory())
	v.Health = schema.Enum(r, m.GetHealth(), types.Down)
	r.Check(checkNode(&v))
	return v
`} {
		if !strings.Contains(text, want) {
			t.Errorf("this is not in the text:\n%s\n%s", want, text)
		}
	}
}

func TestAFieldOfOneSideAloneIsRefused(t *testing.T) {
	for _, c := range []struct{ goText, pbText, want string }{
		{strings.Replace(goText, "Health Health", "Health Health\n Name string", 1), pbText,
			"Node.Name has no field in message Node"},
		{strings.Replace(goText, "ID     uint64", "", 1), pbText,
			"field Id of message Node is in no field of the Go type Node"},
		{strings.Replace(goText, "Memory Bytes", "Memory, Disk Bytes", 1), pbText, "Node.Limits.Disk has no field"},
		{strings.Replace(goText, "type Node", "type Machine", 1), pbText, "has no struct Node"},
	} {
		if _, err := generated(t, c.goText, c.pbText, "package home\n"); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

func TestAFieldThatNodesDoNotNeedIsNotSent(t *testing.T) {
	kept := strings.Replace(goText, "Health Health", "Health Health\n Owner string `wire:\"-\"`", 1)
	text, err := generated(t, kept, pbText, "package home\n")
	if err != nil || strings.Contains(text, "Owner") {
		t.Errorf("error %v\n%s", err, text)
	}
}

func TestWhatIsWrittenByHandIsNotGenerated(t *testing.T) {
	text, err := generated(t, goText, pbText, "package home\nfunc packNode() {}\nfunc unpackNode() {}\n")
	if err != nil || strings.Contains(text, "func ") {
		t.Errorf("error %v\n%s", err, text)
	}
}
