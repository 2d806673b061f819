// Package images keeps the files of guest images on one manager, for monitors to fetch.
//
// Which images exist, and which are in use, is in the replicated state; this is only where
// their bytes lie, in one folder per digest as package wire/image describes it.
//
// Invariants: an image is there completely and verified, or not at all; together they take
// no more than the limit; the same files under the same name are the same image.
package images
