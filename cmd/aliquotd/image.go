package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// errNoImage says that "auto" found no guest image.
var errNoImage = errors.New("there is no guest image for jobs to boot; make one with ./scripts/guest-image or `sudo make install`, or name its folder with --image")

// imagePlaces are where a guest image may lie: where packages put it, beside this program
// where `make install` puts it, and in the source tree that it was built in.
func imagePlaces() []string {
	places := []string{"/usr/share/aliquot/guest"}
	if self, err := os.Executable(); err == nil {
		for _, relative := range []string{"../share/aliquot/guest", "../build/guest"} {
			places = append(places, filepath.Join(filepath.Dir(self), relative))
		}
	}
	return places
}

// findImage returns the folder that the setting means: one that it names, the first of the
// places for auto, "" for none.
func findImage(setting string, places []string) (string, error) {
	if setting == "none" {
		return "", nil
	}
	if setting != "auto" {
		if _, err := os.Stat(filepath.Join(setting, "kernel")); err != nil {
			return "", fmt.Errorf("reading the guest image: %w", err)
		}
		return setting, nil
	}
	for _, folder := range places {
		if _, err := os.Stat(filepath.Join(folder, "kernel")); err == nil {
			return folder, nil
		}
	}
	return "", errNoImage
}
