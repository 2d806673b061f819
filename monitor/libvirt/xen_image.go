package libvirt

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"strings"

	"aliquot/monitor"
)

// A memory image of libxl is libvirt's head, the domain's description, and libxl's stream, which has libxc's stream
// within. Both streams are records that end with one of type 0; an image without the last of them is not complete.
//
// Reference: Xen's docs/specs/libxl-migration-stream.pandoc and libxc-migration-stream.pandoc.
const (
	imageMagic   = "libvirt-xml\n \x00 \r"
	imageHead    = 64
	imageVersion = 2
	mostXML      = 1 << 20
	libxlMagic   = "LibxlFmt"
	libxlHead    = 16
	libxcHead    = 24 + 16 // of the image and of the domain
	recordEnd    = 0
	recordLibxc  = 1 // in libxl's stream: libxc's follows
)

// imageXen returns the description in a complete memory image of the VM.
func imageXen(vm monitor.VM, path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("read memory image: %w", err)
	}
	defer file.Close()
	text, err := descriptionXen(file)
	if err == nil {
		err = completeXen(file)
	}
	if err != nil {
		return "", fmt.Errorf("%w: %w", monitor.ErrUnreadable, err)
	}
	if !strings.Contains(text, vm.UUID()) {
		return "", fmt.Errorf("%w: it is not an image of %s", monitor.ErrUnreadable, vm.Name())
	}
	return text, nil
}

// descriptionXen reads libvirt's head and the description.
func descriptionXen(r io.Reader) (string, error) {
	head := make([]byte, imageHead)
	if _, err := io.ReadFull(r, head); err != nil {
		return "", fmt.Errorf("read its head: %w", err)
	}
	version, length := binary.LittleEndian.Uint32(head[16:]), binary.LittleEndian.Uint32(head[20:])
	if !strings.HasPrefix(string(head), imageMagic) || version != imageVersion || length > mostXML {
		return "", fmt.Errorf("its head is not that of a memory image of Xen")
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(r, text); err != nil {
		return "", fmt.Errorf("read its description: %w", err)
	}
	return strings.TrimRight(string(text), "\x00"), nil
}

// completeXen returns an error unless libxl's stream is there to its end.
func completeXen(r io.ReadSeeker) error {
	head := make([]byte, libxlHead)
	if _, err := io.ReadFull(r, head); err != nil || !strings.HasPrefix(string(head), libxlMagic) {
		return fmt.Errorf("it has no stream of libxl")
	}
	return throughRecords(r, func(kind uint32) error {
		if kind != recordLibxc {
			return nil
		}
		if _, err := r.Seek(libxcHead, io.SeekCurrent); err != nil {
			return err
		}
		return throughRecords(r, func(uint32) error { return nil })
	})
}

// throughRecords passes over records, which are filled up to 8 bytes, to the end of their stream.
func throughRecords(r io.ReadSeeker, each func(kind uint32) error) error {
	var head [8]byte
	for {
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return fmt.Errorf("it is cut short: %w", err)
		}
		kind, length := binary.LittleEndian.Uint32(head[:]), binary.LittleEndian.Uint32(head[4:])
		if _, err := r.Seek((int64(length)+7)&^7, io.SeekCurrent); err != nil {
			return err
		}
		if kind == recordEnd {
			return nil
		}
		if err := each(kind); err != nil {
			return err
		}
	}
}
