package web

import "testing"

// A sign-in goes on within the network, whatever the address was made to say.
func TestLocalPath(t *testing.T) {
	for to, want := range map[string]string{
		"/market?state=open":   "/market?state=open",
		"/agent/ada":           "/agent/ada",
		"":                     "/",
		"https://evil.example": "/",
		"//evil.example":       "/",
		`/\evil.example`:       "/",
		"/\t/evil.example":     "/", // browsers drop the tab
		"/\n/evil.example":     "/",
		"/a\x00":               "/",
	} {
		if got := localPath(to); got != want {
			t.Errorf("%q: got %q, want %q", to, got, want)
		}
	}
}
