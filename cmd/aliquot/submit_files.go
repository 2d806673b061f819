package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"aliquot/web/api"
)

// mostText is more than a job may bring along, in bytes.
const mostText = 64<<10 + 1

// bring adds files, PATH or NAME=PATH, to those that the job brings along. Without a name, a file has the last part of
// its path. A file takes the place of one that the job's document has, but not of another that is given.
func bring(j *api.JobSpec, given []string) error {
	files := maps.Clone(j.Files)
	if files == nil {
		files = map[string]string{}
	}
	paths := map[string]string{}
	for _, file := range given {
		name, path, named := strings.Cut(file, "=")
		if !named {
			name, path = filepath.Base(file), file
		}
		if other, taken := paths[name]; taken {
			return fmt.Errorf("%s and %s would both be the file %s: name one of them by NAME=PATH", other, path, name)
		}
		text, err := textOf(path)
		if err != nil {
			return err
		}
		files[name], paths[name] = text, path
	}
	j.Files = files
	return nil
}

// textOf reads a small text file.
func textOf(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	b, err := io.ReadAll(io.LimitReader(file, mostText))
	switch {
	case err != nil:
		return "", err
	case len(b) == mostText:
		return "", fmt.Errorf("%s is larger than 64 KiB: put it into an image", path)
	case !utf8.Valid(b):
		return "", fmt.Errorf("%s is not UTF-8 text: put it into an image", path)
	}
	return string(b), nil
}
