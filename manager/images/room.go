package images

import (
	"fmt"
	"io"
	"sync"

	"aliquot/cluster"
)

// room is the space that images take together. Those that are being written claim what they have.
type room struct {
	limit cluster.Bytes

	mu      sync.Mutex
	stored  cluster.Bytes // by images
	claimed cluster.Bytes // by images that are being written
}

// claim is the part of the room that one image takes while it is being written.
type claim struct {
	room  *room
	bytes cluster.Bytes
}

// take claims more bytes, or returns an error if there is no room for them.
func (c *claim) take(more cluster.Bytes) error {
	c.room.mu.Lock()
	defer c.room.mu.Unlock()
	if err := c.check(more); err != nil {
		return err
	}
	c.bytes += more
	c.room.claimed += more
	return nil
}

// fits returns an error if there is no room for so many bytes now; negative means unknown.
func (c *claim) fits(more cluster.Bytes) error {
	c.room.mu.Lock()
	defer c.room.mu.Unlock()
	return c.check(max(0, more))
}

func (c *claim) check(more cluster.Bytes) error {
	free := c.room.limit - c.room.stored - c.room.claimed
	if more <= free {
		return nil
	}
	free = max(0, free+c.bytes)
	return &cluster.Rejection{Code: cluster.CodeLimit, Field: "image",
		Detail: fmt.Sprintf("this manager has room for %d more bytes of images: remove some first", int64(free))}
}

// claimant reads the content of an image and claims room for it.
type claimant struct {
	io.Reader
	claim *claim
}

func (r claimant) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err := r.claim.take(cluster.Bytes(n)); err != nil {
		return 0, err
	}
	return n, err
}

// count measures the stored images again and returns what an image that was being written had claimed.
func (f *Folder) count(claimed cluster.Bytes) error {
	f.room.mu.Lock()
	defer f.room.mu.Unlock()
	f.room.claimed -= claimed
	list, err := f.List()
	if err != nil {
		return err
	}
	f.room.stored = 0
	for _, m := range list {
		f.room.stored += cluster.Bytes(m.Size())
	}
	return nil
}
