package image

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// unused is the least time without use after which Trim removes an image.
const unused = 24 * time.Hour

// Use opens the image in root/<digest> as Open does, and notes that it was used now.
func Use(root, digest string) (Manifest, error) {
	m, err := Open(root, digest)
	if err != nil {
		return m, err
	}
	now := time.Now()
	return m, os.Chtimes(filepath.Join(root, digest), now, now)
}

// Trim removes images below root that were not used for a day, the longest unused first, until all others take at most
// the given number of bytes.
func Trim(root string, most int64) error {
	images, err := usesOf(root)
	if err != nil {
		return fmt.Errorf("look for unused images: %w", err)
	}
	var total int64
	for _, i := range images {
		total += i.size
	}
	for _, i := range images {
		if total <= most || time.Since(i.last) < unused {
			break
		}
		if err := remove(filepath.Join(root, i.digest)); err != nil {
			return fmt.Errorf("remove an unused image: %w", err)
		}
		total -= i.size
	}
	return nil
}

// remove removes a folder. If it is interrupted, what is left looks like a draft.
func remove(folder string) error {
	doomed := folder + partial
	if err := os.RemoveAll(doomed); err != nil {
		return err
	}
	if err := os.Rename(folder, doomed); err != nil {
		return err
	}
	return os.RemoveAll(doomed)
}

// use is the last use of an image.
type use struct {
	digest string
	size   int64
	last   time.Time
}

// usesOf lists the images below root by their last use, the earliest first.
func usesOf(root string) (all []use, err error) {
	entries, err := os.ReadDir(root)
	for _, e := range entries {
		m, err := Open(root, e.Name())
		if err != nil {
			continue // a draft, or removed meanwhile
		}
		if info, err := e.Info(); err == nil {
			all = append(all, use{e.Name(), m.Size(), info.ModTime()})
		}
	}
	slices.SortFunc(all, func(a, b use) int { return a.last.Compare(b.last) })
	return all, err
}
