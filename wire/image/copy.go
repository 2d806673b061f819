package image

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// errDiffers is the error for a file that is not the one of the manifest.
var errDiffers = errors.New("its content does not match the manifest")

// Copy copies an image between folders of images and compares it with its digest on the way, so nobody who can write to
// the first folder changes the copy. If there is a copy, Copy reads nothing. The error wraps fs.ErrNotExist if there is
// no such image.
func Copy(from, to, digest string) error {
	m, err := Open(from, digest)
	if err != nil {
		return err
	}
	folder := filepath.Join(from, digest)
	_, err = Receive(to, m, func(file string) (io.ReadCloser, error) {
		return openRegular(filepath.Join(folder, file))
	})
	if errors.Is(err, errDiffers) {
		err = fmt.Errorf("%w; remove %s, and it is fetched again", err, folder)
	}
	return err
}

// openRegular opens a file of a folder that others can write to. It follows no link and waits for no pipe.
func openRegular(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		file.Close()
		return nil, errors.Join(err, fmt.Errorf("%w: %s is not a regular file", errDiffers, filepath.Base(path)))
	}
	return file, nil
}
