package image

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of an image.
const (
	MaxManifest = 16 << 10 // bytes of the canonical form
	MaxFile     = 4 << 30  // bytes
	maxCmdline  = 2048     // the x86 boot protocol's limit for every kernel
)

// The kinds of images.
const (
	KindKernel = "kernel" // booted directly from its kernel
	KindDisk   = "disk"   // booted from its disk, by what the disk begins with
)

// The files of an image: of kind kernel the first two, in this order, of kind disk the last.
const (
	Kernel = "kernel"
	Initrd = "initrd"
	Disk   = "disk" // in the form that package qcow2 writes
)

// filesOf lists the files of each kind.
var filesOf = map[string][]string{KindKernel: {Kernel, Initrd}, KindDisk: {Disk}}

// Manifest describes an image completely. Its canonical form is the compact JSON of its fields in
// their order.
type Manifest struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Cmdline string `json:"cmdline"`
	Files   []File `json:"files"`
}

// File is one file of an image.
type File struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"` // hex
}

// MaxName is the greatest length of an image's name, in bytes.
const MaxName = 63

var (
	validName   = regexp.MustCompile(`^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$`)
	validDigest = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

// CheckDigest returns an error unless s has the form of a digest: 64 lower-case hexadecimal digits.
// Such a string is safe as the name of a folder.
func CheckDigest(s string) error {
	if !validDigest.MatchString(s) {
		return fmt.Errorf("%q is not a digest: expected 64 lower-case hexadecimal digits", s)
	}
	return nil
}

// Canonical returns the form that is sent and hashed.
func (m Manifest) Canonical() []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(m); err != nil {
		panic(fmt.Sprintf("image: encode %+v: %v", m, err)) // strings and numbers always encode
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// Digest returns the name of the image: the SHA-256 of its canonical manifest, in hex.
func (m Manifest) Digest() string {
	sum := sha256.Sum256(m.Canonical())
	return hex.EncodeToString(sum[:])
}

// Size returns the sum of the sizes of the files in bytes.
func (m Manifest) Size() (sum int64) {
	for _, f := range m.Files {
		sum += f.Size
	}
	return sum
}

// Check returns the first error of the manifest, or nil.
func (m Manifest) Check() error {
	if len(m.Name) > MaxName || !validName.MatchString(m.Name) {
		return fmt.Errorf("image name %q: use 1 to %d lower-case letters, digits, dots, hyphens and underscores", m.Name,
			MaxName)
	}
	files := filesOf[m.Kind]
	if files == nil {
		return fmt.Errorf("image kind %q: only %q and %q are known", m.Kind, KindKernel, KindDisk)
	}
	if err := checkCmdline(m.Cmdline); err != nil {
		return err
	}
	if m.Kind == KindDisk && m.Cmdline != "" {
		return fmt.Errorf("an image of kind %q has no kernel command line: its disk contains one", KindDisk)
	}
	if !slices.EqualFunc(m.Files, files, func(f File, name string) bool { return f.Name == name }) {
		return fmt.Errorf("an image of kind %q has the files %s, in this order", m.Kind, strings.Join(files, " and "))
	}
	for _, f := range m.Files {
		if f.Size < 1 || f.Size > MaxFile {
			return fmt.Errorf("image file %s has %d bytes: from 1 to %d are allowed", f.Name, f.Size, int64(MaxFile))
		}
		if err := CheckDigest(f.SHA256); err != nil {
			return fmt.Errorf("image file %s: %w", f.Name, err)
		}
	}
	return nil
}

func checkCmdline(s string) error {
	if len(s) > maxCmdline {
		return fmt.Errorf("the kernel command line has %d bytes: at most %d are allowed", len(s), maxCmdline)
	}
	if !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) {
		return fmt.Errorf("the kernel command line must be one line of text")
	}
	return nil
}

// ParseManifest reads a canonical manifest and checks it. It refuses any other form of the same
// content, because the digest would differ.
func ParseManifest(text []byte) (Manifest, error) {
	var m Manifest
	if len(text) > MaxManifest {
		return m, fmt.Errorf("the manifest has %d bytes: at most %d are allowed", len(text), MaxManifest)
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return m, fmt.Errorf("read the manifest: %w", err)
	}
	if !bytes.Equal(m.Canonical(), text) {
		return m, fmt.Errorf("the manifest is not in its canonical form")
	}
	return m, m.Check()
}
