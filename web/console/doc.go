// Package console embeds the files of the admin console, built by its front-end into dist, and serves
// them.
//
// It knows nothing of REST: the page calls /v1 like any other program. It compresses nothing itself;
// the build puts X.br and X.gz beside X.
//
// Invariants: the page runs only code that is served here (a strict content security policy with a
// nonce per answer); index.html is never cached, and files under assets are immutable because their
// names carry a hash of their content; a missing file is 404 and never the page, so a stale page
// notices. The policy follows W3C's Content Security Policy Level 3.
package console
