package store

import (
	"slices"

	"github.com/lni/dragonboat/v4/raftpb"

	"aliquot/cluster"
)

// harmful reports whether the Raft library panics over the message: at once, or, once its entries are in the log, at
// every start from then on. No member sends such a message.
func harmful(m raftpb.Message) bool {
	if m.To == 0 || m.Type == raftpb.InstallSnapshot { // snapshots come in chunks
		return true
	}
	return m.Type == raftpb.Propose && slices.ContainsFunc(m.Entries, func(e raftpb.Entry) bool { return !acceptable(e) })
}

// acceptable reports whether a member may propose the entry: a change of the members, or a command without a session.
// The store opens no sessions.
func acceptable(e raftpb.Entry) bool {
	if e.Type == raftpb.ConfigChangeEntry {
		var c raftpb.ConfigChange
		return c.Unmarshal(e.Cmd) == nil && (c.Type == raftpb.AddNode || c.Type == raftpb.RemoveNode)
	}
	const uncompressed = 0 // the first byte of a command as the library encodes it
	return e.Type == raftpb.EncodedEntry && e.ClientID != 0 && e.IsNoOPSession() &&
		len(e.Cmd) > 1 && len(e.Cmd) <= 1+cluster.MaxCommand && e.Cmd[0] == uncompressed
}
