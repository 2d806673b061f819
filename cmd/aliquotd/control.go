package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/rs/zerolog"

	"aliquot/manager/store"
	"aliquot/web"
)

// A running manager holds the lock in its data folder. It accepts requests only from root of this machine, on two
// sockets there: one for the manager itself, the other for REST.
const (
	lockFile      = "lock"
	controlSocket = "control.sock"
	restSocket    = "rest.sock"
)

// controlTime limits a change of the members. A cluster without a leader cannot change.
const controlTime = 30 * time.Second

// lockData creates the folder and locks it until unlock or the process's end.
func lockData(folder string) (unlock func(), err error) {
	if err := makeFolder(folder, 0o700); err != nil {
		return nil, fmt.Errorf("make the manager's folder: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(folder, lockFile), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock the manager's folder: %w", err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("another aliquotd runs on %s: stop it first", folder)
		}
		return nil, fmt.Errorf("lock %s: %w", folder, err)
	}
	return func() { f.Close() }, nil
}

// listenSocket opens a socket. The folder is locked, so an existing socket belongs to a dead manager. Only the owner
// may connect or enter the folder.
func listenSocket(folder, name string) (net.Listener, error) {
	path := filepath.Join(folder, name)
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("open the socket: %w", err)
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, fmt.Errorf("open the socket: %w", err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		l.Close()
		return nil, fmt.Errorf("open the socket: %w", err)
	}
	return l, nil
}

// serveControl serves the control socket until ctx ends.
func serveControl(ctx context.Context, l net.Listener, s *store.Store, m *members, a web.Audit,
	log zerolog.Logger) error {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /backup", byRoot(a, "write-backup", func(ctx context.Context, q url.Values, w io.Writer) error {
		folder, err := s.Backup(ctx, q.Get("to"), time.Now())
		io.WriteString(w, folder)
		return err
	}))
	mux.HandleFunc("GET /members", answer(m.list))
	mux.HandleFunc("POST /members", byRoot(a, "add-manager", m.add))
	mux.HandleFunc("DELETE /members", byRoot(a, "remove-manager", m.remove))
	server := &http.Server{Handler: mux, ErrorLog: web.ClientErrors(log)}
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve the control socket: %w", err)
	}
	return ctx.Err()
}

// byRoot is answer with an entry in the audit log, on disk before the answer.
func byRoot(a web.Audit, operation string, do func(context.Context, url.Values, io.Writer) error) http.HandlerFunc {
	return answer(func(ctx context.Context, q url.Values, w io.Writer) error {
		e := web.AuditEntry{Actor: "root", From: "control socket", Operation: operation, Status: http.StatusOK,
			Object: cmp.Or(q.Get("member"), q.Get("to"))}
		err := do(ctx, q, w)
		if err != nil {
			e.Status = http.StatusInternalServerError
		}
		a.Add(e, true)
		return err
	})
}

// answer returns a handler for a function that writes plain text or returns an error.
func answer(do func(context.Context, url.Values, io.Writer) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var text strings.Builder
		if err := do(r.Context(), r.URL.Query(), &text); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		io.WriteString(w, text.String())
	}
}

// askControl sends a request to the manager that runs on the data folder.
func askControl(ctx context.Context, data, method, path string, query url.Values) (string, error) {
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", filepath.Join(data, controlSocket))
	}}
	defer transport.CloseIdleConnections()
	request, err := http.NewRequestWithContext(ctx, method, "http://manager"+path+"?"+query.Encode(), nil)
	if err != nil {
		return "", err
	}
	response, err := (&http.Client{Transport: transport}).Do(request)
	if err != nil {
		return "", fmt.Errorf("ask the manager, which must be running with --data %s: %w", data, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, 1<<16))
	if err != nil {
		return "", fmt.Errorf("read the manager's answer: %w", err)
	}
	if response.StatusCode != http.StatusOK {
		return "", errors.New(strings.TrimSpace(string(text)))
	}
	return string(text), nil
}
