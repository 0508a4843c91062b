package audit

import (
	"errors"
	"fmt"
	"io/fs"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/tlog"
)

// Mirror reads a log in a folder that holds its files by their paths.
func Mirror(files fs.FS) (torchwood.TileReader, error) {
	return torchwood.NewTileFS(regular{files})
}

// regular is a file system that opens nothing but files of a log's length: no
// pipe that never ends, and nothing that does not fit into memory.
type regular struct{ fs.FS }

// Open implements fs.FS.
func (f regular) Open(name string) (fs.File, error) {
	about, err := fs.Stat(f.FS, name)
	if err != nil {
		return nil, err
	}
	switch {
	case !about.Mode().IsRegular():
		err = errors.New("audit: it is not a regular file")
	case about.Size() > maxFile:
		err = fmt.Errorf("audit: it has more than %d bytes, and no file of a log has", maxFile)
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return f.FS.Open(name)
}

// Tiles lists what a mirror of a log of that size holds beside its checkpoint:
// the tiles of its hashes and those of its entries.
func Tiles(size int64) []tlog.Tile {
	tiles := tlog.NewTiles(torchwood.TileHeight, 0, size)
	for n := int64(0); n<<torchwood.TileHeight < size; n++ {
		tiles = append(tiles, tlog.Tile{H: torchwood.TileHeight, L: -1, N: n, W: int(min(1<<torchwood.TileHeight, size-n<<torchwood.TileHeight))})
	}
	return tiles
}
