package store

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/rs/zerolog"

	"aliquot/cluster"
)

// maxBugs is how many bugs are written down; more are most likely the same one.
const maxBugs = 10

// bugs writes down what Apply could not do: the command and the state that it was applied
// to, which together repeat the bug anywhere.
type bugs struct {
	dir string // "": they are not written down
	log zerolog.Logger
}

func (b bugs) write(revision uint64, command []byte, state *cluster.State) {
	if b.dir == "" {
		return
	}
	path := filepath.Join(b.dir, fmt.Sprint(revision))
	err := b.try(path, command, state)
	b.log.Error().Err(err).Uint64("revision", revision).Str("command", path+".command").Str("state", path+".state").
		Msg("a command met a bug; nothing was changed; report it with these files")
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
		return fmt.Errorf("%s holds %d bugs already, no more are kept", b.dir, maxBugs)
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
