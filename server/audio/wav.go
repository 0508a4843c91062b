package audio

import (
	"encoding/binary"
	"time"
)

// wav walks the chunks of a RIFF file: "fmt " says how samples are laid out,
// "data" holds them. Source: Microsoft, Multimedia Programming Interface 1.0.
func (in *input) wav() (time.Duration, error) {
	head, err := in.bytes(0, 12)
	if err != nil {
		return 0, err
	}
	end := int64(binary.LittleEndian.Uint32(head[4:])) + 8
	if end > in.size {
		return 0, damaged(in.size, "the file is cut off")
	}
	if in.size > end+1 { // one byte of padding after an odd length
		return 0, damaged(end, "the file goes on after its end")
	}
	var format wavFormat
	var frames int64
	for offset := int64(12); offset+8 <= end; {
		chunk, err := in.bytes(offset, 8)
		if err != nil {
			return 0, err
		}
		name, length := string(chunk[:4]), int64(binary.LittleEndian.Uint32(chunk[4:]))
		if offset+8+length > end {
			return 0, damaged(offset, "a chunk is longer than the file")
		}
		switch {
		case name == "fmt ":
			if format, err = in.wavFormat(offset+8, length); err != nil {
				return 0, err
			}
		case name == "data" && format.rate == 0:
			return 0, damaged(offset, "the samples come before their format")
		case name == "data":
			frames += length / format.block
		}
		offset += 8 + length + length&1
	}
	if format.rate == 0 {
		return 0, damaged(end, "no format chunk")
	}
	return playtime(frames, format.rate), nil
}

type wavFormat struct {
	rate  int64 // sample frames a second
	block int64 // bytes a sample frame, all channels
}

// wavFormat reads a format chunk. Only layouts of a fixed size a sample are
// taken: of compressed ones the header does not tell the playing time.
func (in *input) wavFormat(offset, length int64) (wavFormat, error) {
	if length < 16 {
		return wavFormat{}, damaged(offset, "the format chunk is too short")
	}
	b, err := in.bytes(offset, 16)
	if err != nil {
		return wavFormat{}, err
	}
	tag, channels := binary.LittleEndian.Uint16(b), int64(binary.LittleEndian.Uint16(b[2:]))
	f := wavFormat{rate: int64(binary.LittleEndian.Uint32(b[4:])), block: int64(binary.LittleEndian.Uint16(b[12:]))}
	bits := int64(binary.LittleEndian.Uint16(b[14:]))
	switch tag {
	case 1, 3, 6, 7, 0xfffe: // PCM, float, A-law, µ-law, extensible
	default:
		return wavFormat{}, unsupported("compressed WAV")
	}
	if channels == 0 || bits == 0 || f.rate < 1 || f.rate > 768_000 || f.block != channels*((bits+7)/8) {
		return wavFormat{}, damaged(offset, "the format makes no sense")
	}
	return f, nil
}
