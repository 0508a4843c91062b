package audit

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"time"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/tlog"
)

// mostFile is the most that is read of one file of a log, in bytes: an entry
// bundle of the longest entries that its format allows, and no checkpoint or
// tile of hashes is longer. Whoever is audited may send anything.
const mostFile = torchwood.TileWidth * (2 + 1<<16)

// patience is how long one file may take to come.
const patience = time.Minute

// Fetcher reads a log at an address, over a transport.
func Fetcher(address, agent string, over http.RoundTripper) (torchwood.TileReader, error) {
	client := &http.Client{Transport: &wary{over}, Timeout: patience}
	return torchwood.NewTileFetcher(address, torchwood.WithHTTPClient(client), torchwood.WithUserAgent(agent), torchwood.WithConcurrencyLimit(8))
}

// Mirror reads a log in a folder that holds its files by their paths.
func Mirror(files fs.FS) (torchwood.TileReader, error) {
	return torchwood.NewTileFS(regular{files})
}

// wary bounds what a server can make of a request: how long an answer is once
// it is unpacked, and, since the server does not say when to ask again, how
// long the pauses are.
type wary struct{ over http.RoundTripper }

// RoundTrip implements http.RoundTripper. That a server is out of order or out
// of patience is a failed request, and no fault of its log.
func (w *wary) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := w.over.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode >= http.StatusInternalServerError {
		return nil, errors.Join(fmt.Errorf("the server answers %d", resp.StatusCode), resp.Body.Close())
	}
	// One byte too many makes a file wrong that is cut here.
	resp.Body = &bounded{io.LimitReader(resp.Body, mostFile+1), resp.Body}
	return resp, nil
}

// bounded is a body of which no more is read than there may be.
type bounded struct {
	io.Reader
	io.Closer
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
		err = errors.New("audit: it is no regular file")
	case about.Size() > mostFile:
		err = fmt.Errorf("audit: it has more than %d bytes, and no file of a log has", mostFile)
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
