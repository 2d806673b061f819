package client

import (
	"context"
	"encoding/hex"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// socketScheme begins the address of a manager on this machine; the path of its socket follows. The folder's
// permissions decide who can connect, so a token sent there reaches only the manager.
const socketScheme = "unix://"

// socketHosts end the names under which HTTP knows sockets.
const socketHosts = ".socket"

// httpBase returns the URL at which HTTP finds the manager.
func httpBase(manager string) string {
	if path, ok := strings.CutPrefix(manager, socketScheme); ok {
		return "http://" + hex.EncodeToString([]byte(path)) + socketHosts
	}
	return manager
}

// socketOf returns the path that httpBase has made a host name of, or "".
func socketOf(host string) string {
	name, ok := strings.CutSuffix(host, socketHosts)
	path, err := hex.DecodeString(name)
	if !ok || err != nil {
		return ""
	}
	return string(path)
}

// reachSockets makes the transport connect to sockets, past any proxy.
func reachSockets(t *http.Transport) {
	dial, proxy := t.DialContext, t.Proxy
	t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		host, _, _ := net.SplitHostPort(address)
		if path := socketOf(host); path != "" {
			return dial(ctx, "unix", path)
		}
		return dial(ctx, network, address)
	}
	t.Proxy = func(r *http.Request) (*url.URL, error) {
		if socketOf(r.URL.Hostname()) != "" {
			return nil, nil
		}
		return proxy(r)
	}
}
