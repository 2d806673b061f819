package image

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
)

// elfKernel returns an ELF file with one segment at each address.
func elfKernel(at, size uint64) []byte {
	var b bytes.Buffer
	h := elf.Header64{Type: uint16(elf.ET_EXEC), Machine: uint16(elf.EM_X86_64), Version: 1, Phoff: 64, Ehsize: 64,
		Phentsize: 56, Phnum: 1, Shentsize: 64}
	copy(h.Ident[:], "\x7fELF\x02\x01\x01")
	for _, part := range []any{h, elf.Prog64{Type: uint32(elf.PT_LOAD), Paddr: at, Memsz: size}} {
		if err := binary.Write(&b, binary.LittleEndian, part); err != nil {
			panic(err)
		}
	}
	return b.Bytes()
}

// bootKernel returns the begin of a bzImage.
func bootKernel(protocol uint16, at uint64, size uint32) []byte {
	b := make([]byte, 4096)
	copy(b[bootMagic:], "HdrS")
	binary.LittleEndian.PutUint16(b[bootProtocol:], protocol)
	binary.LittleEndian.PutUint64(b[bootPreferred:], at)
	binary.LittleEndian.PutUint32(b[bootInitSize:], size)
	return b
}

func TestTheLeastMemoryIsThatOfTheKernelAndItsInitrd(t *testing.T) {
	const mib = 1 << 20
	for name, c := range map[string]struct {
		kernel []byte
		initrd int
		want   int64
	}{
		"an ELF kernel":             {elfKernel(16*mib, 46*mib), 2 * mib, 68 * mib},
		"without an initrd":         {elfKernel(16*mib, 46*mib), -1, 66 * mib},
		"a bzImage":                 {bootKernel(0x20f, 16*mib, 40*mib), 2 * mib, 62 * mib},
		"a bzImage that is too old": {bootKernel(0x209, 16*mib, 40*mib), 2 * mib, 0},
		"an end beyond 4 GiB":       {elfKernel(1<<40, 46*mib), 2 * mib, 0},
		"an end that overflows":     {bootKernel(0x20f, 1<<64-1, 1<<32-1), 0, 0},
		"something else":            {[]byte("no kernel"), 2 * mib, 0},
		"nothing":                   {nil, 2 * mib, 0},
	} {
		folder := t.TempDir()
		files := map[string][]byte{Kernel: c.kernel}
		if c.initrd >= 0 {
			files[Initrd] = make([]byte, c.initrd)
		}
		for file, content := range files {
			if err := os.WriteFile(filepath.Join(folder, file), content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := LeastMemory(folder); err != nil || got != c.want {
			t.Errorf("%s: %d, %v; want %d", name, got, err, c.want)
		}
	}
}

func FuzzLeastMemory(f *testing.F) {
	f.Add(elfKernel(1<<24, 1<<20))
	f.Add(bootKernel(0x20f, 1<<24, 1<<20))
	f.Fuzz(func(t *testing.T, kernel []byte) {
		if end := kernelEnd(bytes.NewReader(kernel)); end < 0 || end > mostEnd {
			t.Errorf("it ends at %d", end)
		}
	})
}
