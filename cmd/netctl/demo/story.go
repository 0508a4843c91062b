package demo

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"github.com/agentnet/netctl/examples"
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/didkey"
	"github.com/agentnet/netctl/netkit/netclient"
	"github.com/agentnet/netctl/netkit/plural"
)

// story is the teller: who takes part, and where the tale stands.
type story struct {
	ctx     context.Context
	w       *world
	out     io.Writer
	program string                       // how a reader calls netctl
	nobody  *netclient.Client            // calls without a token
	op      *netclient.Client            // the operator
	cast    map[string]*netclient.Client // agents by slug
	tokens  map[string]string
	deals   map[string]uint64 // contracts by what the story calls them
}

// chapter is one part of the story.
type chapter struct {
	title string
	tell  func(*story)
}

// unexpected ends the story: something went otherwise than told.
type unexpected struct{ err error }

// tell runs the chapters. A chapter that goes wrong panics with unexpected,
// so that the story reads as a story.
func (s *story) tell(chapters []chapter) (err error) {
	title := ""
	defer func() {
		if r := recover(); r != nil {
			u, ok := r.(unexpected)
			if !ok {
				panic(r)
			}
			err = fmt.Errorf("demo: in %q: %w", title, u.err)
		}
	}()
	s.cast, s.tokens, s.deals = map[string]*netclient.Client{}, map[string]string{}, map[string]uint64{}
	s.nobody = ok(s.w.client(""))
	s.op = ok(s.w.client(s.w.operatorToken.String()))
	for i, c := range chapters {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		title = c.title
		fmt.Fprintf(s.out, "\n%d. %s  [day %d, %s]\n", i+1, title, s.w.day(), s.w.clock.now().Format("15:04"))
		c.tell(s)
	}
	return nil
}

// ok returns a result, or ends the story with its error.
func ok[T any](v T, err error) T {
	if err != nil {
		panic(unexpected{err})
	}
	return v
}

// expectDone ends the story with an error, unless it is nil.
func expectDone(err error) {
	if err != nil {
		panic(unexpected{err})
	}
}

// refused expects a refusal with that code and tells it.
func refused[T any](s *story, code string) func(T, error) {
	return func(_ T, err error) {
		var r *netkit.Refusal
		if !errors.As(err, &r) || r.Code != code {
			panic(unexpected{fmt.Errorf("wanted the refusal %s, got %v", code, err)})
		}
		law := ""
		if r.Law != "" {
			law = " (" + r.Law + ")"
		}
		s.say("refused%s %s: %s", law, r.Code, r.What)
	}
}

func (s *story) say(format string, args ...any) {
	fmt.Fprintf(s.out, "   "+format+"\n", args...)
}

// expect ends the story unless got is want.
func expect[T comparable](what string, got, want T) {
	if got != want {
		panic(unexpected{fmt.Errorf("%s: got %v, want %v", what, got, want)})
	}
}

// pass lets time go by.
func (s *story) pass(d time.Duration) { s.w.clock.advance(d) }

func (s *story) passed() string {
	return plural.Count(s.w.day()-1, "day", "days")
}

// spawn makes an agent and lets it act.
func (s *story) spawn(slug string) netkit.Spawned {
	r := ok(s.nobody.Spawn(s.ctx, netkit.Spawn{Slug: slug}))
	s.tokens[slug] = r.Token
	s.cast[slug] = ok(s.w.client(r.Token))
	return r
}

// confirm lets an agent prove that it holds the key of a wallet address.
func (s *story) confirm(slug string) netkit.WalletReceipt {
	pub, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		panic(unexpected{err})
	}
	agent := s.cast[slug]
	ch := ok(agent.DeclareWallet(s.ctx, netkit.DeclareWallet{Address: didkey.Of(pub)}))
	return ok(agent.ConfirmWallet(s.ctx, ch.Sign(key)))
}

// verify lets an agent confirm a wallet and accept the constitution in force.
func (s *story) verify(slug string) {
	s.confirm(slug)
	s.accept(slug)
}

// accept lets an agent accept the constitution in force.
func (s *story) accept(slug string) {
	c := ok(s.nobody.Constitution(s.ctx))
	ok(s.cast[slug].AcceptConstitution(s.ctx, netkit.AcceptConstitution{SHA256: c.SHA256}))
}

// balance asks what an account holds.
func (s *story) balance(a netkit.Account) netkit.Credits {
	return ok(s.nobody.Balance(s.ctx, a)).Balance
}

// execute lets an agent deliver a signal for a contract.
func (s *story) execute(slug, deal string) (netkit.Execution, error) {
	return s.cast[slug].Execute(s.ctx, netkit.Execute{CampaignID: s.deals[deal], Signal: signals[deal]})
}

// signals is what the agents deliver, by what the story calls the contract.
var signals = map[string]netkit.Signal{
	"acme": {Headline: "Lead times for substrates fall to nine weeks", Body: "Three distributors quote nine weeks, down from fourteen in January.",
		Sources: []string{"https://example.org/substrates"}},
	"boreal": {Headline: "Line 3 stopped since noon", Body: "The operator's notice names a coolant leak and Thursday.",
		Sources: []string{"https://example.org/line-3"}},
	"corvid": {Headline: "Two etch tools cancelled", Body: "The filing moves both orders to next year.",
		Sources: []string{"https://example.org/filings/etch"}},
	"delta": {Headline: "Licences needed from Monday", Body: "The rule is in the gazette; it names three classes of tools.",
		Sources: []string{"https://example.org/gazette"}},
	"eider": {Headline: "A second resin supplier is qualified", Body: "The buyer's list of this month has two names instead of one.",
		Sources: []string{"https://example.org/resin"}},
	"grid": {Headline: "Substation 4 is without power", Body: "Seen on site; 1 to 3 work.", Sources: []string{"https://example.org/grid"}},
}

// paid tells an execution's postings.
func (s *story) paid(slug string, e netkit.Execution) {
	s.say("%-6s executes contract %d at %s: contract -%s, wallet +%s, treasury +%s  (wallet %s, entry %d)",
		slug, e.CampaignID, e.Tier, e.Payout, e.AgentShare, e.TreasuryShare, e.Balance, e.Seq)
}

// publish uploads a recording with its transcript and publishes it.
func (s *story) publish(by *netclient.Client, p netkit.Publish, file string) netkit.DispatchReceipt {
	recording := ok(examples.Files.ReadFile("audio/" + file))
	text := ok(examples.Files.ReadFile("audio/" + strings.TrimSuffix(file, path.Ext(file)) + ".vtt"))
	sound := ok(by.UploadAudio(s.ctx, bytes.NewReader(recording)))
	words := ok(by.UploadTranscript(s.ctx, bytes.NewReader(text)))
	p.Audio, p.Transcript = &sound, &words
	r := ok(by.Publish(s.ctx, p))
	s.say("published %s %q with %d bytes of audio and a transcript (dispatch %d)", p.Priority, p.Headline, len(recording), r.DispatchID)
	return r
}
