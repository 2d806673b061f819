package main

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"

	"aliquot/config"
	"aliquot/manager/store"
)

// raftFile, among the secrets, holds the number that every message of Raft carries. It exists once the cluster's Raft
// uses TLS on every address. An earlier version made no such file. Its number follows from the cluster's id, and its
// Raft on loopback did not use TLS.
const raftFile = "raft.id"

// makeRaftID draws the number for a new cluster. It cannot be derived from the cluster's id, which the nodes know.
func makeRaftID(dir string) error {
	var id [8]byte
	rand.Read(id[:])
	return writeRaftID(dir, binary.BigEndian.Uint64(id[:])|1) // 0 would accept messages of any deployment
}

func writeRaftID(dir string, id uint64) error {
	if err := os.WriteFile(filepath.Join(dir, raftFile), fmt.Appendf(nil, "%016x\n", id), 0o600); err != nil {
		return fmt.Errorf("write Raft's id: %w", err)
	}
	return nil
}

// readRaftID returns 0 if there is no file.
func readRaftID(dir string) (uint64, error) {
	text, err := os.ReadFile(filepath.Join(dir, raftFile))
	if os.IsNotExist(err) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read Raft's id: %w", err)
	}
	id, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(id) != 8 {
		return 0,
			fmt.Errorf("%s does not hold 16 hexadecimal digits; copy it from another manager, or from a backup of the secrets",
				raftFile)
	}
	return binary.BigEndian.Uint64(id), nil
}

// raftInTheClear reports whether this manager must speak Raft without TLS. That is so for one of several managers on
// loopback, in a cluster that an earlier version founded, because the others may still run that version. A single
// manager need not wait for others.
func raftInTheClear(cfg *config.Manager, s *secrets) bool {
	addresses := raftAddresses(cfg)
	return s.raft == 0 && cfg.RaftTLS == config.RaftTLSAuto && (len(addresses) > 1 || cfg.Join) &&
		loopback(addresses[cfg.Replica])
}

// raftProblem describes Raft without TLS as a problem of the manager's health.
const raftProblem = "Raft is without TLS: every user of this machine can change the cluster's state. " +
	"Once all managers run this version, set raft-tls to required on each and start them again"

// secureRaft makes Raft use TLS from now on, whatever the settings.
func secureRaft(sc *store.Config, cfg *config.Manager, s *secrets) error {
	host, _, err := net.SplitHostPort(sc.Members[sc.Replica].Address)
	if err != nil {
		return err
	}
	sc.TLS, sc.Secret = s.authority.RaftTLS(host), s.raft
	if s.raft == 0 {
		return writeRaftID(cfg.Secrets, sc.Deployment())
	}
	return nil
}
