// Package api holds the JSON of REST as Go types, shared by the server and its clients.
//
// The types carry their documentation and bounds in struct tags, from which package web makes the
// OpenAPI document. They have no behaviour. Field names end in their unit; times are RFC 3339 with a
// zone; a nil pointer or an omitted field means "does not apply".
//
// Invariant: a field that has been released keeps its name, type and unit.
// Errors follow RFC 9457.
package api
