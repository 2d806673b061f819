// Package image describes a guest image as files in a folder: its manifest, the digest that names it,
// and how it is received and verified. Managers and monitors keep images in such folders, so both
// sides agree on every byte.
//
// The digest is the SHA-256 of the manifest's canonical form; the manifest holds the SHA-256 of each
// file. A folder is either complete and verified, or does not exist.
//
// The scheme is that of the OCI image manifest, with two files instead of layers.
package image
