package btdt

// The word table comes first: the weights are learned over it. Both depend on
// the files below internal/train alone, which is a module of its own. Its lists.sh
// makes the lists of ordinary words again from named Debian packages.
//
//go:generate go -C internal/train run . -words
//go:generate go -C internal/train run .
