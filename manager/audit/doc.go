// Package audit keeps the audit log of one manager, which records who did or tried what, from where, when and with what
// outcome. It also keeps when tokens and sessions were last used there.
//
// Entries are JSON lines in segment files. An entry never changes, and its number is not used again. A torn last line,
// left by a crash, is cut off. Three rules bound the log. Repeated requests are counted for a minute and take one more
// entry together. Entries are removed by age. When the log is full, the senders with most bytes lose their oldest
// entries, until all have room: whoever floods the log pushes out its own entries only.
//
// The package does not decide what is recorded, and no entry holds a secret or a body: package web makes the entries.
// Compare the auditd of Linux, which has one limit for all.
package audit
