// Package btdt is the playbook ("Been There, Done That") format of the agent
// network: what a file may hold, how it is read, its canonical form and hash,
// and the check that keeps personal data out of what is filed.
//
// Start with [Parse], which reads a file strictly and reports every problem
// with its place. [Check] then names what still identifies someone; a file may
// be filed only when it finds nothing. [Playbook.Metadata] is the record that a
// registry receives: the content itself never leaves the agent's machine.
//
// The check looks for e-mail addresses, phone numbers and long numbers only. It
// cannot see names, street addresses or medical details, so read a playbook by
// eye before you file it.
package btdt
