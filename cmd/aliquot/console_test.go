package main

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestConsoleLoginPrintsAnAddressThatLogsABrowserInOnce(t *testing.T) {
	d := newDesk(t)
	address, err := url.Parse(strings.TrimSpace(d.ok("console login --role viewer")))
	if err != nil || address.Path != "/login" || address.RawQuery != "" {
		t.Fatalf("address %v, %v", address, err)
	}
	code, ok := strings.CutPrefix(address.Fragment, "code=")
	if !ok || address.Scheme+"://"+address.Host != d.env["ALIQUOT_MANAGERS"] {
		t.Fatalf("address %v", address)
	}
	for _, want := range []int{http.StatusOK, http.StatusUnauthorized} {
		request, err := http.NewRequest("POST", d.env["ALIQUOT_MANAGERS"]+"/v1/session",
			strings.NewReader(`{"code": "`+code+`"}`))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Aliquot-Console", "1")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("status %d, want %d", response.StatusCode, want)
		}
	}
	http.DefaultClient.CloseIdleConnections()
}

func TestConsoleLoginGivesNoMoreThanTheTokenHas(t *testing.T) {
	d := newDesk(t)
	d.env["ALIQUOT_TOKEN"] = "alq_viewer"
	if o := d.run("console login --role admin"); o.code != exitFailed ||
		!strings.Contains(o.err, "cannot grant a higher one") {
		t.Errorf("%+v", o)
	}
	if out := d.ok("console login -o json"); !strings.Contains(out, `"role": "viewer"`) {
		t.Error(out)
	}
}
