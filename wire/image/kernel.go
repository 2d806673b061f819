package image

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
)

// spare is the least memory that a guest needs besides its kernel and initrd before its own init can run.
const spare = 4 << 20

// LeastMemory returns the memory without which no machine can start the image of kind kernel in the folder, in bytes:
// the end of the kernel in memory, the initrd, and a little. It is 0 where the kernel does not say where it ends.
func LeastMemory(folder string) (int64, error) {
	kernel, err := os.Open(filepath.Join(folder, Kernel))
	if err != nil {
		return 0, err
	}
	defer kernel.Close()
	end := kernelEnd(kernel)
	if end == 0 {
		return 0, nil
	}
	initrd, err := os.Stat(filepath.Join(folder, Initrd))
	if os.IsNotExist(err) {
		return end + spare, nil
	} else if err != nil {
		return 0, err
	}
	return end + initrd.Size() + spare, nil
}

// mostEnd is the greatest end that is believed, 4 GiB: a kernel is loaded below.
const mostEnd = 1 << 32

// kernelEnd returns the address after the last byte that a kernel takes in memory; 0: it does not say, or nonsense.
func kernelEnd(kernel io.ReaderAt) int64 {
	end := elfEnd(kernel)
	if end == 0 {
		end = bootEnd(kernel)
	}
	if end > mostEnd {
		return 0
	}
	return int64(end)
}

// elfEnd returns the end of an ELF kernel, by its segments; 0: it is none.
func elfEnd(kernel io.ReaderAt) (end uint64) {
	f, err := elf.NewFile(kernel)
	if err != nil {
		return 0
	}
	for _, p := range f.Progs {
		if p.Type == elf.PT_LOAD && p.Paddr < mostEnd && p.Memsz < mostEnd {
			end = max(end, p.Paddr+p.Memsz)
		}
	}
	return end
}

// Fields of the header of a bzImage (Linux, Documentation/arch/x86/boot.rst): their offsets, and the protocol that has
// them all.
const (
	bootMagic     = 0x202 // "HdrS"
	bootProtocol  = 0x206
	bootPreferred = 0x258 // address
	bootInitSize  = 0x260
	bootSized     = 0x20a
)

// bootEnd returns the end of a bzImage, by its header; 0: it is none, or too old to say.
func bootEnd(kernel io.ReaderAt) uint64 {
	header := make([]byte, bootInitSize+4)
	if _, err := kernel.ReadAt(header, 0); err != nil || !bytes.Equal(header[bootMagic:bootMagic+4], []byte("HdrS")) ||
		binary.LittleEndian.Uint16(header[bootProtocol:]) < bootSized {
		return 0
	}
	at := binary.LittleEndian.Uint64(header[bootPreferred:])
	return min(at, mostEnd+1) + uint64(binary.LittleEndian.Uint32(header[bootInitSize:]))
}
