package simulate

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	toml "github.com/pelletier/go-toml/v2"

	"github.com/agentnet/netctl/netkit"
)

// Scenario says who lives in a simulated network, for how long, and who
// attacks it. Shares and chances are between 0 and 1.
type Scenario struct {
	Name     string    `toml:"-" json:"name"`
	Title    string    `toml:"title" json:"title"`
	Shows    []string  `toml:"shows" json:"shows,omitempty"` // figures of the summary
	Days     int       `toml:"days" json:"days"`
	Census   int       `toml:"census" json:"census_days"` // days between two looks at every profile
	Agents   int       `toml:"agents" json:"agents"`
	Sponsors int       `toml:"sponsors" json:"sponsors"`
	Honest   Honest    `toml:"honest" json:"honest"`
	Sponsor  Sponsor   `toml:"sponsor" json:"sponsor"`
	Review   Reviewing `toml:"review" json:"review"`
	Attack   Attack    `toml:"attack" json:"attack,omitzero"`
	// Reacts has honest sponsors leave for a while when much of what they read is
	// junk, and honest agents avoid sponsors that return much.
	Reacts bool `toml:"reacts" json:"reacts,omitempty"`
	// Constitution replaces values of the default constitution, by the names of
	// its JSON form.
	Constitution map[string]any `toml:"constitution" json:"constitution,omitempty"`
}

// Honest describes the agents that do what they are paid for.
type Honest struct {
	Wishes   float64 `toml:"wishes" json:"wishes"`     // executions wanted by an agent a day, on average
	Zipf     float64 `toml:"zipf" json:"zipf"`         // exponent of activity by rank
	Single   float64 `toml:"single" json:"single"`     // share that works for one sponsor only
	JoinDays int     `toml:"join_days" json:"joins"`   // agents arrive evenly over so many days
	Bad      float64 `toml:"bad" json:"bad"`           // share of executions that break L1 by mistake
	Noticed  float64 `toml:"noticed" json:"noticed"`   // share of those that somebody reports
	Requests float64 `toml:"requests" json:"requests"` // attention requests for each execution wanted
	Reads    float64 `toml:"reads" json:"reads"`       // paid reads of the feed for each execution wanted
	Takers   float64 `toml:"takers" json:"takers"`     // share that takes attention requests
}

// Sponsor describes the honest sponsors.
type Sponsor struct {
	Zipf   float64 `toml:"zipf" json:"zipf"`     // exponent of size by rank
	Budget int64   `toml:"budget" json:"budget"` // credits a month together; 0 pays whatever is done
	Read   float64 `toml:"read" json:"read"`     // share of executions read, then reported or accepted
	// Useless is the share of executions that are true and of no use to a sponsor, who
	// returns them within the limits of the rules; 1 returns its full share.
	Useless float64 `toml:"useless" json:"useless,omitempty"`
	// Lenient is the share of noticed mistakes that are returned, not reported.
	Lenient float64 `toml:"lenient" json:"lenient,omitempty"`
}

// Reviewing describes reviewers and operator.
type Reviewing struct {
	Reviewers int     `toml:"reviewers" json:"reviewers"`
	Accuracy  float64 `toml:"accuracy" json:"accuracy"` // share of verdicts that are right
	Daily     int     `toml:"daily" json:"daily"`       // verdicts that a reviewer can give a day
	Reinstate int     `toml:"reinstate" json:"reinstate_days"`
}

// Attack says what an attacker does. Fields that an attack does not use are
// left out. A wary attacker reads what is public: an account of it that is flagged,
// or that a case is about, does nothing more, and a sponsor of it whose reports are
// mostly dismissed reports no more.
type Attack struct {
	Kind     string         `toml:"kind" json:"kind"`           // see [Attacks]
	Day      int            `toml:"day" json:"day"`             // when it begins
	Accounts int            `toml:"accounts" json:"accounts"`   // that do the work
	Each     int            `toml:"each" json:"each"`           // executions, reports or registrations of each
	Spread   int            `toml:"spread" json:"spread_days"`  // over so many days; 0 is one
	Requests int            `toml:"requests" json:"requests"`   // attention requests of each account
	Weeks    int            `toml:"weeks" json:"weeks"`         // over which requests are spread
	Price    netkit.Credits `toml:"-" json:"price"`             // of a request
	PriceIn  float64        `toml:"price" json:"-"`             // the same as written
	Funds    int64          `toml:"funds" json:"funds"`         // outside credits of the attacker's own sponsors
	Sponsors int            `toml:"sponsors" json:"sponsors"`   // of the attacker
	Bought   int            `toml:"bought" json:"bought"`       // reviewers on the attacker's side
	Helpers  int            `toml:"helpers" json:"helpers"`     // accounts of the attacker that report
	Circle   bool           `toml:"circle" json:"circle"`       // requests go both ways
	Wary     bool           `toml:"wary" json:"wary"`           // stops before it is caught, see [Attack]
	Wallet   int            `toml:"wallet" json:"wallet_day"`   // days until wallets are confirmed
	Goal     string         `toml:"goal" json:"goal,omitempty"` // what is reached or not: a tier, or a figure
}

//go:embed scenarios/*.toml families/*.toml
var builtin embed.FS

// Scenarios lists the names of the scenarios that come with the package.
func Scenarios() []string {
	return listFolder("scenarios")
}

// listFolder lists the documents of an embedded folder.
func listFolder(name string) []string {
	files, err := builtin.ReadDir(name)
	if err != nil {
		panic("simulate: the embedded folder is always there: " + err.Error())
	}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = strings.TrimSuffix(f.Name(), ".toml")
	}
	return names
}

// Builtin returns a scenario that comes with the package.
func Builtin(name string) (*Scenario, error) {
	text, err := builtin.ReadFile(path.Join("scenarios", name+".toml"))
	if err != nil {
		return nil, fmt.Errorf("simulate: no scenario is named %q; choose one of %s", name, strings.Join(Scenarios(), ", "))
	}
	return Parse(name, text)
}

// Default returns the honest network that every other scenario changes, under
// the constitution of a new network.
func Default() *Scenario {
	return &Scenario{
		Name: "honest", Days: 180, Census: 1, Agents: 300, Sponsors: 20,
		Honest:  Honest{Wishes: 1.2, Zipf: 0.7, Single: 0.1, JoinDays: 60, Bad: 0.005, Noticed: 0.5, Requests: 0.16, Reads: 0.05, Takers: 0.6},
		Sponsor: Sponsor{Zipf: 1, Read: 0.05},
		Review:  Reviewing{Reviewers: 12, Accuracy: 0.92, Daily: 20, Reinstate: 14},
	}
}

// Parse reads a scenario as TOML. What it leaves out is as in [Default]; a key
// that no scenario has is an error.
func Parse(name string, text []byte) (*Scenario, error) {
	sc := Default()
	sc.Name = name
	if err := decodeTOML(text, sc); err != nil {
		return nil, fmt.Errorf("simulate: scenario %s: %w", name, err)
	}
	sc.Attack.Price = netkit.Credits(sc.Attack.PriceIn*100 + 0.5)
	return sc, sc.Check()
}

// decodeTOML decodes a document that has no key which v lacks.
func decodeTOML(text []byte, v any) error {
	d := toml.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(v)
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) {
		return fmt.Errorf("no scenario has a key %s", strings.Join(unknown.Errors[0].Key(), "."))
	}
	return err
}

// Check refuses a scenario that cannot be run.
func (sc *Scenario) Check() error {
	bad := func(what string) error { return fmt.Errorf("simulate: scenario %s: %s", sc.Name, what) }
	switch {
	case sc.Days < 1 || sc.Census < 1:
		return bad("days and census must be at least 1")
	case sc.Agents < sc.Review.Reviewers || sc.Sponsors < 1:
		return bad("it needs at least one sponsor, and as many agents as reviewers")
	case sc.Attack.Kind != "" && !slices.Contains(Attacks(), sc.Attack.Kind):
		return bad(fmt.Sprintf("no attack is named %q; choose one of %s", sc.Attack.Kind, strings.Join(Attacks(), ", ")))
	}
	_, err := sc.law()
	return err
}

// law returns the constitution of the simulated network.
func (sc *Scenario) law() (*netkit.Constitution, error) {
	c := netkit.Version1()
	patch, err := json.Marshal(sc.Constitution)
	if err == nil && sc.Constitution != nil {
		d := json.NewDecoder(bytes.NewReader(patch))
		d.DisallowUnknownFields()
		err = d.Decode(c)
	}
	if err != nil {
		return nil, fmt.Errorf("simulate: scenario %s: constitution: %w", sc.Name, err)
	}
	return c, nil
}
