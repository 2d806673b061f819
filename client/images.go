package client

import (
	"archive/tar"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"

	"aliquot/web/api"
)

// ImageSource names the files of an image: a kernel and an initrd, or else one disk.
type ImageSource struct {
	Kernel, Initrd string // paths
	Cmdline        string // text, not a path; "": none
	QCOW2, Raw     string // path of the disk in that format; "": none
}

// part is a file in the archive of an image.
type part struct{ name, path string }

func (s ImageSource) parts() []part {
	switch {
	case s.QCOW2 != "":
		return []part{{"disk.qcow2", s.QCOW2}}
	case s.Raw != "":
		return []part{{"disk.raw", s.Raw}}
	}
	return []part{{"kernel", s.Kernel}, {"initrd", s.Initrd}}
}

// Images returns all images by name, newest first.
func (c *Client) Images(ctx context.Context) ([]api.Image, error) {
	list, err := ask[api.ImageList](ctx, c, call{method: http.MethodGet, path: "/v1/images"})
	return list.Images, err
}

// PushImage sends the files and registers them under the name.
func (c *Client) PushImage(ctx context.Context, name string, source ImageSource) (api.Image, error) {
	for _, p := range source.parts() {
		if info, err := os.Stat(p.path); err != nil {
			return api.Image{}, fmt.Errorf("find a file of image %s: %w", name, err)
		} else if !info.Mode().IsRegular() {
			return api.Image{}, fmt.Errorf("%s is not a regular file", p.path)
		}
	}
	return ask[api.Image](ctx, c, call{
		method: http.MethodPost, path: "/v1/images", query: url.Values{"name": {name}},
		stream: func() (io.Reader, error) { return source.archive(), nil },
	})
}

// RemoveImage removes the image with that name, digest or name@sha256:digest; it must be the only one.
func (c *Client) RemoveImage(ctx context.Context, image string) (api.Accepted, error) {
	return order(ctx, c, call{method: http.MethodDelete, path: "/v1/images/" + url.PathEscape(image)})
}

// archive returns a tar archive of the files, made while it is read. The transport closes it, which
// ends its writer.
func (s ImageSource) archive() io.ReadCloser {
	r, w := io.Pipe()
	go func() { w.CloseWithError(s.write(tar.NewWriter(w))) }()
	return r
}

func (s ImageSource) write(to *tar.Writer) error {
	for _, p := range s.parts() {
		if err := add(to, p.name, p.path); err != nil {
			return err
		}
	}
	if s.Cmdline != "" {
		if err := to.WriteHeader(header("cmdline", int64(len(s.Cmdline)))); err != nil {
			return err
		}
		if _, err := io.WriteString(to, s.Cmdline); err != nil {
			return err
		}
	}
	return to.Close()
}

func add(to *tar.Writer, name, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("open the %s: %w", name, err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("size the %s: %w", name, err)
	}
	if err := to.WriteHeader(header(name, info.Size())); err != nil {
		return err
	}
	if _, err := io.Copy(to, file); err != nil {
		return fmt.Errorf("send the %s: %w", name, err)
	}
	return nil
}

func header(name string, size int64) *tar.Header {
	return &tar.Header{Name: name, Size: size, Mode: 0o644, Typeflag: tar.TypeReg}
}
