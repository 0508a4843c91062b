package server

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit/didkey"
)

// random draws n letters.
func random(r *rand.Rand, letters string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = letters[r.IntN(len(letters))]
	}
	return string(b)
}

const (
	lower   = "abcdefghijklmnopqrstuvwxyz"
	capital = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	figures = "0123456789"
	letters = lower + capital
	base62  = letters + figures
	urlSafe = base62 + "-_"
)

const hexDigits = "0123456789abcdef"

// genuine makes keys as their providers do.
var genuine = map[string]func(*rand.Rand) string{
	"Anthropic":              func(r *rand.Rand) string { return "sk-ant-api03-" + random(r, urlSafe, 93) + "AA" },
	"OpenAI":                 func(r *rand.Rand) string { return "sk-proj-" + random(r, urlSafe, 120) },
	"OpenAI service account": func(r *rand.Rand) string { return "sk-svcacct-" + random(r, urlSafe, 120) },
	"OpenAI administrator":   func(r *rand.Rand) string { return "sk-admin-" + random(r, urlSafe, 120) },
	"OpenRouter":             func(r *rand.Rand) string { return "sk-or-v1-" + random(r, hexDigits, 64) },
	"bare sk-":               func(r *rand.Rand) string { return "sk-" + random(r, base62, 48) },
	"DeepSeek":               func(r *rand.Rand) string { return "sk-" + random(r, hexDigits, 32) },
	"Groq":                   func(r *rand.Rand) string { return "gsk_" + random(r, base62, 52) },
	"Cerebras":               func(r *rand.Rand) string { return "csk-" + random(r, lower+figures, 48) },
	"xAI":                    func(r *rand.Rand) string { return "xai-" + random(r, base62, 80) },
	"Google":                 func(r *rand.Rand) string { return "AIza" + random(r, urlSafe, 35) },
	"Google OAuth":           func(r *rand.Rand) string { return "ya29." + random(r, urlSafe, 150) },
	"HuggingFace":            func(r *rand.Rand) string { return "hf_" + random(r, letters, 34) },
	"Replicate":              func(r *rand.Rand) string { return "r8_" + random(r, base62, 37) },
	"Fireworks":              func(r *rand.Rand) string { return "fw_" + random(r, base62, 24) },
	"Perplexity":             func(r *rand.Rand) string { return "pplx-" + random(r, base62, 48) },
	"NVIDIA":                 func(r *rand.Rand) string { return "nvapi-" + random(r, urlSafe, 64) },
	"LangSmith": func(r *rand.Rand) string {
		return "lsv2_pt_" + random(r, hexDigits, 32) + "_" + random(r, hexDigits, 10)
	},
	"OpenAI without a project": func(r *rand.Rand) string { return "sk-None-" + random(r, urlSafe, 48) },
	"ElevenLabs":               func(r *rand.Rand) string { return "sk_" + random(r, hexDigits, 48) },
	"bare sk_":                 func(r *rand.Rand) string { return "sk_" + random(r, base62, 40) },
	"Stripe":                   func(r *rand.Rand) string { return "sk_live_" + random(r, base62, 24) },
	"Voyage":                   func(r *rand.Rand) string { return "pa-" + random(r, urlSafe, 43) },
	"webhook secret":           func(r *rand.Rand) string { return "whsec_" + base64.StdEncoding.EncodeToString(noise(r, 32)) },
	"AWS":                      func(r *rand.Rand) string { return "AKIA" + random(r, capital+"234567", 16) },
	"AWS session":              func(r *rand.Rand) string { return "ASIA" + random(r, capital+"234567", 16) },
	"Bedrock": func(r *rand.Rand) string {
		return "ABSK" + base64.StdEncoding.EncodeToString([]byte("BedrockAPIKey-"+random(r, lower+figures, 4)+"-at-"+random(r, figures, 12)+":"+random(r, base62, 60)))
	},
	"GitHub":              func(r *rand.Rand) string { return "ghp_" + random(r, base62, 36) },
	"GitHub fine-grained": func(r *rand.Rand) string { return "github_pat_" + random(r, base62, 22) + "_" + random(r, base62, 59) },
	"this network":        func(r *rand.Rand) string { return "nk_" + random(r, hexDigits, 64) },
}

// unmarked are families whose prefix is also the end of words, so that a key must
// look random: one in a thousand does not.
var unmarked = map[string]bool{"bare sk_": true, "Voyage": true}

func TestKeysAreFound(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, key := range genuine {
		missed := 0
		for range 200 {
			k := key(r)
			for _, text := range []string{k, "my key is " + k + ", use it", `{"key":"` + k + `"}`, "KEY=" + k + "\n", "(" + k + ").", "/" + k + "/", "=" + k + "&",
				"_" + k, "-" + k, "my_key_" + k, "API-KEY-" + k, "key2_" + k + "_old", "k-" + k + "-v2",
				"apiKey_" + k, "OpenAI-" + k, "myAPIKey-" + k} {
				if findKey([]byte(text)) >= 0 && findKey(text) >= 0 {
					continue
				}
				if !unmarked[name] {
					t.Errorf("%s: missed %s", name, text)
				}
				missed++
				break
			}
		}
		if unmarked[name] && missed > 4 {
			t.Errorf("%s: missed %d of 200 keys", name, missed)
		}
	}
}

// A letter or digit before a key hides one in fifty at most. After a vowel
// sk- and nk_ end a word, such as task or link, and only the longer keys are
// told from what may follow one.
func TestKeysAreFoundAfterALetter(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	vowel := map[string]bool{"DeepSeek": true, "ElevenLabs": true, "bare sk_": true, "Stripe": true, "Voyage": true, "this network": true}
	for name, key := range genuine {
		for _, lead := range []string{"x", "X", "7", "key", "Key", "TOKEN", "my_key", "a", "the-value"} {
			if vowel[name] && (lead == "a" || lead == "the-value") {
				continue
			}
			missed := 0
			for range 500 {
				if findKey(lead+key(r)) < 0 {
					missed++
				}
			}
			if missed > 10 {
				t.Errorf("%s after %q: missed %d of 500", name, lead, missed)
			}
		}
	}
}

// harmless makes what looks random and is not a key.
var harmless = map[string]func(*rand.Rand) string{
	"did:key": func(r *rand.Rand) string {
		return didkey.Of(ed25519.NewKeyFromSeed(noise(r, ed25519.SeedSize)).Public().(ed25519.PublicKey))
	},
	"UUID":         uuid,
	"hash":         func(r *rand.Rand) string { return random(r, hexDigits, 64) },
	"signature":    func(r *rand.Rand) string { return base64.RawURLEncoding.EncodeToString(noise(r, 64)) },
	"hash in URL":  func(r *rand.Rand) string { return base64.RawURLEncoding.EncodeToString(noise(r, 32)) },
	"base64 audio": func(r *rand.Rand) string { return base64.StdEncoding.EncodeToString(noise(r, 3000)) },
	"hexadecimal":  func(r *rand.Rand) string { return hex.EncodeToString([]byte(random(r, base62, 20))) },
	"random text":  func(r *rand.Rand) string { return random(r, capital+"234567", 26) },
	"task UUID":    func(r *rand.Rand) string { return words(r) + "-" + uuid(r) },
	"task hash":    func(r *rand.Rand) string { return words(r) + "-" + random(r, hexDigits, 64) },
	"chunk hash":   func(r *rand.Rand) string { return "chunk_" + random(r, hexDigits, 64) },
	"task id":      func(r *rand.Rand) string { return words(r) + "-" + random(r, base62, 1+r.IntN(30)) },
	"release": func(r *rand.Rand) string {
		return words(r) + "-or-reward-analysis-" + random(r, figures, 8) + "-final-report"
	},
	"administrator": func(r *rand.Rand) string {
		return words(r) + "-admin-guide-Version" + random(r, figures, 3) + "-for-the-help-desk-in-Lyon"
	},
	"compound": func(r *rand.Rand) string {
		return words(r) + "-MigrateUserTable" + random(r, figures, 8) + "ToNewClusterVersion2Final"
	},
	"spa UUID": func(r *rand.Rand) string { return "spa-" + uuid(r) + "-pa-" + random(r, hexDigits, 32) },
	"Pennsylvania": func(r *rand.Rand) string {
		return "pa-" + random(r, figures, 5) + "-philadelphia-water-board-meeting-" + random(r, figures, 8) + "-minutes-and-votes"
	},
	"learn": func(r *rand.Rand) string {
		return "sk_learn_" + random(r, lower, 12) + "_" + random(r, figures, 6) + " sk_Pipeline" + random(r, figures, 4) + "ForTrainingData2026"
	},
	"disk serial": func(r *rand.Rand) string { return "disk-WDC" + random(r, capital+figures, 22) },
}

func noise(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func uuid(r *rand.Rand) string {
	return fmt.Sprintf("%08x-%04x-4%03x-a%03x-%012x", r.Uint32(), r.Uint32()&0xffff, r.Uint32()&0xfff, r.Uint32()&0xfff, r.Uint64()&0xffffffffffff)
}

// words are English words that end like a prefix.
func words(r *rand.Rand) string {
	all := []string{"task", "risk", "disk", "desk", "kiosk", "asterisk", "my-task", "Task", "RISK", "high_risk"}
	return all[r.IntN(len(all))]
}

func TestHarmlessIsNoKey(t *testing.T) {
	for name, make := range harmless {
		r := rand.New(rand.NewPCG(3, 4))
		for range 2000 {
			if text := make(r); findKey([]byte("see "+text+" and sk-learn")) >= 0 {
				t.Errorf("%s: took %s for a key", name, text)
			}
		}
	}
	for _, text := range []string{"task-abcdefghijklmnopqrst1234567890", "sk-internationalization-of-everything", "the hf_ prefix", "xai-is-a-company-with-many-words",
		"sk_learn", "sk-None-", "sk_learn_model_selection_and_cross_validation_2026", "pa-ssword", "pa-per", "whsec_", "whsec_is_the_prefix_of_a_secret", "the sk_ prefix", "pa-" + strings.Repeat("ab-", 20),
		"disk_usage_of_the_archive_2026", "task_20260220120000000000000", "AKIA", "risk-adjusted-returns-2026-and-more-words-here", "pplx-", "sk-" + strings.Repeat("a", 60), "EURASIAPACIFICREGIONAL", "nk_" + strings.Repeat("a1", 31),
		"Minsk-2026-conference-on-networks", "bank_transfer_20260220T120000Z_final"} {
		if findKey(text) >= 0 {
			t.Errorf("took %q for a key", text)
		}
	}
}

func TestKeysAreNamedByPlaceAlone(t *testing.T) {
	key := "sk-ant-api03-" + strings.Repeat("aB3-", 20)
	for body, where := range map[string]string{
		`{"signal":{"sources":["x","` + key + `"]}}`:                  "signal.sources[1]",
		`{"a":"` + key + `"}`:                                         "a",
		`{"a":{"` + key + `":1}}`:                                     "a.(name of a field)",
		`{"a":"\u0073k-ant-api03-` + strings.Repeat("a1-", 20) + `"}`: "a",
		`["` + key + `"`:                                              "[0]",
		`"` + key + `"`:                                               "body",
		`not JSON: ` + key:                                            "byte 10",
		`{"a":1,"b":` + key + `}`:                                     "byte 11",
	} {
		r := checkKeys([]byte(body))
		if r == nil {
			t.Errorf("%s: got no refusal", body)
			continue
		}
		if r.Field != where || r.Law != "L7" || strings.Contains(r.Error(), key[:20]) {
			t.Errorf("%s: got %+v, want one at %s without the key", body, r, where)
		}
	}
}

func TestKeyNeverReachesTheLog(t *testing.T) {
	f := start(t)
	ada := f.spawn("ada")
	key := "gsk_" + strings.Repeat("aB3", 18)
	before := f.net.Health().Entries
	p := f.ask("POST", "/api/intent", ada, `{"campaign_id":1,"signal":{"headline":"h","body":"`+key+`","sources":["https://e.org"]}}`).problem(422, "key_like_secret")
	if p.Location != "signal.body" || p.Law != "L7" {
		t.Errorf("got %+v, want signal.body under L7", p)
	}
	f.ask("POST", "/api/agent/wallet", ada, `{"address":"`+key+`"}`).problem(422, "key_like_secret")
	f.ask("GET", "/api/health", ada, nil, "X-Request-Id", key)
	f.ask("GET", "/audio/x?sig="+key, ada, nil)
	f.ask("GET", "/"+key, ada, nil)
	if strings.Contains(f.log.String(), key) || strings.Contains(f.log.String(), ada) {
		t.Errorf("the log holds a secret:\n%s", f.log)
	}
	if after := f.net.Health().Entries; after != before {
		t.Errorf("got %d entries, want %d", after, before)
	}
}
