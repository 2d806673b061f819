// Package wording makes sentences out of codes and numbers, and writes amounts and times as people read them. State, events
// and reports carry codes and numbers only, so a sentence can be changed at any time: no replica notices.
//
// There is one table per family: reasons, and causes of endings, exits and events. A code that no table knows was made by
// a newer program; it is shown as it is. Formats for programs, such as JSON and CSV, are not its business.
//
// A Span is a length of time, a Clock is a point of a trace's time; nothing that is the one is written as the other.
package wording
