package examples

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/agentnet/netctl/netkit/btdt"
	"github.com/agentnet/netctl/netkit/btdt/detector"
)

// standInGliner answers as the package gliner does, without a model.
const standInGliner = `
class GLiNER:
    @classmethod
    def from_pretrained(cls, name):
        return cls()
    def predict_entities(self, text, labels, threshold):
        at = text.find("wobblefern")
        return [] if at < 0 else [{"label": "person", "start": at, "end": at + 10, "score": 0.91, "text": "wobblefern"}]
`

// Each example of a detector finds a name, with its place in code points.
func TestDetectors(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"gliner.py": standInGliner, "clients.txt": "Ada Quill\nWobblefern\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			ResponseFormat map[string]any `json:"response_format"`
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || r.URL.Path != "/v1/chat/completions" || in.ResponseFormat["type"] != "json_schema" {
			t.Errorf("got %s with %+v (%v), want a chat held to a schema", r.URL.Path, in, err)
		}
		fmt.Fprint(w, `{"choices":[{"message":{"content":"[{\"entity_type\":\"NAME\",\"text\":\"wobblefern\"}]"}}]}`)
	}))
	defer model.Close()
	t.Setenv("PYTHONPATH", dir)
	_, noPython := exec.LookPath("python3")
	for name, line := range map[string]string{
		"names":  "go run ./detectors/names " + filepath.Join(dir, "clients.txt"),
		"gliner": "cd " + dir + " && python3 -c \"import runpy; runpy.run_path('" + absolute(t, "detectors/gliner.py") + "')\"",
		"llama":  "python3 detectors/llama.py " + model.URL,
	} {
		t.Run(name, func(t *testing.T) {
			if noPython != nil && name != "names" {
				t.Skip("there is no python3")
			}
			d := detector.NewCommand(line, os.Stderr)
			defer d.Close()
			found, err := d.Detect(t.Context(), "steps[0]", "🙂 from wobblefern", "en")
			if err != nil || len(found) != 1 || found[0].Start != 7 || found[0].End != 17 || found[0].Type != btdt.TypeName {
				t.Errorf("got %+v, %v, want one name", found, err)
			}
		})
	}
}

func absolute(t *testing.T, path string) string {
	full, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return full
}
