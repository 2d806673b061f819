// Package config describes how Aliquot's daemons are configured: one struct for each, with defaults
// that suit a first run on one machine, so that nothing has to be configured.
//
// A value comes from, in rising order: the default, the YAML file, the environment (ALIQUOTD_ and the
// key in capitals, dashes as underscores), the command line's flag of the key's name. Unknown keys are
// errors with their line, and Validate names the key, the value and what is allowed. Addresses other
// than loopback need TLS, which the daemons set up by themselves. The package opens no file itself.
package config
