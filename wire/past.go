package wire

import (
	"context"
	"errors"
	"fmt"
	"io"

	"google.golang.org/grpc"

	"aliquot/cluster"
	"aliquot/wire/wirepb"
)

// maxRecord bounds the record of one minute in bytes. Ten thousand nodes and runs take about one megabyte.
const maxRecord = 64 << 20

// Past passes on the records of minutes after the given one that the manager at the address has and this one lacks,
// oldest first.
func (p Peers) Past(ctx context.Context, address string, after cluster.Time, have []cluster.Time,
	take func(record []byte)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	conn, err := p.Open(address)
	if err != nil {
		return err
	}
	defer conn.Close()
	request := &wirepb.PastRequest{After: int64(after)}
	for _, at := range have {
		request.Have = append(request.Have, int64(at))
	}
	stream, err := wirepb.NewManagerClient(conn).Past(ctx, request, grpc.MaxCallRecvMsgSize(maxRecord))
	for err == nil {
		var r *wirepb.PastRecord
		if r, err = stream.Recv(); err == nil {
			take(r.GetText())
		}
	}
	if !errors.Is(err, io.EOF) {
		return fmt.Errorf("fetch records of the past from %s: %w", address, err)
	}
	return nil
}
