package btdt

import _ "embed"

//go:embed NOTICE
var notice string

// Notice names what the word table and the weights of the scrubber are made from,
// with the licences. A program that holds the package should be able to show it.
func Notice() string { return notice }
