package file

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// maxSecret is far more than a token needs, in bytes.
const maxSecret = 16 << 10

// ReadSecret returns the content of a file with a token, without surrounding space. It refuses a file that others can
// read, or that the owner's group can write: it may hold the token of somebody else.
func ReadSecret(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if mode := info.Mode().Perm(); info.Mode().IsRegular() && mode&0o037 != 0 {
		return "", fmt.Errorf("%s is a secret but has mode %04o: run chmod 600 on it", path, mode)
	}
	if info.IsDir() || info.Size() > maxSecret {
		return "", fmt.Errorf("%s is not a small file", path)
	}
	text, err := os.ReadFile(path)
	return strings.TrimSpace(string(text)), err
}

// WriteSecret writes a file as Write does, readable by nobody but its owner.
func WriteSecret(path string, write func(io.Writer) error) error { return put(path, 0o600, write) }
