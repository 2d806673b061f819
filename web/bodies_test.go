package web_test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"aliquot/web/api"
	"aliquot/web/webtest"
)

func TestWhoeverLogsInSendsLittle(t *testing.T) {
	s := newSite(t)
	body := `{"token": "` + strings.Repeat("x", 4<<10) + `"}`
	if r := s.call(post, "/v1/session", "", body, "Aliquot-Console: 1"); r.status != http.StatusRequestEntityTooLarge {
		t.Errorf("%d: %s", r.status, r.text)
	}
	body = "{" + strings.Repeat(`"a":{},`, 500) + `"b":{}}`
	r := s.call(post, "/v1/session", "", body, "Aliquot-Console: 1")
	var problem api.Problem
	r.into(t, &problem)
	if r.status != http.StatusUnprocessableEntity || len(problem.Errors) > 33 {
		t.Errorf("%d with %d errors", r.status, len(problem.Errors))
	}
}

// Each of these bodies has a megabyte. The worst needed fifty megabytes before there was a limit.
func TestABodyOfManyValuesCostsLittle(t *testing.T) {
	s := newSite(t)
	keys := make([]string, 95_000)
	for i := range keys {
		keys[i] = fmt.Sprintf("%q:{}", fmt.Sprint(i))
	}
	for name, body := range map[string]string{
		"keys":    "{" + strings.Join(keys, ",") + "}",
		"numbers": `{"a":[` + strings.Repeat("0,", 500_000) + "0]}",
		"arrays":  strings.Repeat("[", 1_000_000),
		"quoted":  `{"a\"":[` + strings.Repeat("0,", 500_000) + "0]}",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := s.call(post, jobs, webtest.Alice, body)
		runtime.ReadMemStats(&after)
		if r.status != http.StatusBadRequest || !strings.Contains(r.text, "values") {
			t.Errorf("%s: %d: %.200s", name, r.status, r.text)
		}
		if taken := (after.TotalAlloc - before.TotalAlloc) >> 20; taken > 16 {
			t.Errorf("%s: %d MiB were allocated", name, taken)
		}
	}
	large := job(`"env": {"LARGE": "` + strings.Repeat(`,{[\\\"`, 1000) + `"}`)
	if r := s.call(post, jobs, webtest.Alice, large); r.status/100 != 2 {
		t.Errorf("a text with many commas: %d: %.200s", r.status, r.text)
	}
}

func TestATraceCostsAFewTimesItsSize(t *testing.T) {
	s, _ := simulating(t)
	const size = 8 << 20
	trace := func(text string) string { return strings.Replace(traceOrder, "id,…", text, 1) }
	for name, c := range map[string]struct {
		body, says string
		status     int
	}{
		"values": {`{"a":[` + strings.Repeat("{},", size/3) + "{}]}", "at most 10000 are allowed", http.StatusBadRequest},
		"lines": {trace(strings.Repeat(`\n`, 1_500_000)), "it has 1500000 lines; at most 1000000 are allowed",
			http.StatusUnprocessableEntity},
		"text": {trace(strings.Repeat("x", size)), `"waiting"`, http.StatusCreated},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := s.handle("/v1/simulations", webtest.Alice, c.body)
		runtime.ReadMemStats(&after)
		if text := r.Body.String(); r.Code != c.status || !strings.Contains(text, c.says) {
			t.Errorf("%s: %d: %.200s", name, r.Code, text)
		}
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 16*size { // the attack took 45 times its size
			t.Errorf("%s: %d MiB were allocated", name, taken>>20)
		}
	}
}

// handle gives a request to the server's handler. No connection can time out, however slow the machine is.
func (s *site) handle(path, token, text string) *httptest.ResponseRecorder {
	s.Helper()
	request := httptest.NewRequest(post, path, strings.NewReader(text))
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	answer := httptest.NewRecorder()
	s.Config.Handler.ServeHTTP(answer, request)
	return answer
}

// stall begins a request and never sends the body.
func (s *site) stall(path, token string, size int) {
	s.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { c.Close() })
	fmt.Fprintf(c,
		"POST %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nAliquot-Console: 1\r\nContent-Type: application/json\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n",
		path, token, size)
	// The server asks for the body once it has reserved room for it.
	if _, err := c.Read(make([]byte, 25)); err != nil {
		s.Fatal(err)
	}
}

func TestBodiesThatDoNotArriveLeaveRoomForOthers(t *testing.T) {
	s := newSite(t)
	for range 4 {
		s.stall(jobs, webtest.Bob, 1<<20)
	}
	if r := s.call(post, jobs, webtest.Bob, small); r.status != http.StatusTooManyRequests {
		t.Errorf("beyond a token's part: %d: %s", r.status, r.text)
	}
	if r := s.call(post, jobs, webtest.Alice, small); r.status/100 != 2 {
		t.Errorf("another token: %d: %s", r.status, r.text)
	}
	for range 32 {
		s.stall("/v1/session", "", 4<<10)
	}
	login := `{"token": "` + webtest.Alice + `"}`
	if r := s.call(post, "/v1/session", "", login, "Aliquot-Console: 1"); r.status != http.StatusTooManyRequests {
		t.Errorf("beyond an address' part of logins: %d: %s", r.status, r.text)
	}
	if r := s.call(post, jobs, webtest.Alice, small); r.status/100 != 2 {
		t.Errorf("a token beside many logins: %d: %s", r.status, r.text)
	}
}
