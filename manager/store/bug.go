package store

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/rs/zerolog"

	"aliquot/cluster"
)

// maxBugs is the number of bugs that are saved; further ones are most likely the same.
const maxBugs = 10

// bugs saves the commands on which Apply panicked, each with the state before it. Together they reproduce the bug.
type bugs struct {
	dir string // "": bugs are not saved
	log zerolog.Logger
}

func (b bugs) write(revision uint64, command []byte, state *cluster.State) {
	if b.dir == "" {
		return
	}
	path := filepath.Join(b.dir, fmt.Sprint(revision))
	err := b.try(path, command, state)
	b.log.Error().Err(err).Uint64("revision", revision).Str("command", path+".command").Str("state", path+".state").
		Msg("a bug in Apply: the command was discarded and the state is unchanged; please report it with these files")
}

func (b bugs) try(path string, command []byte, state *cluster.State) error {
	if err := os.MkdirAll(b.dir, 0o700); err != nil {
		return err
	}
	kept, err := os.ReadDir(b.dir)
	if err != nil {
		return err
	}
	if len(kept) >= 2*maxBugs {
		return fmt.Errorf("%s already holds %d bugs; no more are saved", b.dir, maxBugs)
	}
	if err := os.WriteFile(path+".command", command, 0o600); err != nil {
		return err
	}
	file, err := os.OpenFile(path+".state", os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	return state.Encode(file)
}
