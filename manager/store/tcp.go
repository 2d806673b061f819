package store

import (
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/lni/dragonboat/v4/config"
	"github.com/lni/dragonboat/v4/raftio"
	"github.com/lni/dragonboat/v4/raftpb"
	"github.com/rs/zerolog"

	"aliquot/internal/unproven"
)

// Limits for unknown peers are low, because members finish a handshake within milliseconds.
var strangers = unproven.Limit{Total: 64, Life: 5 * time.Second}

// frameTime bounds how long the rest of a frame may take once it has begun.
const frameTime = time.Minute

// tcp carries Raft's messages between members. The Raft library's own transport is not used, for three reasons. Over
// TLS, a stranger that connects and sends nothing occupies one of its goroutines forever. It reads its certificate
// only once, and that expires after 90 days. It forwards messages that make the library panic.
type tcp struct {
	address  string // to listen on
	tls      *tls.Config
	log      zerolog.Logger // logs refusals at a bounded rate
	messages raftio.MessageHandler
	chunks   raftio.ChunkHandler

	listener net.Listener
	serving  sync.WaitGroup
	mu       sync.Mutex
	open     map[net.Conn]bool // connections that others opened; nil: closed
}

// tcpFactory creates transports for the Raft library.
type tcpFactory struct {
	tls *tls.Config
	log zerolog.Logger
}

// Create creates the transport of one member.
func (f tcpFactory) Create(h config.NodeHostConfig, m raftio.MessageHandler, c raftio.ChunkHandler) raftio.ITransport {
	return &tcp{
		address: h.GetListenAddress(), tls: f.tls, log: f.log.Sample(&zerolog.BurstSampler{Burst: 1, Period: time.Minute}),
		messages: m, chunks: c, open: map[net.Conn]bool{},
	}
}

// Validate reports whether a member can have the address.
func (f tcpFactory) Validate(address string) bool {
	host, port, err := net.SplitHostPort(address)
	return err == nil && host != "" && port != ""
}

// Name returns the transport's name in the library's logs.
func (t *tcp) Name() string { return "aliquot" }

// Start starts to listen.
func (t *tcp) Start() error {
	l, err := net.Listen("tcp", t.address)
	if err != nil {
		return err
	}
	t.listener = unproven.New(strangers).Listener(l)
	t.serving.Go(t.accept)
	return nil
}

func (t *tcp) accept() {
	for {
		c, err := t.listener.Accept()
		if err != nil {
			if t.closed() {
				return
			}
			time.Sleep(10 * time.Millisecond) // the process may have run out of file descriptors
			continue
		}
		if t.keep(c) {
			t.serving.Go(func() {
				defer t.drop(c)
				t.serve(c.(*unproven.Conn))
			})
		}
	}
}

func (t *tcp) closed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.open == nil
}

// keep registers a connection so that Close ends it. After Close it ends the connection at once.
func (t *tcp) keep(c net.Conn) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.open == nil {
		c.Close()
		return false
	}
	t.open[c] = true
	return true
}

func (t *tcp) drop(c net.Conn) {
	c.Close()
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.open, c)
}

// Close ends the connections that others opened. The library closes its own.
func (t *tcp) Close() error {
	if t.listener == nil {
		return nil
	}
	t.mu.Lock()
	connections := t.open
	t.open = nil
	t.mu.Unlock()
	t.listener.Close()
	for c := range connections {
		c.Close()
	}
	t.serving.Wait()
	return nil
}

// serve reads frames until the connection ends or violates the protocol.
func (t *tcp) serve(stranger *unproven.Conn) {
	var c net.Conn = stranger
	if t.tls != nil {
		secured := tls.Server(stranger, t.tls)
		if err := secured.Handshake(); err != nil { // strangers.Life bounds it
			t.log.Warn().Stringer("from", stranger.RemoteAddr()).Err(err).
				Msg("refused a Raft connection from a stranger; if it is a manager of this cluster, does it use Raft without TLS?")
			return
		}
		stranger.Proven()
		c = secured
	}
	var payload bytes.Buffer
	for {
		kind, err := t.next(c, &payload)
		if err != nil || !t.receive(kind, payload.Bytes()) {
			return
		}
		stranger.Proven()
	}
}

// next reads a frame. A member may be silent between frames for any time.
func (t *tcp) next(c net.Conn, payload *bytes.Buffer) (kind uint16, err error) {
	var start [2]byte
	if _, err := io.ReadFull(c, start[:]); err != nil {
		return 0, err
	}
	if start == frameEnd {
		c.Write(frameEnd[:])
		return 0, io.EOF
	}
	if start != frameStart {
		return 0, errFrame
	}
	c.SetReadDeadline(time.Now().Add(frameTime))
	defer c.SetReadDeadline(time.Time{})
	return readFrame(c, payload, t.tls != nil)
}

// receive passes a frame to the library, and reports whether the connection may continue.
func (t *tcp) receive(kind uint16, payload []byte) bool {
	if kind == kindChunk {
		var chunk raftpb.Chunk
		return chunk.Unmarshal(payload) == nil && t.chunks(chunk)
	}
	var batch raftpb.MessageBatch
	if batch.Unmarshal(payload) != nil {
		return false
	}
	batch.Requests = slices.DeleteFunc(batch.Requests, harmful)
	t.messages(batch)
	return true
}

// GetConnection connects to a member for messages.
func (t *tcp) GetConnection(ctx context.Context, target string) (raftio.IConnection, error) {
	return t.dial(ctx, target)
}

// GetSnapshotConnection connects to a member for one snapshot.
func (t *tcp) GetSnapshotConnection(ctx context.Context, target string) (raftio.ISnapshotConnection, error) {
	c, err := t.dial(ctx, target)
	return (*snapshotConnection)(c), err
}
