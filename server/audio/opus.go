package audio

import (
	"encoding/binary"
	"time"
)

// Opus always counts time at 48,000 samples a second, and a packet holds at most
// 120 ms (RFC 7845 §4, RFC 6716 §2.1.4).
const (
	opusRate      = 48_000
	opusMaxPacket = 5760
)

// Flags of an Ogg page (RFC 3533 §6).
const (
	oggFirst = 2
	oggLast  = 4
)

type oggPage struct {
	flags   byte
	granule int64
	serial  uint32
	packets int64 // that end in the page
	body    int64 // offset of the first body byte
	next    int64 // offset of the next page
}

// opus walks the pages of one stream to its last. The playing time is the last
// granule position less the pre-skip.
func (in *input) opus() (time.Duration, error) {
	first, err := in.page(0)
	if err != nil {
		return 0, err
	}
	skip, err := in.opusHead(first)
	if err != nil {
		return 0, err
	}
	page, packets, granule := first, first.packets, int64(0)
	for page.flags&oggLast == 0 {
		if page, err = in.page(page.next); err != nil {
			return 0, err
		}
		if page.serial != first.serial {
			return 0, unsupported("an Ogg file of several streams")
		}
		packets += page.packets
		if page.granule != -1 { // −1: no packet ends here
			granule = page.granule
		}
	}
	if page.next != in.size {
		return 0, damaged(page.next, "the file goes on after its end")
	}
	// Two of the packets are headers; the rest bound what a page may claim.
	if granule < skip || granule > (packets-2)*opusMaxPacket {
		return 0, damaged(page.body, "the playing time makes no sense")
	}
	return playtime(granule-skip, opusRate), nil
}

// opusHead reads the pre-skip from the identification header.
func (in *input) opusHead(first oggPage) (int64, error) {
	b, err := in.bytes(first.body, int(min(first.next-first.body, 19)))
	if err != nil {
		return 0, err
	}
	if !has(b, 0, "OpusHead") {
		return 0, unsupported("Ogg without Opus")
	}
	if len(b) < 19 || first.flags&oggFirst == 0 || b[8]>>4 != 0 || b[9] == 0 {
		return 0, damaged(first.body, "the Opus header makes no sense")
	}
	return int64(binary.LittleEndian.Uint16(b[10:])), nil
}

func (in *input) page(offset int64) (oggPage, error) {
	b, err := in.bytes(offset, 27)
	if err != nil {
		return oggPage{}, err
	}
	if !has(b, 0, "OggS\x00") {
		return oggPage{}, damaged(offset, "no Ogg page where one must start")
	}
	p := oggPage{
		flags:   b[5],
		granule: int64(binary.LittleEndian.Uint64(b[6:])),
		serial:  binary.LittleEndian.Uint32(b[14:]),
	}
	segments := int64(b[26])
	lacing, err := in.bytes(offset+27, int(segments))
	if err != nil {
		return oggPage{}, err
	}
	p.body = offset + 27 + segments
	p.next = p.body
	for _, n := range lacing {
		p.next += int64(n)
		if n < 255 { // a full segment goes on in the next
			p.packets++
		}
	}
	if p.next > in.size {
		return oggPage{}, damaged(in.size, "the file is cut off")
	}
	return p, nil
}
