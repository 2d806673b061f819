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

// ImageSource names the files of an image.
type ImageSource struct {
	Kernel, Initrd string // paths
	Cmdline        string // text, not a path; "": none
}

// Images returns all images by name, newest first.
func (c *Client) Images(ctx context.Context) ([]api.Image, error) {
	list, err := ask[api.ImageList](ctx, c, call{method: http.MethodGet, path: "/v1/images"})
	return list.Images, err
}

// PushImage sends the files and registers them under the name.
func (c *Client) PushImage(ctx context.Context, name string, source ImageSource) (api.Image, error) {
	for _, path := range []string{source.Kernel, source.Initrd} {
		if info, err := os.Stat(path); err != nil {
			return api.Image{}, fmt.Errorf("find a file of image %s: %w", name, err)
		} else if !info.Mode().IsRegular() {
			return api.Image{}, fmt.Errorf("%s is not a regular file", path)
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
	for _, part := range []struct{ name, path string }{{"kernel", s.Kernel}, {"initrd", s.Initrd}} {
		if err := add(to, part.name, part.path); err != nil {
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
