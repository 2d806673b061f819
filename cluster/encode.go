package cluster

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	pb "aliquot/cluster/clusterpb"
)

// MaxCommand is the most bytes that an encoded command may have.
const MaxCommand = 64 << 20

// formatOf is the least Format whose readers know the action.
func formatOf(a Action) uint32 {
	switch a := a.(type) {
	case Raise:
		return raises
	case SetTime:
		return setsTime
	case Report:
		if a.observes() {
			return observes
		}
	}
	return 1
}

// EncodeCommand writes the command down for the replicated log. Text that is not UTF-8 is repaired. The result may be
// longer than MaxCommand; it is then refused by DecodeCommand.
func EncodeCommand(c Command) []byte {
	m := &pb.Command{
		Format: formatOf(c.Action), At: int64(c.At), Actor: encodeActor(c.Actor), Request: c.Request, Epoch: c.Epoch,
		TimeSet: c.TimeSet,
	}
	if c.TimeSet != 0 {
		m.Format = max(m.Format, setsTime)
	}
	encodeAction(m, c.Action)
	return marshal(nil, m)
}

// marshal appends the message to buf, the same bytes for the same message.
func marshal(buf []byte, m proto.Message) []byte {
	out, err := proto.MarshalOptions{Deterministic: true}.MarshalAppend(buf, m)
	if err != nil {
		m = proto.Clone(m) // the original shares its lists with what is encoded
		repair(m.ProtoReflect())
		out, err = proto.MarshalOptions{Deterministic: true}.MarshalAppend(buf, m)
	}
	if err != nil {
		panic(fmt.Sprintf("cluster: encode %T: %v", m, err))
	}
	return out
}

// repair makes all text of the message UTF-8, the only thing that a message can lack to be encoded.
func repair(m protoreflect.Message) {
	valid := func(v protoreflect.Value) protoreflect.Value {
		return protoreflect.ValueOfString(strings.ToValidUTF8(v.String(), "\ufffd"))
	}
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		text, inner := f.Kind() == protoreflect.StringKind, f.Kind() == protoreflect.MessageKind
		switch {
		case text && f.IsList():
			for i := range v.List().Len() {
				v.List().Set(i, valid(v.List().Get(i)))
			}
		case text:
			m.Set(f, valid(v))
		case inner && f.IsList():
			for i := range v.List().Len() {
				repair(v.List().Get(i).Message())
			}
		case inner:
			repair(v.Message())
		}
		return true
	})
}

// each converts a list; an empty one becomes nil.
func each[A, B any](list []A, convert func(A) B) []B {
	if len(list) == 0 {
		return nil
	}
	out := make([]B, len(list))
	for i, a := range list {
		out[i] = convert(a)
	}
	return out
}

// numbers converts a list of ids; an empty one becomes nil.
func numbers[B, A ~uint32 | ~uint64](list []A) []B {
	return each(list, func(a A) B { return B(a) })
}
