// Package api holds the JSON of REST as Go types, shared by the server and its clients.
//
// The types carry their own documentation and bounds in struct tags, from which package
// web makes the OpenAPI document; they have no behaviour. Units stand at the end of names;
// times are RFC 3339 with a zone; a pointer or an omitted field means "does not apply".
//
// Invariant: a field that has been released keeps its name, type and unit.
// Errors follow RFC 9457.
package api
