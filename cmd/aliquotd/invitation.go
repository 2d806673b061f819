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

// invitation returns the join token of a node that has not joined yet.
type invitation func(ctx context.Context, node string) (join.Token, error)

// handedOver reads the token from the file that an operator put there.
func handedOver(path string) invitation {
	return func(context.Context, string) (join.Token, error) {
		token, err := readToken(path)
		if err != nil {
			return join.Token{}, fmt.Errorf("this node has not joined a cluster yet and needs a token, "+
				"which `aliquot node invite` prints: %w", err)
		}
		return token, nil
	}
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
	return func(ctx context.Context, node string) (join.Token, error) {
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
	}
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
