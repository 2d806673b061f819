package link

import (
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"aliquot/cluster"
	"aliquot/wire/wirepb"
)

// Past sends another manager the records that it lacks. They show what users do, so nodes get none.
func (h *Hub) Past(m *wirepb.PastRequest, stream wirepb.Manager_PastServer) error {
	if !fromManager(stream.Context()) {
		return status.Error(codes.PermissionDenied, "only managers read the records of the past")
	}
	have := make([]cluster.Time, 0, len(m.GetHave()))
	for _, at := range m.GetHave() {
		have = append(have, cluster.Time(at))
	}
	for record := range h.options.Past.Lacked(cluster.Time(m.GetAfter()), have) {
		if err := stream.Send(&wirepb.PastRecord{Text: record}); err != nil {
			return err
		}
	}
	return nil
}
