package store

import (
	"bytes"
	"crypto/md5"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/lni/dragonboat/v4/raftpb"
)

// flagFile is the Raft library's file with the owner of its directory: half an MD5 sum, then a message.
const flagFile = "dragonboat.ds"

// rehome assigns the directory to the machine's present name, because the library stores its data under that name. It
// can be repeated after an interruption.
func rehome(dir, hostname string) error {
	path := filepath.Join(dir, flagFile)
	flag, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var owner raftpb.RaftDataStatus
	if len(flag) < 8 || !bytes.Equal(flag[:8], seal(flag[8:])) || owner.Unmarshal(flag[8:]) != nil {
		return fmt.Errorf("%s is damaged; restore this replica, or add it again under another id", path)
	}
	if owner.Hostname == hostname || owner.Hostname == "" {
		return nil
	}
	if err := os.Rename(filepath.Join(dir, owner.Hostname), filepath.Join(dir, hostname)); err != nil && !errors.Is(err,
		fs.ErrNotExist) {
		return err
	}
	owner.Hostname = hostname
	data, err := owner.Marshal()
	if err != nil {
		return err
	}
	return replace(path, append(seal(data), data...))
}

func seal(data []byte) []byte {
	sum := md5.Sum(data)
	return sum[8:]
}

// replace writes the file so that a crash leaves either the old or the new content.
func replace(path string, data []byte) error {
	next := path + ".next"
	f, err := os.Create(next)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(next, path); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
