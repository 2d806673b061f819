package manager

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"aliquot/cluster"
	"aliquot/manager/images"
	"aliquot/web"
	"aliquot/wire/image"
)

// neighbours are the managers of one process and their images, by link address.
type neighbours struct {
	mu       sync.Mutex
	folders  map[string]*images.Folder
	managers map[string]*Manager
	cut      atomic.Bool // they do not reach each other
}

func (n *neighbours) add(address string, f *images.Folder) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.folders[address] = f
}

func (n *neighbours) join(address string, m *Manager) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.managers[address] = m
}

func (n *neighbours) Past(_ context.Context, address string, after cluster.Time, have []cluster.Time,
	take func([]byte)) error {
	n.mu.Lock()
	m := n.managers[address]
	n.mu.Unlock()
	if m == nil || n.cut.Load() {
		return errors.New("nobody answers")
	}
	for record := range m.Lacked(after, have) {
		take(record)
	}
	return nil
}

func (n *neighbours) open(address, digest string) (*images.Folder, image.Manifest, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	f := n.folders[address]
	if f == nil || n.cut.Load() {
		return nil, image.Manifest{}, errors.New("nobody answers")
	}
	m, err := f.Open(digest)
	return f, m, err
}

func (n *neighbours) Holds(_ context.Context, address, digest string) error {
	_, _, err := n.open(address, digest)
	return err
}

func (n *neighbours) Fetch(_ context.Context, address, root, digest string) error {
	f, m, err := n.open(address, digest)
	if err == nil {
		_, err = image.Receive(root, m, func(file string) (io.ReadCloser, error) { return f.File(digest, file) })
	}
	return err
}

func TestAPushedImageIsOnAMajorityBeforeItIsAcknowledgedAndThenOnAll(t *testing.T) {
	c := newTrio(t)
	for id := uint64(1); id <= 3; id++ {
		c.start(id, 0)
	}
	c.leader()
	pushed, err := c.all[1].PutImage(t.Context(), admin, "own", files("kernel", "k", "initrd", "i"))
	c.ok(err)
	ids := []uint64{1, 2, 3}
	if n := c.all[1].copies(t.Context(), ids, pushed.Digest); n < 2 {
		t.Errorf("acknowledged with %d copies", n)
	}
	c.until("all have it", func() bool { return c.all[1].copies(t.Context(), ids, pushed.Digest) == 3 })
	_, err = c.all[2].Do(t.Context(), admin, "", cluster.RemoveImage{Digest: pushed.Digest})
	c.ok(err)
	c.until("nobody has it", func() bool { return c.all[1].copies(t.Context(), ids, pushed.Digest) == 0 })
}

func TestAnImageThatNoOtherManagerCanFetchIsNotAcknowledged(t *testing.T) {
	c := newTrio(t)
	c.peers.cut.Store(true)
	for id := uint64(1); id <= 3; id++ {
		c.start(id, 0)
	}
	c.leader()
	ctx, cancel := context.WithCancel(t.Context())
	answer := make(chan error, 1)
	go func() {
		_, err := c.all[1].PutImage(ctx, admin, "own", files("kernel", "k", "initrd", "i"))
		answer <- err
	}()
	c.until("it is registered", func() bool { return len(digests(c.all[1].store.Latest())) == 1 })
	cancel()
	if err := <-answer; !errors.Is(err, web.ErrUncertain) {
		t.Errorf("the answer is %v", err)
	}
}

func TestAnImageThatTheClusterDoesNotKnowIsRemovedUnlessItIsNew(t *testing.T) {
	w := newWorld(t)
	stranger, err := w.images.Put(t.Context(), "stranger", func(yield func(images.File, error) bool) {
		for f := range files("kernel", "k", "initrd", "other") {
			if !yield(images.File(f), nil) {
				return
			}
		}
	})
	w.ok(err)
	there := func() bool { return w.holds(t.Context(), 1, stranger.Digest) == nil }
	if w.removeImages(w.store.Latest(), nil); !there() {
		t.Fatal("one that may just be uploaded is removed")
	}
	w.ahead.Add(int64(unknownAge + time.Minute))
	w.until("it is removed", func() bool { return !there() })
	if w.holds(t.Context(), 1, w.image.Digest) != nil {
		t.Error("one that the cluster knows is removed")
	}
}

func TestTheMemoryOfAnOldImagesKernelIsToldOnceTheStateCanHoldIt(t *testing.T) {
	w := newWorld(t)
	kernel := make([]byte, 4096) // a bzImage that takes 16 MiB from 16 MiB on
	copy(kernel[0x202:], "HdrS\x0f\x02")
	kernel[0x258+3], kernel[0x260+3] = 1, 1
	put, err := w.images.Put(t.Context(), "old", func(yield func(images.File, error) bool) {
		for f := range files("kernel", string(kernel), "initrd", "i") {
			if !yield(images.File(f), nil) {
				return
			}
		}
	})
	w.ok(err)
	old := put
	old.Least = 0
	w.ok(w.ownAction(t.Context(), cluster.PutImage{Image: old}))
	w.until("it is measured", func() bool {
		w.measureImages(t.Context(), w.store.Latest())
		return w.store.Latest().Image(old.Digest).Least == put.Least
	})
	if put.Least < 32*cluster.MiB {
		t.Errorf("it takes %v", put.Least)
	}
}
