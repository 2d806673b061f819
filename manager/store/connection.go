package store

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"slices"
	"time"

	"github.com/lni/dragonboat/v4/raftpb"
)

// Bounds on what a member that does not answer can hold up.
const (
	dialTime  = 15 * time.Second
	writeTime = 5 * time.Second // of one piece
	piece     = 128 << 10
)

// memberConnection is a connection to another member, which the Raft library uses from one goroutine.
type memberConnection struct {
	conn      net.Conn
	encrypted bool
	header    []byte
	payload   []byte
}

// dial connects and, with TLS, authenticates both ends.
func (t *tcp) dial(ctx context.Context, target string) (*memberConnection, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTime)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", target)
	if err != nil || t.tls == nil {
		return &memberConnection{conn: conn}, err
	}
	settings := t.tls.Clone()
	settings.ServerName, _, _ = net.SplitHostPort(target)
	secured := tls.Client(conn, settings)
	if err := secured.HandshakeContext(ctx); err != nil {
		conn.Close()
		return nil, err
	}
	return &memberConnection{conn: secured, encrypted: true}, nil
}

// SendMessageBatch sends messages.
func (c *memberConnection) SendMessageBatch(b raftpb.MessageBatch) error {
	size := b.SizeUpperLimit()
	c.payload = slices.Grow(c.payload[:0], size)[:size]
	return c.send(kindMessages, raftpb.MustMarshalTo(&b, c.payload))
}

func (c *memberConnection) send(kind uint16, payload []byte) error {
	c.header = appendFrame(c.header[:0], kind, payload, c.encrypted)
	if err := c.write(c.header); err != nil {
		return err
	}
	for part := range slices.Chunk(payload, piece) {
		if err := c.write(part); err != nil {
			return err
		}
	}
	return nil
}

func (c *memberConnection) write(b []byte) error {
	if err := c.conn.SetWriteDeadline(time.Now().Add(writeTime)); err != nil {
		return err
	}
	_, err := c.conn.Write(b)
	return err
}

// Close ends the connection.
func (c *memberConnection) Close() { c.conn.Close() }

// snapshotConnection is a connection for one snapshot.
type snapshotConnection memberConnection

// SendChunk sends a part of the snapshot.
func (c *snapshotConnection) SendChunk(chunk raftpb.Chunk) error {
	return (*memberConnection)(c).send(kindChunk, raftpb.MustMarshal(&chunk))
}

// Close announces that the snapshot is complete, and waits until the other end has read it.
func (c *snapshotConnection) Close() {
	defer c.conn.Close()
	if (*memberConnection)(c).write(frameEnd[:]) != nil {
		return
	}
	c.conn.SetReadDeadline(time.Now().Add(writeTime))
	var answer [len(frameEnd)]byte
	io.ReadFull(c.conn, answer[:])
}
