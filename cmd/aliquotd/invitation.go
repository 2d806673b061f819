package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"aliquot/client"
	"aliquot/config"
	"aliquot/internal/file"
	"aliquot/wire/join"
)

// invitation gives a node its join token.
type invitation struct {
	token func(ctx context.Context, node string) (join.Token, error)
	path  string // of the token's file, which an operator writes; "": the manager in this process makes the token
}

// remedy tells an operator how to let a refused node join again.
func (i invitation) remedy(node, credentials string) string {
	if i.path == "" {
		return fmt.Sprintf("to let this node join again, remove %s and start aliquotd again", credentials)
	}
	return fmt.Sprintf("to let this node join again, run `aliquot node invite %s`, put the token that it prints into %s, "+
		"and start the monitor again", node, i.path)
}

// handedOver reads the token from the file that an operator put there.
func handedOver(path string) invitation {
	return invitation{path: path, token: func(context.Context, string) (join.Token, error) {
		token, err := readToken(path)
		if err != nil {
			return join.Token{}, fmt.Errorf("to join a cluster, this node needs a token, "+
				"which `aliquot node invite` prints: %w", err)
		}
		return token, nil
	}}
}

// readToken reads a join token from a file that no other user may write.
func readToken(path string) (join.Token, error) {
	text, err := file.ReadSecret(path)
	if err != nil {
		return join.Token{}, err
	}
	token, err := join.ParseToken(text)
	if err != nil {
		return join.Token{}, fmt.Errorf("%s: %w", path, err)
	}
	return token, nil
}

const (
	inviteTime  = time.Minute // for a new manager to be ready
	inviteEvery = 100 * time.Millisecond
)

// own asks the manager in this process, on its socket, with the administrator's token. A new cluster takes a moment to
// know that token.
func own(m *config.Manager) invitation {
	return invitation{token: func(ctx context.Context, node string) (join.Token, error) {
		c, err := connected(ctx, m)
		if err != nil {
			return join.Token{}, err
		}
		defer c.Close()
		limited, cancel := context.WithTimeout(ctx, inviteTime)
		defer cancel()
		for {
			i, err := c.InviteNode(limited, node, "")
			if err == nil {
				return join.ParseToken(i.Token)
			}
			select {
			case <-time.After(inviteEvery):
			case <-limited.Done():
				return join.Token{}, errors.Join(fmt.Errorf("invite this machine's own node: %w", err), ctx.Err())
			}
		}
	}}
}

// connected returns a client of this machine's manager once the manager has made its secrets. It asks on the socket.
func connected(ctx context.Context, m *config.Manager) (*client.Client, error) {
	path := filepath.Join(m.Secrets, "admin.token")
	if err := awaitFile(ctx, path); err != nil {
		return nil, err
	}
	token, err := file.ReadSecret(path)
	if err != nil {
		return nil, err
	}
	return client.New(client.Options{Managers: []string{"unix://" + filepath.Join(m.Data, restSocket)},
		Token: strings.TrimSpace(token)})
}
