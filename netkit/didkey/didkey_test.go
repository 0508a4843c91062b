package didkey

import (
	"crypto/ed25519"
	"encoding/hex"
	"testing"

	"pgregory.net/rapid"
)

// The key and address of the did:key specification's first Ed25519 example.
func TestDIDKeyOfTheSpecification(t *testing.T) {
	const want = "did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp"
	key, err := Parse(want)
	if err != nil {
		t.Fatal(err)
	}
	if got := Of(key); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	const hexKey = "3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29"
	if got := hex.EncodeToString(key); got != hexKey {
		t.Errorf("got key %s, want %s", got, hexKey)
	}
}

func TestDIDKeyRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := ed25519.PublicKey(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "key"))
		got, err := Parse(Of(key))
		if err != nil || !got.Equal(key) {
			t.Errorf("got %x, %v, want %x", got, err, key)
		}
	})
}

func TestDIDKeyRefused(t *testing.T) {
	good := Of(make(ed25519.PublicKey, 32))
	for _, s := range []string{"", "did:key:", "did:key:z", "did:web:example.org", good + "1", good[:len(good)-1],
		"did:key:z0" + good[10:], "did:key:z1" + good[9:], "did:key:zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme"} {
		if _, err := Parse(s); err == nil {
			t.Errorf("%q: got %v, want it refused", s, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp")
	f.Add("did:key:z")
	f.Fuzz(func(t *testing.T, s string) {
		if key, err := Parse(s); err == nil && Of(key) != s {
			t.Errorf("got %s for %s", Of(key), s)
		}
	})
}
