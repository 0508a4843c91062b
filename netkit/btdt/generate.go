package btdt

// The word table comes first: the weights are learned over it. Both depend on
// the files below internal/train alone.
//
//go:generate go run ./internal/train -lexicon
//go:generate go run ./internal/train
