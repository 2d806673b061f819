package web

import (
	"archive/tar"
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"maps"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"

	"aliquot/cluster"
	"aliquot/web/api"
)

// Limits of a pushed image.
const (
	maxImage   = 4 << 30 // bytes of the archive
	uploadTime = time.Hour
	pieceTime  = 30 * time.Second // for every piece
	pieceSize  = 256 << 10        // bytes
)

// imageParts are the files of an image: kernel, initrd and perhaps cmdline, or one disk, whose name says its format.
var imageParts = []string{"kernel", "initrd", "cmdline", "disk.qcow2", "disk.raw"}

func (s *server) registerImages(to huma.API) {
	register(s, to, operation("list-images", "GET", "/v1/images", cluster.Viewer, "List images", "By name, newest first."),
		s.listImages)
	push := operation("push-image", "POST", "/v1/images", cluster.Operator, "Push an image",
		"The body is a tar archive of the files kernel, initrd and, optionally, cmdline; or of one file disk.qcow2 or disk.raw, from which machines boot. A disk is converted: it must be complete, without a backing file, a data file, snapshots and encryption. The digest identifies the image: pushing the same files again gives the same image.")
	push.DefaultStatus = http.StatusCreated
	push.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
		"application/x-tar": {Schema: &huma.Schema{Type: "string", Format: "binary"}},
	}}
	registerFor(s, to, push, uploadTime, s.pushImage)
	register(s, to, operation("remove-image", "DELETE", "/v1/images/{image}", cluster.Operator, "Remove an image",
		"The image must not be in use, and the built-in image stays: jobs that name none boot it."), s.removeImage)
}

func (s *server) listImages(ctx context.Context, _ *struct{}) (*body[api.ImageList], error) {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	list := api.ImageList{Images: []api.Image{}, MaxBytes: maxImage}
	for i := range v.Images() {
		image := imageJSON(i)
		image.StartSeconds = v.BootTime(i.Digest).Seconds()
		list.Images = append(list.Images, image)
	}
	slices.SortStableFunc(list.Images, func(a, b api.Image) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), b.Added.Compare(a.Added))
	})
	return answer(list), nil
}

func imageJSON(i *cluster.Image) api.Image {
	return api.Image{
		Reference: i.Reference(), Name: i.Name, Digest: i.Digest, Kind: i.Kind, SizeBytes: int64(i.Size),
		Cmdline: i.Cmdline, Added: clock(i.Added), Builtin: i.Builtin, DiskBytes: int64(i.Disk),
	}
}

// PushInput is a name and a body that is read as it arrives.
type PushInput struct {
	Name string `query:"name" required:"true" maxLength:"63" pattern:"^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$" patternDescription:"of small letters, digits and ._-, with a letter or digit at both ends" doc:"Name for use in jobs" example:"busybox"`
	body io.Reader
	kind string
}

// Resolve takes over the connection, for huma.
func (in *PushInput) Resolve(ctx huma.Context) []error {
	r, w := humamux.Unwrap(ctx)
	control := http.NewResponseController(w)
	in.kind, _, _ = mime.ParseMediaType(r.Header.Get("Content-Type"))
	in.body = &patientReader{Reader: http.MaxBytesReader(w, r.Body, maxImage), control: control}
	_ = control.SetWriteDeadline(time.Time{}) // a recorder in a test has none
	return nil
}

// patientReader gives the client pieceTime for every piece of pieceSize instead of a limit for the whole. So a client
// that sends a byte now and then does not keep its place for long.
type patientReader struct {
	io.Reader
	control *http.ResponseController
	left    int // bytes of the piece that are awaited
}

func (r *patientReader) Read(p []byte) (int, error) {
	if r.left <= 0 {
		r.left = pieceSize
		_ = r.control.SetReadDeadline(time.Now().Add(pieceTime)) // a recorder in a test has none
	}
	n, err := r.Reader.Read(p)
	r.left -= n
	return n, err
}

func (s *server) pushImage(ctx context.Context, in *PushInput) (*body[api.Image], error) {
	if in.kind != "application/x-tar" {
		return nil, newProblem(codeMediaType, "Content-Type", "an image must be sent as application/x-tar")
	}
	owner := actor(ctx).Owner
	if !s.uploads.enter(owner) {
		return nil, newProblem(string(cluster.CodeLimit), "",
			"at most %d images are pushed at a time by one owner, and %d in all", uploadsPerOwner, uploadsInAll)
	}
	defer s.uploads.leave(owner)
	image, err := s.manager.PutImage(ctx, actor(ctx), in.Name, imageFiles(in.body))
	if err != nil {
		return nil, err
	}
	recordOf(ctx).about(image.Reference())
	return answer(imageJSON(&image)), nil
}

// imageFiles reads the archive. The sequence ends with an error unless the archive is an image.
func imageFiles(r io.Reader) iter.Seq2[ImageFile, error] {
	return func(yield func(ImageFile, error) bool) {
		seen := map[string]bool{}
		archive := tar.NewReader(r)
		for {
			header, err := archive.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err == nil && header.Typeflag == tar.TypeDir {
				continue
			}
			if p := badPart(header, err, seen); p != nil {
				yield(ImageFile{}, p)
				return
			}
			name := path.Clean(header.Name)
			seen[name] = true
			if !yield(ImageFile{name, header.Size, wholeReader{archive}}, nil) {
				return
			}
		}
		if p := badImage(seen); p != nil {
			yield(ImageFile{}, p)
		}
	}
}

// badImage returns the problem of an archive with these files, or nil.
func badImage(seen map[string]bool) *problem {
	disk := seen["disk.qcow2"] || seen["disk.raw"]
	switch {
	case disk && len(seen) > 1:
		return newProblem(string(cluster.CodeInvalid), "",
			"the archive contains other files beside a disk: a disk is the whole image")
	case !disk && (!seen["kernel"] || !seen["initrd"]):
		return newProblem(string(cluster.CodeInvalid), "", "the archive lacks a kernel or an initrd, or else a disk")
	}
	return nil
}

// wholeReader reports a truncated archive as a problem of the request.
type wholeReader struct{ io.Reader }

func (r wholeReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = badArchive(err)
	}
	return n, err
}

func badArchive(err error) *problem {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return newProblem(codeTooLarge, "", "an image must not exceed %d bytes", int64(maxImage))
	}
	return newProblem(codeMalformed, "", "the body is not a complete tar archive")
}

// badPart returns the problem of the next file of an archive, or nil.
func badPart(header *tar.Header, err error, seen map[string]bool) *problem {
	if err != nil {
		return badArchive(err)
	}
	name := path.Clean(header.Name)
	switch {
	case header.Typeflag != tar.TypeReg || !slices.Contains(imageParts, name):
		return newProblem(string(cluster.CodeInvalid), "", "the archive must contain only the regular files %s",
			strings.Join(imageParts, ", "))
	case slices.ContainsFunc(slices.Collect(maps.Keys(header.PAXRecords)), isSparse):
		return newProblem(string(cluster.CodeInvalid), "", "%s has holes in the archive: make the archive without --sparse", name)
	case seen[name]:
		return newProblem(string(cluster.CodeInvalid), "", "the archive contains %s twice", name)
	case name == "cmdline" && header.Size > 2048:
		return newProblem(string(cluster.CodeInvalid), "", "cmdline has %d bytes; at most 2048 are allowed", header.Size)
	}
	return nil
}

// isSparse reports whether a record of a header describes holes, by which a small archive becomes large files.
func isSparse(record string) bool { return strings.HasPrefix(record, "GNU.sparse.") }

func (s *server) removeImage(ctx context.Context, in *struct {
	Keyed
	Image string `path:"image" maxLength:"256" doc:"Its name if no other image has it, name@sha256:digest, or the digest; a digest prefix is enough" example:"busybox@sha256:c0ffee"`
}) (*body[api.Accepted], error) {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	image, missing := theImage(v, in.Image)
	switch {
	case missing == nil:
	case missing.Code == string(cluster.CodeNotFound):
		// An earlier request with this key may have removed it: the state knows.
		image = &cluster.Image{Digest: fullDigest(in.Image)}
	default:
		return nil, missing
	}
	result, err := s.do(ctx, in.Key, cluster.RemoveImage{Digest: image.Digest})
	if err != nil && missing != nil && problemOf(err).Code == missing.Code {
		err = missing
	}
	return accepted(result), err
}
