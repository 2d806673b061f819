// Package config defines the configuration of Aliquot's daemons: one struct for each, with defaults that suit a first
// run on one machine.
//
// A value comes from, in rising order: the default, the YAML file, the environment (ALIQUOTD_ and the key in
// capitals, with underscores for dashes), the command line's flag with the key's name. An unknown key is an error
// with its line. Validate names the key, the value and the permitted values. Addresses other than loopback need TLS,
// which the daemons set up by themselves. The package opens no file itself.
//
// Reference: docs/operating.md.
package config
