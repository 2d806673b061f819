package main

import (
	"fmt"
	"io"
	"os"
	"unicode/utf8"
)

// mostText is more than a job may bring along, in bytes.
const mostText = 64<<10 + 1

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
