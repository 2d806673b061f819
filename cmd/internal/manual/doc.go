// Package manual writes the manual pages of a command line from its help, so that packages can hold them.
package manual
