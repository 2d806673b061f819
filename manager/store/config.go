package store

import (
	"cmp"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/google/uuid"
	"github.com/lni/dragonboat/v4/config"
	"github.com/rs/zerolog"

	"aliquot/cluster"
)

// shard is the only Raft group.
const shard = 1

// Member is a manager that holds a replica.
type Member struct {
	Name    string // never changes
	Address string // host:port at which the others reach it; may change
}

// Sink receives what happens, in order, on the goroutine that applies commands: it must be quick.
type Sink interface {
	// Append takes the events of some revisions. After a restart it gets the events since the last snapshot again.
	Append([]cluster.Event)
	// Missing reports that the state came from another replica, so events up to the revision are missing.
	Missing(revision uint64)
}

// Config configures a replica.
type Config struct {
	Dir     string            // used by this replica only
	Replica uint64            // key of Members; the id of a removed replica is never used again
	Members map[uint64]Member // all of them; for the first start of a cluster the same everywhere
	Listen  string            // host:port to listen on; "": this member's address
	Join    bool              // this replica is added to a running cluster, by AddReplica there
	// at both ends; every holder of a certificate of its CA is a member. nil: no TLS, while a cluster is upgraded
	TLS     *tls.Config
	Cluster [16]byte // of the cluster; the members' identities are derived from it
	Secret  uint64   // every message carries it; frozen in Dir at the first start. 0: derived from Cluster
	// state before the first command: the same on every replica and in every version, because the log is applied to it
	Initial func() *cluster.State
	Events  Sink // nil: events are dropped
	Log     zerolog.Logger
	RTT     time.Duration // tick, about a round trip; 0: 10 ms for one member, 20 ms for several
	Cut     int64         // bytes of commands after which a snapshot replaces most of the log; 0: 64 MiB

	expert func(*config.NodeHostConfig) // for tests: memory instead of disk and network
}

func (c *Config) validate() error {
	me, known := c.Members[c.Replica]
	switch {
	case c.Replica == 0 || !known:
		return fmt.Errorf("replica %d is not among the members", c.Replica)
	case me.Address == "":
		return fmt.Errorf("member %s has no address", me.Name)
	case c.Dir == "":
		return errors.New("no directory is given")
	case c.Initial == nil:
		return errors.New("no initial state is given")
	case c.Cluster == [16]byte{}:
		return errors.New("no cluster id is given")
	}
	names := map[string]uint64{}
	for id, m := range c.Members {
		if other, twice := names[m.Name]; twice || m.Name == "" {
			return fmt.Errorf("members %d and %d have the same name %q, or none", id, other, m.Name)
		}
		names[m.Name] = id
	}
	return nil
}

// bugs returns the place for bugs: beside the replica's own files.
func (c *Config) bugs() bugs {
	if c.expert != nil {
		return bugs{log: c.Log}
	}
	return bugs{dir: filepath.Join(filepath.Dir(c.Dir), "bugs"), log: c.Log}
}

// identity returns a member's identity in Raft.
func (c *Config) identity(m Member) string {
	return uuid.NewSHA1(uuid.UUID(c.Cluster), []byte(m.Name)).String()
}

// identities returns the membership with identities in Raft.
func (c *Config) identities() map[uint64]string {
	out := map[uint64]string{}
	for id, m := range c.Members {
		out[id] = c.identity(m)
	}
	return out
}

// Deployment returns the number that every message carries.
func (c *Config) Deployment() uint64 {
	return cmp.Or(c.Secret, binary.BigEndian.Uint64(c.Cluster[:8])|1) // 0 would accept messages of any deployment
}

// host is the configuration of the Raft library. Much of it is frozen in Dir at the first start: the deployment, the
// kind of log and all counts of shards.
func (c *Config) host() config.NodeHostConfig {
	me := c.Members[c.Replica]
	h := config.NodeHostConfig{
		NodeHostDir: c.Dir, RaftAddress: me.Address, ListenAddress: c.Listen, NodeHostID: c.identity(me),
		DeploymentID:   c.Deployment(),
		RTTMillisecond: uint64(c.rtt().Milliseconds()), EnableMetrics: true,
	}
	h.Expert.TransportFactory = tcpFactory{tls: c.TLS, log: c.Log}
	h.Expert.LogDB = config.GetTinyMemLogDBConfig()
	h.Expert.LogDB.Shards = 1
	h.Expert.Engine = config.EngineConfig{ExecShards: 1, CommitShards: 1, ApplyShards: 1, SnapshotShards: 2,
		CloseShards: 1}
	if c.expert != nil {
		c.expert(&h)
	}
	return h
}

func (c *Config) rtt() time.Duration {
	switch {
	case c.RTT > 0:
		return max(c.RTT, time.Millisecond)
	case len(c.Members) == 1 && !c.Join:
		return 10 * time.Millisecond
	}
	return 20 * time.Millisecond
}

// cut returns the bytes of commands after which the log is cut. The library itself cuts it by the number of commands.
func (c *Config) cut() int64 { return cmp.Or(c.Cut, 64<<20) }

// replica returns the configuration of the Raft group. Elections of several members take twice as many ticks.
func (c *Config) replica() config.Config {
	r := config.Config{
		ReplicaID: c.Replica, ShardID: shard, CheckQuorum: true, PreVote: true, ElectionRTT: 20, HeartbeatRTT: 2,
		SnapshotEntries: 100_000, CompactionOverhead: 10_000, OrderedConfigChange: true,
		MaxInMemLogSize: 4 * cluster.MaxCommand, WaitReady: true,
	}
	if len(c.Members) == 1 && !c.Join {
		r.ElectionRTT, r.HeartbeatRTT = 10, 1
	}
	return r
}
