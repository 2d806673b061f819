package store

import (
	"bytes"
	"fmt"
	"iter"
	"time"

	"aliquot/cluster"
)

// contentsFile, in the folder of a backup, tells people what the backup holds.
const contentsFile = "contents.txt"

// contents describes a backup made at the time of at least the given state.
func contents(s *cluster.State, at time.Time) []byte {
	var text bytes.Buffer
	fmt.Fprintf(&text, "Backup of Aliquot's cluster %x, made at %s.\n", s.Cluster, at.UTC().Format(time.DateTime))
	fmt.Fprintf(&text, "It holds at least revision %d: format %d, generation %d, policy %s,\n", s.Revision, s.Format,
		s.Generation, s.Policy.Name)
	fmt.Fprintf(&text, "Jobs that had not ended: %d. Jobs that had: %d. Nodes: %d. Images by name: %d. Tokens: %d.\n",
		count(s.Jobs()), count(s.History()), count(s.Nodes()), count(s.Images()), count(s.Tokens()))
	fmt.Fprint(&text, "It holds the commands, environments and labels of jobs, and hashes of tokens. Keep it as secret\n"+
		"as these. It holds no keys of the cluster, no files of images and no output of jobs.\n")
	return text.Bytes()
}

func count[T any](list iter.Seq[T]) (n int) {
	for range list {
		n++
	}
	return n
}
