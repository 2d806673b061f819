package ca

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// maxSecretFile is far more than any key or token needs.
const maxSecretFile = 16 << 10

// readSecret reads a file. It refuses one that others than its owner may read.
func readSecret(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("look for %s: %w", path, err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("%s is a secret but has mode %04o: run chmod 600 on it", path, info.Mode().Perm())
	}
	if !info.Mode().IsRegular() || info.Size() > maxSecretFile {
		return nil, fmt.Errorf("%s is not a small file", path)
	}
	return os.ReadFile(path)
}

// writeFile writes a file atomically and durably, replacing an existing one.
func writeFile(path string, text []byte, mode fs.FileMode) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer os.Remove(f.Name())
	_, err = f.Write(text)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// Secret returns the secret in the file: 43 characters of base64url, for example the administrator's
// token. If there is no file, Secret creates one with a fresh secret.
func Secret(path string) (string, error) {
	text, err := readSecret(path)
	if err == nil {
		secret := strings.TrimSpace(string(text))
		if len(secret) < 32 || strings.ContainsAny(secret, " \t\n") {
			return "", fmt.Errorf("%s holds no token; remove it to get a new one", path)
		}
		return secret, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", fmt.Errorf("make the folder of %s: %w", path, err)
	}
	bytes := make([]byte, 32)
	rand.Read(bytes)
	secret := base64.RawURLEncoding.EncodeToString(bytes)
	return secret, writeFile(path, []byte(secret+"\n"), 0o600)
}

// locked runs f while no other process uses the folder.
func locked(dir string, f func() error) error {
	lock, err := os.OpenFile(filepath.Join(dir, ".lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("lock %s: %w", dir, err)
	}
	defer lock.Close()
	if err := unix.Flock(int(lock.Fd()), unix.LOCK_EX); err != nil {
		return fmt.Errorf("lock %s: %w", dir, err)
	}
	return f()
}
