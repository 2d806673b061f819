package main

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"aliquot/cluster"
	"aliquot/manager/ca"
)

// secrets are shared by all managers of a cluster, in one folder that the first start creates.
type secrets struct {
	authority *ca.Authority
	cluster   [16]byte
	raft      uint64 // every message of Raft carries it; 0: an earlier version founded the cluster, see raftInTheClear
	admin     cluster.Token
	sessions  []byte // key that signs the console's sessions
}

func openSecrets(dir string) (*secrets, error) {
	authority, err := ca.Open(dir)
	if err != nil {
		return nil, err
	}
	s := &secrets{authority: authority}
	if s.sessions, err = authority.Key("console sessions"); err != nil {
		return nil, err
	}
	if s.cluster, err = clusterID(dir); err != nil {
		return nil, err
	}
	if s.raft, err = readRaftID(dir); err != nil {
		return nil, err
	}
	secret, err := ca.Secret(filepath.Join(dir, "admin.token"))
	if err != nil {
		return nil, err
	}
	hash := sha256.Sum256([]byte(secret))
	s.admin = cluster.Token{
		ID: "admin-" + hex.EncodeToString(hash[:4]), Name: "admin", Hash: hash,
		Actor: cluster.Actor{Name: "admin", Owner: "admin", Project: cluster.DefaultProject, Role: cluster.Admin},
	}
	return s, nil
}

// clusterID reads the cluster's id, or creates it together with Raft's.
func clusterID(dir string) (id [16]byte, err error) {
	path := filepath.Join(dir, "cluster.id")
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		if err := makeRaftID(dir); err != nil {
			return id, err
		}
		rand.Read(id[:])
		return id, os.WriteFile(path, []byte(hex.EncodeToString(id[:])+"\n"), 0o600)
	}
	if err != nil {
		return id, fmt.Errorf("read the cluster's id: %w", err)
	}
	if n, err := hex.Decode(id[:], []byte(strings.TrimSpace(string(text)))); err != nil || n != len(id) {
		return id, fmt.Errorf(
			"%s does not hold 32 hexadecimal digits; restore the cluster's id, because another id means another cluster", path)
	}
	return id, nil
}
