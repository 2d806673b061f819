package web_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"aliquot/web/webtest"
)

// tarball is the archive of a small image.
var tarball = entry("kernel", '0', "k") + entry("initrd", '0', "i") + strings.Repeat("\x00", 1024)

const asTar = "Content-Type: application/x-tar"

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
	r := s.call("POST", "/v1/images?name=sparse", webtest.Operator, kernel+tarball, asTar)
	if r.status != 422 || !strings.Contains(r.text, "--sparse") {
		t.Errorf("a kernel of 1 GiB in %d bytes: %d %s", len(kernel), r.status, r.text)
	}
	s.want(201, "POST", "/v1/images?name=plain", webtest.Operator, tarball, asTar)
}

// pushSlowly begins to push an image. Call the result for the rest; it returns the status of the answer.
func (s *site) pushSlowly(token string) func() int {
	body, write := io.Pipe()
	request, err := http.NewRequest("POST", s.URL+"/v1/images?name=slow", body)
	if err != nil {
		s.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/x-tar")
	status := make(chan int, 1)
	go func() {
		defer close(status)
		response, err := s.Client().Do(request)
		if err != nil {
			s.Error(err)
			return
		}
		response.Body.Close()
		status <- response.StatusCode
	}()
	io.WriteString(write, tarball[:512])
	return func() int {
		io.WriteString(write, tarball[512:])
		write.Close()
		return <-status
	}
}

func TestOneOwnersSlowPushesLeaveRoomForThoseOfOthers(t *testing.T) {
	s := newSite(t)
	first, second := s.pushSlowly(webtest.Operator), s.pushSlowly(webtest.Operator)
	third := reply{status: 201}
	for end := time.Now().Add(patience); third.status == 201 && time.Now().Before(end); {
		third = s.call("POST", "/v1/images?name=third", webtest.Operator, tarball, asTar)
	}
	if third.status != 409 || !strings.Contains(third.text, "at most 2 images") {
		t.Errorf("a third image of one owner: %d %s", third.status, third.text)
	}
	s.want(201, "POST", "/v1/images?name=other", webtest.Admin, tarball, asTar)
	if a, b := first(), second(); a != 201 || b != 201 {
		t.Errorf("the slow ones: %d, %d", a, b)
	}
	s.want(201, "POST", "/v1/images?name=third", webtest.Operator, tarball, asTar)
}

// deadlines counts the deadlines for reading the request's body.
type deadlines struct {
	*httptest.ResponseRecorder
	set int
}

func (d *deadlines) SetReadDeadline(time.Time) error {
	d.set++
	return nil
}

func TestAPushThatTricklesGetsNoMoreTimeByIt(t *testing.T) {
	s := newSite(t)
	w := &deadlines{ResponseRecorder: httptest.NewRecorder()}
	r := httptest.NewRequest("POST", "/v1/images?name=slow", iotest.OneByteReader(strings.NewReader(tarball)))
	r.Header.Set("Authorization", "Bearer "+webtest.Operator)
	r.Header.Set("Content-Type", "application/x-tar")
	s.Config.Handler.ServeHTTP(w, r)
	if w.Code != 201 || w.set != 1 {
		t.Errorf("%d bytes, one at a time, got %d deadlines and the answer %d", len(tarball), w.set, w.Code)
	}
}
