package web_test

import (
	"fmt"
	"strings"
	"testing"

	"aliquot/web/webtest"
)

// entry is a member of a tar archive, made by hand: the library writes no file with holes.
func entry(name string, kind byte, content string) string {
	header := []byte(strings.Repeat("\x00", 512))
	copy(header, name)
	copy(header[100:], "0000644\x000000000\x000000000\x00")
	copy(header[124:], fmt.Sprintf("%011o\x00%011o\x00        ", len(content), 0))
	header[156] = kind
	copy(header[257:], "ustar\x0000")
	sum := 0
	for _, b := range header {
		sum += int(b)
	}
	copy(header[148:], fmt.Sprintf("%06o\x00 ", sum))
	return string(header) + content + strings.Repeat("\x00", -len(content)&511)
}

// record is a line of an extended header: its own length, then the key and the value.
func record(key, value string) string {
	line := " " + key + "=" + value + "\n"
	n := len(line) + 1
	for len(fmt.Sprint(n))+len(line) != n {
		n++
	}
	return fmt.Sprint(n) + line
}

func TestASmallArchiveDoesNotBecomeALargeImage(t *testing.T) {
	s := newSite(t)
	records := record("GNU.sparse.major", "1") + record("GNU.sparse.minor", "0") +
		record("GNU.sparse.name", "kernel") + record("GNU.sparse.realsize", fmt.Sprint(1<<30))
	kernel := entry("PaxHeaders/kernel", 'x', records) + entry("GNUSparseFile/kernel", '0', "1\n0\n1\n"+
		strings.Repeat("\x00", 506)+"x")
	end := strings.Repeat("\x00", 1024)
	r := s.call("POST", "/v1/images?name=sparse", webtest.Operator, kernel+entry("initrd", '0', "i")+end,
		"Content-Type: application/x-tar")
	if r.status != 422 || !strings.Contains(r.text, "--sparse") {
		t.Errorf("a kernel of 1 GiB in %d bytes: %d %s", len(kernel), r.status, r.text)
	}
	s.want(201, "POST", "/v1/images?name=plain", webtest.Operator, entry("kernel", '0', "k")+entry("initrd", '0', "i")+end,
		"Content-Type: application/x-tar")
}
