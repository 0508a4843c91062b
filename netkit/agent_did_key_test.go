package netkit

import (
	"crypto/ed25519"
	"errors"
	"testing"

	"pgregory.net/rapid"
)

// The key and address of the did:key specification's first Ed25519 example.
func TestDIDKeyOfTheSpecification(t *testing.T) {
	const want = "did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp"
	key, err := parseDIDKey(want)
	if err != nil {
		t.Fatal(err)
	}
	if got := DIDKey(key); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	const hexKey = "3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29"
	if got := Hash(key).String(); got != hexKey {
		t.Errorf("got key %s, want %s", got, hexKey)
	}
}

func TestDIDKeyRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := ed25519.PublicKey(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "key"))
		got, err := parseDIDKey(DIDKey(key))
		if err != nil || !got.Equal(key) {
			t.Errorf("got %x, %v, want %x", got, err, key)
		}
	})
}

func TestDIDKeyRefused(t *testing.T) {
	good := DIDKey(make(ed25519.PublicKey, 32))
	for _, s := range []string{"", "did:key:", "did:key:z", "did:web:example.org", good + "1", good[:len(good)-1],
		"did:key:z0" + good[10:], "did:key:z1" + good[9:], "did:key:zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme"} {
		if _, err := parseDIDKey(s); !errors.Is(err, ErrInvalid) {
			t.Errorf("%q: got %v, want it refused", s, err)
		}
	}
}

func FuzzParseDIDKey(f *testing.F) {
	f.Add("did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp")
	f.Add("did:key:z")
	f.Fuzz(func(t *testing.T, s string) {
		if key, err := parseDIDKey(s); err == nil && DIDKey(key) != s {
			t.Errorf("got %s for %s", DIDKey(key), s)
		}
	})
}
