package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"aliquot/client"
	"aliquot/internal/file"
)

// local is the address of this machine's manager, and its token file. Root uses the manager's socket. On a port, any
// user could listen while the manager does not run, and would receive the token.
type local struct{ socket, rest, token string }

var thisMachine = local{
	socket: "/var/lib/aliquot/manager/rest.sock", rest: "http://127.0.0.1:7420",
	token: "/var/lib/aliquot/secrets/admin.token",
}

const socketScheme = "unix://"

// manager returns the address to use: the socket, unless this user may not open it.
func (l local) manager() string {
	if _, err := os.Stat(l.socket); errors.Is(err, fs.ErrPermission) {
		return l.rest
	}
	return socketScheme + l.socket
}

// settings hold the managers' addresses and the token.
type settings struct {
	managers  []string
	token     string
	tokenFile string
	ca        string // path
}

// connect makes a client from flags, environment, configuration file and defaults.
func (a *app) connect() (*client.Client, error) {
	s, err := a.resolve()
	if err != nil {
		return nil, err
	}
	o := client.Options{Managers: s.managers, Token: s.token, Lost: a.waits}
	if s.ca != "" {
		if o.CA, err = os.ReadFile(s.ca); err != nil {
			return nil, usagef("read the certificate authority: %w", err)
		}
	}
	c, err := client.New(o)
	if err != nil {
		return nil, usage{err}
	}
	return c, nil
}

// waits says that a follower waits for managers.
func (a *app) waits(err error) {
	a.did("aliquot: %s; trying again", strings.ReplaceAll(err.Error(), "\n", "; "))
}

// resolve fills in settings without a flag from the environment, then the file, then the defaults.
func (a *app) resolve() (settings, error) {
	s := a.settings
	file, err := a.configFile()
	if err != nil {
		return s, err
	}
	if len(s.managers) == 0 {
		s.managers = split(a.variable("ALIQUOT_MANAGERS"))
	}
	if len(s.managers) == 0 {
		s.managers = file.Managers
	}
	if len(s.managers) == 0 {
		s.managers = []string{thisMachine.manager()}
	}
	s.ca = first(a.variable("ALIQUOT_CA"), file.CA)
	if s.tokenFile == "" {
		s.token = a.variable("ALIQUOT_TOKEN")
	}
	if s.token == "" {
		s.token, err = thisMachine.readToken(first(s.tokenFile, a.variable("ALIQUOT_TOKEN_FILE"), file.TokenFile), s.managers)
	}
	return s, err
}

func (a *app) variable(name string) string {
	value, _ := a.env(name)
	return value
}

func split(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}

func first(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

// readToken reads a token file. If none is named, it reads the file of the manager on this machine, and that token is
// sent only to that manager's socket.
func (l local) readToken(path string, managers []string) (string, error) {
	named := path != ""
	if !named {
		if slices.ContainsFunc(managers, func(m string) bool { return !strings.HasPrefix(m, socketScheme) }) {
			return "", nil // the manager will report that a token is missing
		}
		path = l.token
	}
	text, err := file.ReadSecret(path)
	switch {
	case err != nil && named:
		return "", usagef("read the token: %w", err)
	case errors.Is(err, fs.ErrPermission):
		return "", usagef("%s belongs to another user; run as root, or set ALIQUOT_TOKEN or ALIQUOT_TOKEN_FILE", path)
	case errors.Is(err, fs.ErrNotExist):
		return "", nil // the manager will report that a token is missing
	case err != nil:
		return "", usagef("read the token: %w", err)
	}
	return text, nil
}

// configFile is the content of ~/.config/aliquot/config.yaml.
type configFile struct {
	Managers  []string `yaml:"managers"`
	TokenFile string   `yaml:"tokenFile"`
	CA        string   `yaml:"ca"`
}

func (a *app) configFile() (c configFile, err error) {
	folder := a.variable("XDG_CONFIG_HOME")
	if home := a.variable("HOME"); folder == "" && home != "" {
		folder = filepath.Join(home, ".config")
	}
	if folder == "" {
		return c, nil
	}
	path := filepath.Join(folder, "aliquot", "config.yaml")
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, usagef("read the configuration: %w", err)
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&c); err != nil && !errors.Is(err, io.EOF) {
		return c, usage{fmt.Errorf("%s: %w", path, err)}
	}
	return c, nil
}
