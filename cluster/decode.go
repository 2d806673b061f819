package cluster

import (
	"errors"
	"fmt"
	"math"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	pb "aliquot/cluster/clusterpb"
)

// ErrNewer says that what is decoded was written by a newer program, whose format this one does not know.
var ErrNewer = errors.New("written by a newer version of this program; upgrade this one first")

// DecodeCommand reads what EncodeCommand wrote. It refuses, with ErrNewer where that is the cause, whatever it does
// not know in full: a command that is half understood would make replicas differ.
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
	d := &decoder{what: "command"}
	c := Command{At: Time(m.At), TimeSet: m.TimeSet, Actor: d.actor(m.Actor), Request: m.Request, Epoch: m.Epoch, Action: d.action(m)}
	return c, d.err
}

// strange tells whether the message or one inside it has fields that this program does not know.
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

// decoder keeps the first error met while a message is converted.
type decoder struct {
	what string
	err  error
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf("decode a %s: %w", d.what, fmt.Errorf(format, args...))
	}
}

// digest copies exactly len(to) bytes.
func (d *decoder) digest(to, from []byte) {
	if len(from) != len(to) {
		d.fail("%d bytes where %d are expected", len(from), len(to))
		return
	}
	copy(to, from)
}

// enum reads one of the values up to last.
func enum[E ~uint8](d *decoder, v uint32, last E) E {
	if v > uint32(last) {
		d.fail("%d is no %T, the last is %d", v, last, last)
		return 0
	}
	return E(v)
}

// count reads what is never negative, such as an index.
func (d *decoder) count(v int64) int {
	if v < 0 || v > math.MaxInt32 {
		d.fail("%d is no index nor count", v)
	}
	return int(v)
}
