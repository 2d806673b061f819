package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rs/zerolog"

	"aliquot/config"
	"aliquot/wire"
	"aliquot/wire/join"
)

// enlist joins the machine to the cluster, on its first start, with the token of its invitation. The client that it
// returns joins again, with a new token, when the certificate was withdrawn or has expired.
func enlist(ctx context.Context, cfg *config.Monitor, invited invitation, log zerolog.Logger) (*wire.Client, error) {
	credentials := filepath.Join(cfg.Data, "node.pem")
	enroll := func(ctx context.Context, token join.Token) error {
		return wire.Enrollment{Managers: cfg.Managers, Token: token, Node: cfg.Node, Path: credentials}.Persist(ctx, log)
	}
	if _, err := os.Stat(credentials); errors.Is(err, fs.ErrNotExist) {
		token, err := invited.token(ctx, cfg.Node)
		if err != nil {
			return nil, err
		}
		if err := enroll(ctx, token); err != nil {
			return nil, err
		}
	}
	known, err := join.Load(credentials)
	if err != nil {
		return nil, err
	}
	if known.Node != cfg.Node { // under another name, its VMs would belong to a node that nobody fences
		return nil, fmt.Errorf("this machine has joined as node %s: set node: %s in its configuration", known.Node, known.Node)
	}
	return wire.NewClient(wire.Options{Managers: cfg.Managers, Credentials: credentials, Images: cfg.Images,
		Shared: sharedImages(cfg.Store), Log: log, Remedy: invited.remedy(cfg.Node, credentials),
		Rejoin: func(ctx context.Context, refusal error) error {
			return rejoin(ctx, cfg, invited, refusal, enroll, log)
		}})
}

// rejoin lets a node whose certificate was withdrawn or has expired join with a new token. One from a file an operator
// must have renewed. A node that this process invites itself joins again when its certificate has expired, but not
// against the will of the operator who removed it. It keeps its former key and certificate until a manager has given it
// new ones.
func rejoin(ctx context.Context, cfg *config.Monitor, invited invitation, refusal error,
	enroll func(context.Context, join.Token) error, log zerolog.Logger) error {
	if invited.path == "" && !errors.Is(refusal, wire.ErrExpired) {
		return errors.New("this node does not invite itself once it was removed")
	}
	token, err := invited.token(ctx, cfg.Node)
	if err != nil {
		return err
	}
	log.Warn().Str("node", cfg.Node).AnErr("refusal", refusal).
		Msg("the node's certificate is refused; joining again with a new join token")
	if err := enroll(ctx, token); err != nil {
		return err
	}
	log.Info().Str("node", cfg.Node).Msg("the node has joined again, with a new key")
	return nil
}
