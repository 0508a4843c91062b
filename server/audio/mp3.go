package audio

import (
	"encoding/binary"
	"strings"
	"time"
)

// mp3Frame is one header of MPEG audio layer III. Source: ISO/IEC 11172-3 §2.4
// and 13818-3; version 2.5 halves the rates once more.
type mp3Frame struct {
	rate    int64 // samples a second
	samples int64 // in the frame
	length  int64 // bytes, header included
	side    int64 // bytes of side information after the header
}

var (
	mp3Kbps = [2][15]int64{
		{0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320}, // version 1
		{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160},     // versions 2 and 2.5
	}
	mp3Rates = [3]int64{44100, 48000, 32000}
)

// parseMP3 decodes a frame header; ok is false for anything else, the free
// format included, since its frames do not tell their length.
func parseMP3(h [4]byte) (f mp3Frame, ok bool) {
	version, layer := h[1]>>3&3, h[1]>>1&3 // 3: 1, 2: 2, 0: 2.5; layer 1: III
	kbps, rate := h[2]>>4, h[2]>>2&3
	if h[0] != 0xff || h[1]>>5 != 7 || version == 1 || layer != 1 || kbps == 0 || kbps == 15 || rate == 3 {
		return f, false
	}
	padding, mono := int64(h[2]>>1&1), h[3]>>6 == 3
	f = mp3Frame{rate: mp3Rates[rate], samples: 1152, side: 32}
	row := 0
	if mono {
		f.side = 17
	}
	if version != 3 {
		row, f.samples, f.side, f.rate = 1, 576, (f.side+2)/2, f.rate/2 // side: 32 → 17, 17 → 9
	}
	if version == 0 {
		f.rate /= 2
	}
	f.length = f.samples/8*mp3Kbps[row][kbps]*1000/f.rate + padding
	return f, true
}

func isMP3(h [4]byte) bool {
	_, ok := parseMP3(h)
	return ok
}

// mp3 counts the frames between the tags. Of a VBR header only the gapless trim
// is believed; one that promises more frames than there are shows a cut.
func (in *input) mp3() (time.Duration, error) {
	offset, err := in.skipID3()
	if err != nil {
		return 0, err
	}
	var first mp3Frame
	var header vbrHeader
	var frames int64
	for offset < in.size {
		f, ok := in.frame(offset)
		if !ok && frames > 0 && in.isTrailer(offset) {
			break
		}
		switch {
		case !ok:
			return 0, damaged(offset, "no frame of an MP3 where one must start")
		case offset+f.length > in.size:
			return 0, damaged(in.size, "the last frame is cut off")
		case frames == 0:
			first, header = f, in.vbrHeader(offset, f)
		case f.rate != first.rate:
			return 0, damaged(offset, "the sample rate changes")
		}
		frames++
		offset += f.length
	}
	if frames -= header.frames; frames < header.promised {
		return 0, damaged(in.size, "the file is cut off")
	}
	samples := frames * first.samples
	if header.trim < samples { // else the trim is nonsense
		samples -= header.trim
	}
	return playtime(samples, max(first.rate, 1)), nil
}

func (in *input) frame(offset int64) (mp3Frame, bool) {
	b, err := in.bytes(offset, 4)
	if err != nil {
		return mp3Frame{}, false
	}
	return parseMP3([4]byte(b))
}

// skipID3 returns the offset after any ID3v2 tags. Their size has seven bits a
// byte and leaves out the header and the footer, ten bytes each.
func (in *input) skipID3() (int64, error) {
	var offset int64
	for {
		b, err := in.bytes(offset, 10)
		if err != nil || !has(b, 0, "ID3") {
			return offset, nil // what follows is judged as a frame
		}
		size := int64(b[6]&0x7f)<<21 | int64(b[7]&0x7f)<<14 | int64(b[8]&0x7f)<<7 | int64(b[9]&0x7f)
		if b[5]&0x10 != 0 {
			size += 10
		}
		if offset += 10 + size; offset > in.size {
			return 0, damaged(in.size, "the ID3 tag is longer than the file")
		}
	}
}

// isTrailer tells an ID3v1, APE or lyrics tag, after which no frame follows.
func (in *input) isTrailer(offset int64) bool {
	b, err := in.bytes(offset, int(min(in.size-offset, 8)))
	if err != nil {
		return false
	}
	return has(b, 0, "TAG") && in.size-offset == 128 || has(b, 0, "APETAGEX") || has(b, 0, "LYRICSBE")
}

// vbrHeader is what an encoder writes into a first frame that holds no sound.
type vbrHeader struct {
	frames   int64 // that hold the header and no sound: 1, or 0 if there is none
	promised int64 // frames of sound
	trim     int64 // samples that the encoder added at both ends
}

// vbrHeader reads a Xing, Info or VBRI header. LAME puts the trim as twice 12
// bits at byte 21 of its extension.
func (in *input) vbrHeader(offset int64, f mp3Frame) vbrHeader {
	b, err := in.bytes(offset, int(f.length))
	if err != nil {
		return vbrHeader{}
	}
	if has(b, 36, "VBRI") {
		return vbrHeader{frames: 1}
	}
	at := int(4 + f.side)
	if !has(b, at, "Xing") && !has(b, at, "Info") || len(b) < at+12 {
		return vbrHeader{}
	}
	h := vbrHeader{frames: 1}
	flags := binary.BigEndian.Uint32(b[at+4:])
	at += 8
	if flags&1 == 1 {
		h.promised = int64(binary.BigEndian.Uint32(b[at:]))
	}
	for bit, size := range []int{4, 4, 100, 4} { // frames, bytes, seek table, quality
		if flags>>bit&1 == 1 {
			at += size
		}
	}
	if len(b) < at+24 || strings.Trim(string(b[at:at+4]), "\x00 ") == "" { // no encoder named
		return h
	}
	packed := int64(b[at+21])<<16 | int64(b[at+22])<<8 | int64(b[at+23])
	h.trim = packed>>12 + packed&0xfff
	return h
}
