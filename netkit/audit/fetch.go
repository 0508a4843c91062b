package audit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/tlog"
)

// maxFile is the most that is read of one file of a log, in bytes: an entry
// bundle of the longest entries that its format allows, and no checkpoint or
// tile of hashes is longer. Whoever is audited may send anything.
const maxFile = torchwood.TileWidth * (2 + 1<<16)

// patience is how long one file may take to come.
const patience = time.Minute

// pauses come before each further try of a request that was put off or lost.
// They are long enough for a server that restarts or limits its callers.
var pauses = []time.Duration{time.Second, 5 * time.Second, 25 * time.Second}

// atOnce is how many files are asked for at a time.
const atOnce = 8

// fetcher reads the files of a log at an address.
type fetcher struct {
	base, agent string
	client      *http.Client
	pauses      []time.Duration
}

// Fetcher reads a log at an address, over a transport.
func Fetcher(address, agent string, over http.RoundTripper) (torchwood.TileReader, error) {
	if _, err := url.Parse(address); err != nil {
		return nil, err
	}
	return &fetcher{strings.TrimSuffix(address, "/") + "/", agent, &http.Client{Transport: over, Timeout: patience}, pauses}, nil
}

// errFetch is in what failed on the way. It says nothing against the log.
var errFetch = errors.New("it cannot be read")

// ReadTiles implements torchwood.TileReader. Of several tiles that fail it names
// the first.
func (f *fetcher) ReadTiles(ctx context.Context, tiles []tlog.Tile) ([][]byte, error) {
	data, errs := make([][]byte, len(tiles)), make([]error, len(tiles))
	free := make(chan struct{}, atOnce)
	var all sync.WaitGroup
	for i, t := range tiles {
		free <- struct{}{}
		all.Go(func() {
			data[i], errs[i] = f.ReadEndpoint(ctx, torchwood.TilePath(t))
			<-free
		})
	}
	all.Wait()
	for i, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", contents(tiles[i]), err)
		}
	}
	return data, nil
}

// SaveTiles implements torchwood.TileReader. It keeps nothing.
func (*fetcher) SaveTiles([]tlog.Tile, [][]byte) {}

// contents says of which entries a tile is.
func contents(t tlog.Tile) string {
	what, span := "entries", int64(1)
	if t.L >= 0 {
		what, span = "the hashes of entries", 1<<(t.L*torchwood.TileHeight)
	}
	first := t.N * torchwood.TileWidth * span
	return fmt.Sprintf("%s %d to %d", what, first, first+int64(t.W)*span-1)
}

// ReadEndpoint implements torchwood.TileReader. It tries again where the server
// asks for that, or gave no answer; any other answer is its last word.
func (f *fetcher) ReadEndpoint(ctx context.Context, path string) ([]byte, error) {
	for try := 0; ; try++ {
		data, again, err := f.get(ctx, path)
		if err == nil {
			return data, nil
		}
		if err = fmt.Errorf("%s: %w", path, err); !again || try == len(f.pauses) || ctx.Err() != nil {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(f.pauses[try]): // however long the server says: nobody waits for years
		}
	}
}

// get asks once. An answer is bounded once it is unpacked: one byte too many
// makes a file wrong that is cut there.
func (f *fetcher) get(ctx context.Context, path string) (data []byte, again bool, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, f.base+path, nil)
	if err != nil {
		return nil, false, err
	}
	req.Header.Set("User-Agent", f.agent)
	resp, err := f.client.Do(req)
	if err != nil {
		return nil, true, fmt.Errorf("%w: %w", errFetch, err)
	}
	defer resp.Body.Close()
	switch code := resp.StatusCode; {
	case code == http.StatusOK:
	case code == http.StatusTooManyRequests, code > http.StatusInternalServerError:
		return nil, true, fmt.Errorf("%w: the server answers %d; try again later", errFetch, code)
	case code == http.StatusInternalServerError:
		return nil, false, fmt.Errorf("%w: the server answers %d; its log says why, and netctl ledger verify --data on its machine checks the journal itself", errFetch, code)
	default:
		return nil, false, fmt.Errorf("the server answers %d", code)
	}
	if data, err = io.ReadAll(io.LimitReader(resp.Body, maxFile+1)); err != nil {
		return nil, true, fmt.Errorf("%w: %w", errFetch, err)
	}
	return data, false, nil
}
