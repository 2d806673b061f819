// Package console is the admin console as files: what the front-end's build put into dist,
// embedded, and the handler that serves it.
//
// It knows nothing of REST: the page that it serves asks /v1 like any other program. It
// compresses nothing itself; the build lays X.br and X.gz beside X.
//
// Invariants: nothing runs in the page but what is served here (a strict content security
// policy with a nonce for each answer); index.html is never stored, what lies under assets
// is immutable because its name carries a hash of its content; a file that is missing is
// 404 and never the page, so that a stale page notices. The policy follows W3C's Content
// Security Policy Level 3.
package console
