package cluster

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of the disk of a task, and of the files that a job brings along.
const (
	MaxDisk      = 2 << 20 * MiB
	MaxFiles     = 64
	MaxPath      = 255 // bytes of the path of a file
	maxCloudInit = 32 << 10
)

// baggage reports whether replicas below the Format hasDisks could not read the spec.
func (s *Spec) baggage() bool {
	return s.Disk != 0 || s.CloudInit != "" || s.Files != nil
}

// checkBaggage checks the disk and the files of the spec by themselves.
func (s *Spec) checkBaggage() *Rejection {
	odd := func(f Pair) bool { return !plainPath(f.Key) }
	switch {
	case s.Disk < 0 || s.Disk > MaxDisk:
		return invalid("disk", "must be from 0 (as large as the image's) to %s per task", Bytes(MaxDisk).Words())
	case len(s.CloudInit) > maxCloudInit:
		return invalid("cloudInit", "has %d bytes; at most %d are allowed", len(s.CloudInit), maxCloudInit)
	case len(s.Files) > MaxFiles:
		return invalid("files", "at most %d", MaxFiles)
	case badKeys(s.Files) || slices.ContainsFunc(s.Files, odd):
		return invalid("files",
			"paths must be relative, of at most %d bytes, unique and sorted, without .., = and control characters", MaxPath)
	case crossing(s.Files):
		return invalid("files", "a path must not lead through another file")
	}
	return nil
}

// crossing reports whether one of the sorted files is a folder on the way to another.
func crossing(files []Pair) bool {
	return slices.ContainsFunc(files, func(a Pair) bool {
		return slices.ContainsFunc(files, func(b Pair) bool { return strings.HasPrefix(b.Key, a.Key+"/") })
	})
}

// plainPath reports whether the text is a relative path that leads to one place only, below its folder.
func plainPath(p string) bool {
	part := strings.Split(p, "/")
	return len(p) <= MaxPath && utf8.ValidString(p) && !strings.ContainsFunc(p, unicode.IsControl) &&
		!slices.ContainsFunc(part, func(s string) bool { return s == "" || s == "." || s == ".." })
}

// GuestSystem is the memory that a VM has beyond what its job asked for, because the guest's kernel takes about 60 MiB.
const GuestSystem = 30 * MiB

// Measures reports whether the state can hold what memory images take.
func (s *State) Measures() bool { return s.Format >= hasDisks }

// Unfit returns why the job cannot boot its image, or nil. A disk can be larger than that of its image, not smaller.
func (s *State) Unfit(spec *Spec) *Rejection {
	i := s.Image(spec.digest())
	switch {
	case i == nil:
		return reject(CodeUnknownImage, "image", "there is no image %q; `image list` shows those there are",
			spec.Image).Rejection
	case i.Kind != DiskImage && spec.Disk != 0:
		return invalid("disk", "needs an image of kind disk; %s has none", i.Name)
	case i.Kind != DiskImage && spec.CloudInit != "":
		return invalid("cloudInit", "needs an image of kind disk; %s has none", i.Name)
	case spec.Requirement.Memory+GuestSystem < i.Least:
		return invalid("memory", "must be at least %s per task: %s does not start with less",
			(i.Least - GuestSystem).Words(), i.Name)
	case spec.Disk != 0 && spec.Disk < i.Disk:
		return invalid("disk", "must be at least %s, the size of the image", i.Disk.Words())
	}
	return nil
}
