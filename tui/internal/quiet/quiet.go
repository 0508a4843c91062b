// Package quiet keeps bubbletea from asking the terminal for its background.
//
// bubbletea does that when it is initialised, so that every command of a
// program which imports it waits five seconds on a terminal that does not
// answer. Packages without an order between them are initialised by import
// path, and this one sorts before github.com/charmbracelet/bubbletea: by then
// the question is settled. Import it for that effect alone.
package quiet

import "github.com/charmbracelet/lipgloss"

func init() { lipgloss.SetHasDarkBackground(true) }
