package cluster

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	pb "aliquot/cluster/clusterpb"
)

// MaxCommand is the greatest length of an encoded command, in bytes.
const MaxCommand = 64 << 20

// EncodeCommand encodes the command for the replicated log. It repairs text that is not UTF-8. The result may be longer
// than MaxCommand; DecodeCommand then refuses it.
func EncodeCommand(c Command) []byte {
	m := &pb.Command{
		Format: formatOf(c.Action), At: int64(c.At), Actor: encodeActor(&c.Actor), Request: c.Request, Epoch: c.Epoch,
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
		m = proto.Clone(m) // the original shares its lists with the encoded value
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
