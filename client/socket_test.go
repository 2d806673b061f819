package client_test

import (
	"net"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"aliquot/client"
	"aliquot/web/webtest"
)

func TestAManagerIsAskedOnItsSocketPastAnyProxy(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	path := filepath.Join(t.TempDir(), "rest.sock")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(webtest.New(t).Serve(t).Config.Handler)
	server.Listener.Close()
	server.Listener = l
	server.Start()
	defer server.Close()
	c := connect(t, "unix://"+path)
	if _, err := c.Nodes(within(t)); err != nil {
		t.Error(err)
	}
	if c.Manager() != "unix://"+path {
		t.Errorf("the manager is called %s", c.Manager())
	}
}

func TestASocketThatIsNotThereIsNamed(t *testing.T) {
	_, err := connect(t, "unix:///nowhere/rest.sock").Nodes(within(t))
	if err == nil || !strings.Contains(err.Error(), "/nowhere/rest.sock") {
		t.Errorf("error %v", err)
	}
	if _, err := client.New(client.Options{Managers: []string{"unix://relative.sock"}}); err == nil {
		t.Error("a socket without an absolute path was taken")
	}
}
