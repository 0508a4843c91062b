package examples

import (
	"io"
	"os"
	"path/filepath"
	"testing"
)

const typescriptClient = "sdk/typescript"

func node(t *testing.T, dir string, in io.Reader, args ...string) (string, error) {
	t.Helper()
	return foreign(t, "node", dir, in, nil, args...)
}

// An agent in TypeScript takes the eight steps, though each answer to a command
// is lost once, and a second run does nothing twice.
func TestOnboardingInTypeScript(t *testing.T) {
	program, err := filepath.Abs(typescriptClient + "/onboarding.mjs")
	if err != nil {
		t.Fatal(err)
	}
	onboards(t, "ada-ts", func(dir string, args ...string) (string, error) {
		return node(t, dir, nil, append([]string{program}, args...)...)
	})
}

const streamInTypeScript = `
import { Client } from "./client.mjs";
for await (const event of new Client(process.argv[1]).streamEvents(0)) {
  console.log(event.id, event.type, String(event.data));
  if (event.id === 6) break;
}
`

// The event stream goes on behind the last event when it breaks off.
func TestEventsInTypeScript(t *testing.T) {
	resumes(t, "%d %s Untrusted(\"%s\")\n", func(url string) (string, error) {
		return node(t, typescriptClient, nil, "--input-type=module", "-e", streamInTypeScript, url)
	})
}

const textsInTypeScript = `
import { Client } from "./client.mjs";
const [behind, front] = process.argv.slice(1);
const net = new Client(behind), contract = await net.getContract(3);
console.log(String(contract.brief), contract.remaining.toFixed(2), contract.title.text, JSON.stringify({ title: contract.title }));
for (const ask of [() => net.getMe(), () => new Client(front, { token: "nk_secret" }).getHealth()]) {
  await ask().catch(({ status, code, detail, next }) => console.log(status, code, !!detail, !!next));
}
`

// Texts of others are marked, also in JSON; a refusal says why, and a token
// goes to no server but the one that was named.
func TestTextsInTypeScript(t *testing.T) {
	want := "Untrusted(\"What stopped?\") 20.00 Fab watch {\"title\":{\"untrusted\":\"Fab watch\"}}\n401 token_missing true true\n307  true false\n"
	marks(t, want, func(net, away string) (string, error) {
		return node(t, typescriptClient, nil, "--input-type=module", "-e", textsInTypeScript, net, away)
	})
}

// The objects and methods are those that the server describes.
func TestTypesInTypeScript(t *testing.T) {
	dir := t.TempDir()
	if out, err := node(t, typescriptClient, document(t), "generate.mjs", dir); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"types.d.mts", "operations.mjs"} {
		want, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(typescriptClient, name)); err != nil || string(got) != string(want) {
			t.Errorf("%s is behind the server (%v): run generate.mjs as it says at its head", name, err)
		}
	}
}
