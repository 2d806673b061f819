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
// returns joins again, with the token handed over since, when the certificate is refused.
func enlist(ctx context.Context, cfg *config.Monitor, invited invitation, log zerolog.Logger) (*wire.Client, error) {
	credentials := filepath.Join(cfg.Data, "node.pem")
	enroll := func(ctx context.Context, token join.Token) error {
		return wire.Enrollment{Managers: cfg.Managers, Token: token, Node: cfg.Node, Path: credentials}.Persist(ctx, log)
	}
	if _, err := os.Stat(credentials); errors.Is(err, fs.ErrNotExist) {
		token, err := invited(ctx, cfg.Node)
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
		Shared: sharedImages(cfg.Store), Log: log,
		Rejoin: func(ctx context.Context) error { return rejoin(ctx, cfg, enroll, log) }})
}

// rejoin lets a node whose certificate is refused join with the token in its file, which an operator must have renewed.
// The node keeps its former key and certificate until a manager has given it new ones.
func rejoin(ctx context.Context, cfg *config.Monitor, enroll func(context.Context, join.Token) error,
	log zerolog.Logger) error {
	token, err := readToken(cfg.JoinToken)
	if err == nil {
		log.Warn().Str("node", cfg.Node).Str("token", cfg.JoinToken).
			Msg("the node's certificate is refused: the node was removed, or joined anew elsewhere; joining again with its join token")
		err = enroll(ctx, token)
	}
	if err == nil {
		log.Info().Str("node", cfg.Node).Msg("the node has joined again, with a new key")
		return nil
	}
	if ctx.Err() != nil {
		return err
	}
	return fmt.Errorf("to let this node join again, run `aliquot node invite %s`, put the token that it prints into %s, "+
		"and start the monitor again: %w", cfg.Node, cfg.JoinToken, err)
}
