package main

import (
	"fmt"
	"maps"
	"net/url"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// composeService is a service of examples/operate/compose.yaml.
type composeService struct {
	Build       string
	Image       string
	User        string
	ReadOnly    bool     `yaml:"read_only"`
	CapDrop     []string `yaml:"cap_drop"`
	SecurityOpt []string `yaml:"security_opt"`
	Restart     string
	StopGrace   string `yaml:"stop_grace_period"`
	NetworkMode string `yaml:"network_mode"`
	Networks    []string
	Environment map[string]string
	Entrypoint  []string
	Command     []string
	Ports       []string
	Volumes     []string
	Configs     []struct{ Source, Target string }
	DependsOn   map[string]struct{ Condition string } `yaml:"depends_on"`
	HealthCheck *struct {
		Test     []string
		Interval string
		Retries  int
	}
}

// composeFile is that file. A field that is not here fails the test.
type composeFile struct {
	Name     string
	Node     any `yaml:"x-node"`
	Services map[string]*composeService
	Configs  map[string]struct{ Content string }
	Networks map[string]any
	Volumes  map[string]any
}

func readCompose(t *testing.T) (c composeFile) {
	t.Helper()
	f, err := os.Open("../../examples/operate/compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d := yaml.NewDecoder(f)
	d.KnownFields(true)
	if err := d.Decode(&c); err != nil {
		t.Fatal(err)
	}
	return c
}

// option returns the value of a flag among words.
func option(words []string, name string) string {
	if i := slices.Index(words, name); i >= 0 && i+1 < len(words) {
		return words[i+1]
	}
	return ""
}

// The file starts three nodes by commands that netctl has, on a database with the roles
// that these commands name, at ports that the image serves.
func TestComposeFile(t *testing.T) {
	c, image := readCompose(t), readDockerfile(t)
	nodes := 0
	for name, s := range c.Services {
		c.checkReferences(t, name, s)
		if s.Build == "" {
			continue
		}
		understands(t, s.Command)
		if s.Build != "../.." || !s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"}) || len(s.SecurityOpt) != 1 || s.User != "" {
			t.Errorf("%s: got %+v, want the image of the Dockerfile without rights", name, s)
		}
		if s.Environment["PGPASSWORD"] == "" {
			t.Errorf("%s has no password of the database", name)
		}
		if s.Command[0] == "serve" {
			nodes++
			c.checkNode(t, name, s, &image)
		}
	}
	if nodes != 3 {
		t.Errorf("got %d nodes, want 3", nodes)
	}
	c.checkDatabase(t)
	c.checkSharedKeys(t, &image)
}

// checkReferences wants what a service names to be in the file.
func (c *composeFile) checkReferences(t *testing.T, name string, s *composeService) {
	t.Helper()
	for other, d := range s.DependsOn {
		on := c.Services[other]
		if on == nil || d.Condition == "service_completed_successfully" && on.Restart == "unless-stopped" ||
			d.Condition == "service_healthy" && on.HealthCheck == nil && on.Build == "" {
			t.Errorf("%s waits for %s to be %s, which never happens", name, other, d.Condition)
		}
	}
	for _, v := range s.Volumes {
		if volume, _, _ := strings.Cut(v, ":"); !slices.Contains(slices.Collect(maps.Keys(c.Volumes)), volume) {
			t.Errorf("%s: there is no volume %s", name, volume)
		}
	}
	for _, n := range s.Networks {
		if _, ok := c.Networks[n]; !ok {
			t.Errorf("%s: there is no network %s", name, n)
		}
	}
	for _, f := range s.Configs {
		if _, ok := c.Configs[f.Source]; !ok {
			t.Errorf("%s: there is no config %s", name, f.Source)
		}
	}
}

// checkNode compares the addresses and folders of a node with those of the image.
func (c *composeFile) checkNode(t *testing.T, name string, s *composeService, image *image) {
	t.Helper()
	_, port, _ := strings.Cut(image.env["NETCTL_SERVE_ADDR"], ":")
	if got, want := option(s.Command, "--node-address"), fmt.Sprintf("http://%s:%s", name, port); got != want || nodeURL(got) != nil {
		t.Errorf("%s: got the address %q, want %q", name, got, want)
	}
	if len(s.Ports) != 1 || !regexp.MustCompile(`^127\.0\.0\.1:\d+:`+port+`$`).MatchString(s.Ports[0]) {
		t.Errorf("%s: got the ports %q, want one of this machine that leads to %s", name, s.Ports, port)
	}
	if want := name + ":" + image.find(t, "VOLUME"); !slices.Equal(s.Volumes, []string{want}) {
		t.Errorf("%s: got the volumes %q, want %q", name, s.Volumes, want)
	}
	if len(s.Networks) == 0 || !slices.Equal(s.Networks, c.Services["db"].Networks) {
		t.Errorf("%s: the database is in another network", name)
	}
}

// checkDatabase wants the addresses of the database to be its own, and the role of the
// nodes to be made, granted and used.
func (c *composeFile) checkDatabase(t *testing.T) {
	t.Helper()
	db, tables := c.Services["db"], c.Services["tables"]
	granted := option(tables.Command, "--grant")
	if !strings.Contains(c.Configs[db.Configs[0].Source].Content, "CREATE ROLE "+granted+" LOGIN") {
		t.Errorf("the role %s is not made", granted)
	}
	for name, s := range c.Services {
		text, role := option(s.Command, "--journal"), granted
		if name == "tables" {
			text, role = s.Command[2], db.Environment["POSTGRES_USER"]
		}
		if text == "" {
			continue
		}
		u, err := url.Parse(text)
		if err != nil || engineURL(text) != nil || c.Services[u.Hostname()] != db || u.User.Username() != role || u.Path != "/"+db.Environment["POSTGRES_DB"] {
			t.Errorf("%s: got %s, %v, want the database db as %s", name, text, err, role)
		}
	}
}

// checkSharedKeys wants the keys of the first node to be copied to the folders of the
// others, for the user of the image.
func (c *composeFile) checkSharedKeys(t *testing.T, image *image) {
	t.Helper()
	keys := c.Services["keys"]
	script := keys.Command[0]
	folder := path.Base(image.env["NETCTL_DATA"])
	for _, want := range []string{"for key in log.key signing.key;", "/node1/" + folder + "/$$key", "$$node/" + path.Base(image.env["TMPDIR"]), "chown -R " + image.find(t, "USER")} {
		if !strings.Contains(script, want) {
			t.Errorf("the keys are not shared as the image has them: %q is not in %s", want, script)
		}
	}
	for _, v := range keys.Volumes {
		if volume, at, _ := strings.Cut(v, ":"); !strings.HasPrefix(at, "/"+volume) {
			t.Errorf("got the volume %q, want %s at /%s", v, volume, volume)
		}
	}
}
