package cluster

import (
	"errors"
	"fmt"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"aliquot/internal/schema"

	pb "aliquot/cluster/clusterpb"
)

// ErrNewer means that the data was written by a newer program, in a format that this one does not know.
var ErrNewer = errors.New("written by a newer version of this program; upgrade this one first")

// DecodeCommand decodes the output of EncodeCommand. It refuses a command that it does not know in full, with ErrNewer
// if a newer program wrote it: a half-understood command would make replicas differ.
func DecodeCommand(b []byte) (Command, error) {
	if len(b) > MaxCommand {
		return Command{}, fmt.Errorf("a command of %d bytes; the most are %d", len(b), MaxCommand)
	}
	m := new(pb.Command)
	if err := proto.Unmarshal(b, m); err != nil {
		return Command{}, fmt.Errorf("decode a command: %w", err)
	}
	if m.Format > LatestFormat {
		return Command{}, fmt.Errorf("a command of format %d, known up to %d: %w", m.Format, LatestFormat, ErrNewer)
	}
	if strange(m.ProtoReflect()) {
		return Command{}, fmt.Errorf("a command of format %d has unknown fields: %w", m.Format, ErrNewer)
	}
	r := new(schema.Reader)
	c := Command{
		At: Time(m.At), TimeSet: m.TimeSet, Actor: decodeActor(r, m.Actor), Request: m.Request, Epoch: m.Epoch,
		Action: decodeAction(r, m),
	}
	if c.Action == nil {
		r.Check(fmt.Errorf("format %d has no action that this program knows, which knows formats up to %d", m.Format,
			LatestFormat))
	}
	if err := r.Err(); err != nil {
		return c, fmt.Errorf("decode a command: %w", err)
	}
	return c, nil
}

// strange reports whether the message or one inside it has fields that this program does not know.
func strange(m protoreflect.Message) bool {
	found := len(m.GetUnknown()) > 0
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.Kind() != protoreflect.MessageKind:
		case f.IsList():
			for i := 0; i < v.List().Len() && !found; i++ {
				found = strange(v.List().Get(i).Message())
			}
		default:
			found = found || strange(v.Message())
		}
		return !found
	})
	return found
}
