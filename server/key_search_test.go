package server

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"github.com/agentnet/netctl/netkit"
)

// Whatever stands before the body is searched on every route, pages and
// unknown addresses included.
func TestHeadsAreSearched(t *testing.T) {
	f := start(t)
	ada := f.spawn("ada")
	key := "sk-svcacct-" + strings.Repeat("aB3-", 12)
	for _, path := range []string{"/api/agent/me", "/", "/directory", "/nothing/here", "/feed.rss", "/checkpoint", "/login", "/openapi.json"} {
		for where, ask := range map[string]func() answered{
			"path":                   func() answered { return f.ask("GET", strings.TrimSuffix(path, "/")+"/"+key, "", nil) },
			"query":                  func() answered { return f.ask("GET", path+"?q="+key, "", nil) },
			"header.Idempotency-Key": func() answered { return f.ask("GET", path, ada, nil, "Idempotency-Key", key) },
			"header.User-Agent":      func() answered { return f.ask("GET", path, ada, nil, "User-Agent", "curl "+key) },
			"header.X-Request-Id":    func() answered { return f.ask("GET", path, ada, nil, "X-Request-Id", key[:50]) },
			"header.Cookie":          func() answered { return f.ask("GET", path, ada, nil, "Cookie", "netctl_session=ab; other="+key) },
			"header.Authorization":   func() answered { return f.ask("GET", path, key, nil) },
			"header.Host":            func() answered { return f.ask("GET", "http://"+key+".example"+path, ada, nil) },
		} {
			a := ask()
			if p := a.problem(422, "key_like_secret"); p.Location != where || p.Law != "L7" || strings.Contains(a.Body.String(), key[:20]) {
				t.Errorf("%s in the %s: got %+v, want it named and not repeated", path, where, p)
			}
		}
	}
	escaped := "/api/net/manifest?channel=%73k-svcacct%2D" + url.QueryEscape(key[11:]) + "&broken=%zz"
	f.ask("GET", escaped, "", nil).problem(422, "key_like_secret")
	f.ask("GET", "/agent/%73k-svcacct%2d"+key[11:], "", nil).problem(422, "key_like_secret")
	if strings.Contains(f.log.String(), key[:20]) {
		t.Errorf("the log holds the key:\n%s", f.log)
	}
}

// The network's own token and session are in order where they belong, and
// nowhere else.
func TestOwnSecretsPassWhereTheyBelong(t *testing.T) {
	f := start(t)
	ada := f.spawn("ada")
	f.ask("GET", "/api/agent/me", ada, nil, "Cookie", "netctl_session=AKIA"+strings.Repeat("A2", 8)).into(200, new(netkit.OwnProfile))
	f.ask("GET", "/api/agent/me?token="+ada, "", nil).problem(422, "key_like_secret")
	f.ask("GET", "/api/agent/me", "", nil, "Cookie", "t="+ada).problem(422, "key_like_secret")
	f.ask("GET", "/api/agent/me", "", nil, "X-Api-Key", ada).problem(422, "key_like_secret")
	claims := `{"accepts_attention_requests":true,"attention_floor_price":1,"capability_statement":"I am ` + ada + `"}`
	if p := f.ask("PUT", "/api/agent/claims", ada, claims).problem(422, "key_like_secret"); p.Location != "capability_statement" {
		t.Errorf("got %+v, want the token found in the claims", p)
	}
}

// chunked is a WAV of silence with a chunk before its samples.
func chunked(name string, content []byte) []byte {
	var b bytes.Buffer
	chunk := func(name string, content []byte) {
		b.WriteString(name)
		binary.Write(&b, binary.LittleEndian, uint32(len(content)))
		b.Write(content)
		if len(content)%2 == 1 {
			b.WriteByte(0)
		}
	}
	b.WriteString("RIFF\x00\x00\x00\x00WAVE")
	chunk("fmt ", []byte("\x01\x00\x01\x00\x40\x1f\x00\x00\x80\x3e\x00\x00\x02\x00\x10\x00"))
	chunk(name, content)
	chunk("data", make([]byte, 16000))
	out := b.Bytes()
	binary.LittleEndian.PutUint32(out[4:], uint32(len(out)-8))
	return out
}

// tagged is an MP3 with an ID3v2 frame before its sound.
func tagged(t *testing.T, frame []byte) []byte {
	sound, err := os.ReadFile(filepath.Join("..", "examples", "audio", "p1-silicon-supply.mp3"))
	if err != nil {
		t.Fatal(err)
	}
	n := len(frame) + 10
	tag := []byte{'I', 'D', '3', 3, 0, 0, byte(n >> 21), byte(n >> 14 & 127), byte(n >> 7 & 127), byte(n & 127)}
	tag = append(append(append(tag, "TXXX"...), byte(len(frame)>>24), byte(len(frame)>>16), byte(len(frame)>>8), byte(len(frame)), 0, 0), frame...)
	return append(tag, sound...)
}

func utf16Text(s string) []byte {
	b := []byte{1, 0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(s)) {
		b = binary.LittleEndian.AppendUint16(b, unit)
	}
	return b
}

// A key in a tag of a recording is refused, and no byte of it reaches the disk.
func TestRecordingsAreSearched(t *testing.T) {
	f := start(t)
	key := "gsk_" + strings.Repeat("aB3", 18)
	speech, err := os.ReadFile(filepath.Join("..", "examples", "audio", "p1-silicon-supply.mp3"))
	if err != nil {
		t.Fatal(err)
	}
	for name, body := range map[string][]byte{
		"WAV LIST":     chunked("LIST", []byte("INFOICMT\x40\x00\x00\x00"+key)),
		"WAV far in":   chunked("LIST", []byte(strings.Repeat("\x80", 200_001)+key)),
		"WAV at a cut": chunked("LIST", []byte(strings.Repeat("\x80", 65_490)+key)),
		"ID3v2 Latin":  tagged(t, []byte("\x00key\x00"+key)),
		"ID3v2 UTF-16": tagged(t, utf16Text("my key: "+key)),
		"after it":     append(bytes.Clone(speech), "TAG"+key+strings.Repeat("\x00", 125-len(key))...),
	} {
		r := f.ask("POST", "/api/net/audio", f.op, body).problem(422, "key_like_secret")
		if r.Law != "L7" {
			t.Errorf("%s: got %+v", name, r)
		}
	}
	for name, body := range map[string][]byte{"WAV": chunked("LIST", []byte("INFOICMT\x04\x00\x00\x00abcd")), "MP3": tagged(t, utf16Text("The Silicon Report"))} {
		if a := f.ask("POST", "/api/net/audio", f.op, body); a.Code != 200 {
			t.Errorf("%s without a key: got %d %s", name, a.Code, a.Body)
		}
	}
}

// What is passed on never holds the beginning of a key that was found.
func TestKeylessReader(t *testing.T) {
	key := "AIza" + strings.Repeat("aB3-", 9)
	for _, before := range []int{0, 1, 1000, 64<<10 - 20, 64<<10 - heldBack, 64 << 10, 200_000} {
		text := strings.Repeat("\x90", before) + key + strings.Repeat("\x90", 5000)
		got, err := io.ReadAll(&keylessReader{from: iotest.HalfReader(strings.NewReader(text))})
		var r *refused
		if !errors.As(err, &r) || r.Code != "key_like_secret" || bytes.Contains(got, []byte("A")) {
			t.Errorf("a key at %d: got %d bytes, %v, want a refusal and nothing of the key", before, len(got), err)
		}
	}
	sound := noise(rand.New(rand.NewPCG(1, 1)), 300_000)
	for name, from := range map[string]io.Reader{"at once": bytes.NewReader(sound), "bytewise": iotest.OneByteReader(bytes.NewReader(sound))} {
		if got, err := io.ReadAll(&keylessReader{from: from}); err != nil || !bytes.Equal(got, sound) {
			t.Errorf("%s: got %d bytes, %v, want all as they were", name, len(got), err)
		}
	}
	broken := io.MultiReader(bytes.NewReader(sound), iotest.ErrReader(io.ErrUnexpectedEOF))
	if got, err := io.ReadAll(&keylessReader{from: broken}); err != io.ErrUnexpectedEOF || len(got) > len(sound) {
		t.Errorf("got %d bytes, %v, want the error of what it reads", len(got), err)
	}
}

// Sound is not a text: noise, tones, silence and speech pass.
func TestSoundHoldsNoKey(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	sounds := map[string][]byte{"noise": noise(r, 4<<20), "silence": make([]byte, 1<<20)}
	for _, width := range []int{1, 2} {
		var tone []byte
		for i := range 1 << 20 {
			v := 0.5*math.Sin(float64(i)/9) + 0.4*math.Sin(float64(i)/61)
			if width == 1 {
				tone = append(tone, byte(128+127*v))
			} else {
				tone = binary.LittleEndian.AppendUint16(tone, uint16(int16(32767*v)))
			}
		}
		sounds["tone of "+fmtID(uint64(8*width))+" bits"] = tone
	}
	files, err := filepath.Glob(filepath.Join("..", "examples", "audio", "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("got %d examples, %v", len(files), err)
	}
	for _, file := range files {
		if sounds[file], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	for name, b := range sounds {
		if _, err := io.Copy(io.Discard, &keylessReader{from: bytes.NewReader(b)}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func BenchmarkSearchHead(b *testing.B) {
	r, err := http.NewRequest("POST", "http://127.0.0.1:8787/api/intent", nil)
	if err != nil {
		b.Fatal(err)
	}
	for name, value := range map[string]string{"Authorization": "Bearer nk_" + strings.Repeat("a1", 32), "Content-Type": "application/json", "User-Agent": "netctl/1.0.0",
		"Idempotency-Key": "3f2a9c55d1e84b0f9a7be0f2c4d1a6e8", "Accept": "application/json", "Accept-Encoding": "gzip"} {
		r.Header.Set(name, value)
	}
	for b.Loop() {
		if checkHead(r) != nil {
			b.Fatal("got a refusal")
		}
	}
}
