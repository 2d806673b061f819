package cluster

// The kinds of images.
const (
	KernelImage = "kernel" // a kernel and its initial file system
	DiskImage   = "disk"   // a disk that a machine boots from
)

// Image is a guest image that jobs may name. It never changes.
type Image struct {
	Name    string
	Digest  string // sha256 of the files, hex
	Kind    string // "kernel" or "disk"
	Size    Bytes
	Cmdline string // of the kernel
	Added   Time
	Builtin bool
	Disk    Bytes // virtual size of the disk; zero: it has none
	Least   Bytes // memory without which no machine starts it; zero: unknown
}

// Reference returns the name of the image in job specifications: name@sha256:digest.
func (i Image) Reference() string { return i.Name + "@sha256:" + i.Digest }

// Token lets its bearer act. Only a hash of the secret is kept.
type Token struct {
	ID      string   // chosen by its proposer. Invariant: unique, not empty
	Name    string   // for people; need not be unique
	Actor   Actor    // in whose name its bearer acts
	Hash    [32]byte // SHA-256 of the secret
	Created Time     // in microseconds; written by PutToken
	Expires Time     // in microseconds; zero: never
	Revoked bool     // it admits nobody. Invariant: never taken back
}

// Valid reports whether the token may be used at now.
func (t *Token) Valid(now Time) bool { return !t.Revoked && (t.Expires == 0 || now < t.Expires) }
