// Package examples holds small programs that show how the network is used,
// recordings and playbooks to try it with, and the test that keeps the rooms
// of the repository apart.
package examples
