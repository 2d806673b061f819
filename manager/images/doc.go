// Package images keeps the files of guest images on one manager, for monitors to fetch.
//
// The replicated state knows which images exist and which are in use. This package stores only their
// bytes, in one folder per digest as package wire/image describes it.
//
// Invariants: an image is complete and verified, or does not exist; together they take no more than
// the limit; the same files under the same name are the same image. Which images belong here, and from
// where missing ones are copied, is the manager's business.
package images
