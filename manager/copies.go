package manager

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"aliquot/cluster"
	"aliquot/web"
)

const (
	copyEvery = time.Second            // between comparisons of the state's images with those before
	copyAgain = time.Minute            // after which missing images are looked for again
	copyPause = 200 * time.Millisecond // between questions whether the others have an image
	copyTime  = 10 * time.Minute       // for the others to fetch an image
	askCopy   = 2 * time.Second        // for one manager's answer
	// age at which an image that the state does not know is removed; a younger one may be an upload in progress
	unknownAge = time.Hour
)

// Peers lets a manager fetch images and records of the past from others, whose link addresses it knows.
type Peers interface {
	// Fetch receives the image into the folder of that digest below root.
	Fetch(ctx context.Context, address, root, digest string) error
	// Holds returns nil if the manager at the address has the image.
	Holds(ctx context.Context, address, digest string) error
	// Past passes on the records of minutes after the given one that the manager at the address has and this one lacks.
	Past(ctx context.Context, address string, after cluster.Time, have []cluster.Time, take func(record []byte)) error
}

// keepImages makes this manager's images those of the state, until ctx ends.
func (m *Manager) keepImages(ctx context.Context) {
	before := map[string]bool{}
	var last time.Duration
	every(ctx, copyEvery, func() {
		m.registered.Range(func(digest, _ any) bool { // the state may have forgotten it since
			before[digest.(string)] = true
			m.registered.Delete(digest)
			return true
		})
		if now := digests(m.store.Latest()); maps.Equal(now, before) && m.elapsed()-last < copyAgain {
			return
		}
		state, err := m.store.Read(ctx) // a replica that has just started does not know all images
		if err != nil {
			return
		}
		m.removeImages(state, before)
		m.fetchImages(ctx, state)
		m.measureImages(ctx, state)
		before, last = digests(state), m.elapsed()
	})
}

func digests(s *cluster.State) map[string]bool {
	found := map[string]bool{}
	for i := range s.Images() {
		found[i.Digest] = true
	}
	return found
}

// removeImages removes the images that the state no longer knows, and those that it has not known for unknownAge.
func (m *Manager) removeImages(state *cluster.State, before map[string]bool) {
	list, err := m.images.List()
	for _, i := range list {
		digest := i.Digest()
		stored, missing := m.images.Stored(digest)
		if state.Image(digest) != nil || missing != nil || !before[digest] && m.clock().Sub(stored) < unknownAge {
			continue
		}
		if err = m.images.Remove(digest); err == nil {
			m.log.Info().Str("image", i.Name).Str("digest", digest).Msg("removed an image that the cluster does not know")
		}
	}
	if err != nil {
		m.log.Warn().Err(err).Msg("cannot remove unused images; trying again")
	}
}

// fetchImages fetches the images of the state that this manager lacks.
func (m *Manager) fetchImages(ctx context.Context, state *cluster.State) {
	for i := range state.Images() {
		if err := m.fetchImage(ctx, i); err != nil && ctx.Err() == nil {
			m.log.Warn().Err(err).Str("image", i.Reference()).
				Msg("this manager has no copy of an image; trying again; if no manager has it, push it again")
		}
	}
}

// measureImages tells the cluster, if this manager leads it, what memory kernels take that were put when the state
// could not hold it.
func (m *Manager) measureImages(ctx context.Context, state *cluster.State) {
	for i := range state.Images() {
		if m.epoch.Load() == 0 || !state.Measures() || i.Kind != cluster.KernelImage || i.Least != 0 {
			continue
		}
		if here, err := m.images.Describe(i.Digest); err == nil && here.Least > 0 {
			measured := *i
			measured.Least = here.Least
			if err := m.ownAction(ctx, cluster.PutImage{Image: measured}); err != nil && ctx.Err() == nil {
				m.log.Warn().Err(err).Str("image", i.Reference()).
					Msg("cannot tell what memory an image takes; trying again")
			}
		}
	}
}

// fetchImage fetches the image from the first manager that has it, in any order.
func (m *Manager) fetchImage(ctx context.Context, i *cluster.Image) error {
	ctx, cancel := context.WithTimeout(ctx, copyTime)
	defer cancel()
	return m.images.Copy(i.Digest, i.Size, func(root string) error {
		err := errors.New("no other manager's address is known; add it to the setting links")
		for id, address := range m.cfg.Links {
			if id == m.cfg.Replica {
				continue
			}
			if err = m.cfg.Peers.Fetch(ctx, address, root, i.Digest); err == nil {
				return nil
			}
		}
		return err
	})
}

// awaitCopies waits until a majority of the managers has the image, so that it survives what the state survives. Below
// the latest format a manager of an older program, which copies none, may be among them: then it does not wait.
func (m *Manager) awaitCopies(ctx context.Context, i cluster.Image) error {
	ctx, cancel := context.WithTimeout(ctx, copyTime)
	defer cancel()
	for m.store.Latest().Format == cluster.LatestFormat {
		ids, err := m.store.Replicas(ctx)
		copies := m.copies(ctx, ids, i.Digest)
		if err == nil && copies > len(ids)/2 {
			return nil
		}
		select {
		case <-time.After(copyPause):
		case <-ctx.Done():
			return fmt.Errorf("%w: %s is stored on %d of %d managers; the others fetch it once they can",
				web.ErrUncertain, i.Reference(), copies, len(ids))
		}
	}
	return nil
}

// copies counts the managers that have the image.
func (m *Manager) copies(ctx context.Context, ids []uint64, digest string) int {
	ctx, cancel := context.WithTimeout(ctx, askCopy)
	defer cancel()
	var asked sync.WaitGroup
	var count atomic.Int64
	for _, id := range ids {
		asked.Go(func() {
			if m.holds(ctx, id, digest) == nil {
				count.Add(1)
			}
		})
	}
	asked.Wait()
	return int(count.Load())
}

func (m *Manager) holds(ctx context.Context, id uint64, digest string) error {
	if id == m.cfg.Replica {
		_, err := m.images.Open(digest)
		return err
	}
	return m.cfg.Peers.Holds(ctx, m.cfg.Links[id], digest)
}
