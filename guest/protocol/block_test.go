package protocol

import (
	"bytes"
	"errors"
	"testing"

	"pgregory.net/rapid"
)

// disk is a disk in memory that was all zeros.
type disk []byte

func (d disk) WriteAt(p []byte, at int64) (int, error) {
	if at+int64(len(p)) > int64(len(d)) {
		return 0, errors.New("no space left")
	}
	return copy(d[at:], p), nil
}

func (d disk) reader() *bytes.Reader { return bytes.NewReader(d) }

func TestAStreamOnADiskIsCopiedAsItGrows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := make(disk, 16*BlockSize)
		w := NewBlockWriter(d)
		var written, copied bytes.Buffer
		for range rapid.IntRange(1, 8).Draw(t, "writes") {
			length := rapid.IntRange(0, 2*BlockData).Draw(t, "length")
			piece := bytes.Repeat([]byte{byte(rapid.IntRange(0, 255).Draw(t, "byte"))}, length)
			if written.Len()+len(piece) > 15*BlockData {
				break
			}
			if _, err := w.Write(piece); err != nil {
				t.Fatal(err)
			}
			written.Write(piece)
			if rapid.Bool().Draw(t, "copy") {
				mustCopy(t, &copied, d)
			}
		}
		mustCopy(t, &copied, d)
		if !bytes.Equal(written.Bytes(), copied.Bytes()) {
			t.Fatalf("%d bytes became %d, or others", written.Len(), copied.Len())
		}
	})
}

func mustCopy(t interface{ Fatal(...any) }, to *bytes.Buffer, d disk) {
	if _, err := CopyBlocks(to, d.reader(), int64(to.Len())); err != nil {
		t.Fatal(err)
	}
}

func TestABlockThatIsHalfWrittenWaits(t *testing.T) {
	d := make(disk, 4*BlockSize)
	w := NewBlockWriter(d)
	first, second := bytes.Repeat([]byte{'a'}, BlockData-100), bytes.Repeat([]byte{'b'}, 200)
	w.Write(first)
	before := bytes.Clone(d)
	w.Write(second)
	torn := disk(append(bytes.Clone(d[:BlockSize/2]), before[BlockSize/2:]...)) // with the new head and the old rest
	var got bytes.Buffer
	got.Write(first)
	mustCopy(t, &got, torn)
	if got.Len() != len(first) {
		t.Fatalf("%d bytes were taken from a block that is not complete", got.Len()-len(first))
	}
	mustCopy(t, &got, d)
	if !bytes.Equal(got.Bytes(), append(first, second...)) {
		t.Fatal("the complete block is not taken")
	}
}

func TestABlockInAnothersPlaceIsNone(t *testing.T) {
	d := make(disk, 4*BlockSize)
	NewBlockWriter(d).Write(bytes.Repeat([]byte{'a'}, 2*BlockData))
	copy(d[BlockSize:2*BlockSize], d[:BlockSize])
	var got bytes.Buffer
	mustCopy(t, &got, d)
	if got.Len() != BlockData {
		t.Fatalf("copied %d bytes, want one block", got.Len())
	}
}

func TestADiskThatIsFullLosesNothingOfWhatItHas(t *testing.T) {
	d := make(disk, BlockSize)
	w := NewBlockWriter(d)
	w.Write([]byte("kept"))
	if _, err := w.Write(make([]byte, BlockData)); err == nil {
		t.Fatal("more than the disk holds was written")
	}
	var got bytes.Buffer
	mustCopy(t, &got, d)
	if got.String() != "kept" {
		t.Fatalf("%q", got.String())
	}
}
