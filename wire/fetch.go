package wire

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"slices"

	"aliquot/wire/image"
	"aliquot/wire/wirepb"
)

// Ensure makes the image available in the folder of that digest below Options.Images and below Options.Shared. It asks
// the managers in turn, the leader first. The node's own copy is compared with the digest when it is made.
func (c *Client) Ensure(ctx context.Context, digest string) error {
	if missing, err := c.look(digest); !missing {
		return err // no need to wait for a fetch of another image
	}
	select {
	case c.fetching <- struct{}{}: // one at a time, so that two starts do not fetch the same image
		defer func() { <-c.fetching }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if missing, err := c.look(digest); !missing {
		return err
	}
	if c.options.Shared == "" {
		return c.fetch(ctx, c.options.Images, digest)
	}
	_, err := image.Open(c.options.Shared, digest)
	if errors.Is(err, fs.ErrNotExist) {
		err = c.fetch(ctx, c.options.Shared, digest)
	}
	if err != nil {
		return err
	}
	return c.copy(digest)
}

// copy makes the node's own copy of an image on the store.
func (c *Client) copy(digest string) error {
	if err := image.Trim(c.options.Images, maxCopies); err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.options.Log.Warn().Err(err).Msg("cannot remove unused copies of images; they use disk space")
	}
	if err := image.Copy(c.options.Shared, c.options.Images, digest); err != nil {
		return fmt.Errorf("copy the image to this node: %w", err)
	}
	return nil
}

// maxCopies limits a node's copies of images, in bytes, except the latest one and those that were used of late.
const maxCopies = 16 << 30

// look reports whether the image is missing on the node or on the store.
func (c *Client) look(digest string) (missing bool, err error) {
	if c.options.Shared != "" {
		_, err = image.Open(c.options.Shared, digest)
	}
	if err == nil {
		_, err = image.Use(c.options.Images, digest)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	return false, err
}

func (c *Client) leaderFirst() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.leader == "" {
		return c.options.Managers
	}
	others := slices.DeleteFunc(slices.Clone(c.options.Managers), func(a string) bool { return a == c.leader })
	return append([]string{c.leader}, others...)
}

// fetch asks the managers in turn.
func (c *Client) fetch(ctx context.Context, root, digest string) error {
	return inTurn(c.leaderFirst(), func(address string) error {
		return Peers{c.connect}.Fetch(ctx, address, root, digest)
	})
}

// Peers fetches images from managers.
type Peers struct {
	Open func(address string) (Connection, error) // as a node or as another manager
}

// NewPeers returns Peers that connect by gRPC over TLS; without a dial, by TCP.
func NewPeers(settings *tls.Config, dial func(context.Context, string) (net.Conn, error)) Peers {
	if dial == nil {
		dial = dialTCP
	}
	return Peers{func(address string) (Connection, error) { return connect(address, settings, dial) }}
}

// Fetch receives the image from the manager at the address into the folder of that digest below root.
func (p Peers) Fetch(ctx context.Context, address, root, digest string) error {
	return p.open(ctx, address, digest, func(stream wirepb.Manager_FetchClient, m image.Manifest) error {
		return unload(stream, root, m)
	})
}

// Holds returns nil if the manager at the address has the image.
func (p Peers) Holds(ctx context.Context, address, digest string) error {
	return p.open(ctx, address, digest, func(wirepb.Manager_FetchClient, image.Manifest) error { return nil })
}

// open begins to fetch an image and passes the stream on after its manifest.
func (p Peers) open(ctx context.Context, address, digest string,
	use func(wirepb.Manager_FetchClient, image.Manifest) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	conn, err := p.Open(address)
	if err != nil {
		return err
	}
	defer conn.Close()
	stream, err := wirepb.NewManagerClient(conn).Fetch(ctx, &wirepb.FetchRequest{Digest: digest})
	var m image.Manifest
	if err == nil {
		m, err = receiveManifest(stream, digest)
	}
	if err == nil {
		err = use(stream, m)
	}
	if err != nil {
		return fmt.Errorf("fetch image %s from %s: %w", digest, address, err)
	}
	return nil
}

func receiveManifest(stream wirepb.Manager_FetchClient, digest string) (image.Manifest, error) {
	first, err := stream.Recv()
	if err != nil {
		return image.Manifest{}, err
	}
	m, err := image.ParseManifest(first.GetManifest())
	if err == nil && m.Digest() != digest {
		err = fmt.Errorf("it sent the image %s instead", m.Digest())
	}
	return m, err
}

func unload(stream wirepb.Manager_FetchClient, root string, m image.Manifest) error {
	data := &chunks{stream: stream}
	sizes := map[string]int64{}
	for _, f := range m.Files {
		sizes[f.Name] = f.Size
	}
	_, err := image.Receive(root, m, func(file string) (io.ReadCloser, error) {
		return io.NopCloser(io.LimitReader(data, sizes[file])), nil
	})
	return err
}

// chunks reads the files of an image, one after the other, as their data arrives.
type chunks struct {
	stream wirepb.Manager_FetchClient
	rest   bytes.Reader
}

func (c *chunks) Read(p []byte) (int, error) {
	for c.rest.Len() == 0 {
		m, err := c.stream.Recv()
		if err != nil {
			return 0, err
		}
		c.rest.Reset(m.GetData())
	}
	return c.rest.Read(p)
}
