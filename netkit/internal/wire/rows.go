package wire

import "iter"

// A snapshot of a network that runs is written row by row: between two rows of a
// table the writers of the state may go first, and a long text is cut into
// pieces, so that none is copied while they wait. No row refers to another row's
// place in the text, so no list of this file may be part of a Member.

// pieceSize is about how many bytes of a freeze are in one piece.
const pieceSize = 64 << 10

// Each writes a list of rows and pauses after each; an empty one is left out.
func Each[T any](c *Codec, name string, rows iter.Seq[*T], each func(*Codec, *T)) {
	first := true
	for p := range rows {
		if first {
			c.Key(name)
			c.Lit('[')
		} else {
			c.Lit(',')
		}
		first = false
		each(c, p)
		c.endRow()
	}
	if !first {
		c.Lit(']')
	}
}

// EachOf is Each for rows that are made of other elements, one at a time.
func EachOf[E, T any](c *Codec, name string, elements []E, row func(E) T, each func(*Codec, *T)) {
	Each(c, name, func(yield func(*T) bool) {
		for _, e := range elements {
			if r := row(e); !yield(&r) {
				return
			}
		}
	}, each)
}

// Rows carries a slice as List does, and writes it as Each does.
func Rows[T any](c *Codec, name string, p *[]T, each func(*Codec, *T)) {
	if c.dec {
		readList(c, name, p, 0, each)
		return
	}
	Each(c, name, func(yield func(*T) bool) {
		for i := range *p {
			if !yield(&(*p)[i]) {
				return
			}
		}
	}, each)
}

// endRow lets writers of the state go first, and begins a new piece when the last
// one is long enough. Without a freeze the text stays in one piece.
func (c *Codec) endRow() {
	if c.Freeze == nil {
		return
	}
	if len(c.b) >= pieceSize {
		c.pieces = append(c.pieces, c.b)
		c.b = make([]byte, 0, pieceSize+pieceSize/8)
	}
	c.Freeze.Pause()
}

// Pieces returns the text written so far, in its pieces.
func (c *Codec) Pieces() [][]byte { return append(c.pieces, c.b) }
