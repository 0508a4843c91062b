package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"golang.org/x/mod/sumdb/tlog"

	"filippo.io/torchwood"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/proof"
)

// Shown is what a network shows to anyone.
type Shown interface {
	Conservation(ctx context.Context) (netkit.Books, error)
	LastNight(ctx context.Context) (netkit.NightReport, error)
	Rogues(ctx context.Context, page netkit.Page) (netkit.List[netkit.RogueEntry], error)
	Directory(ctx context.Context, q netkit.DirectoryQuery) (netkit.List[netkit.Profile], error)
	Balance(ctx context.Context, a netkit.Account) (netkit.AccountBalance, error)
}

// Compared counts the answers that agreed.
type Compared struct {
	Profiles int `json:"profiles" doc:"tier, scores, badges, standing and transactions of an agent each"`
	Balances int `json:"balances"`
	Rogues   int `json:"rogues"`
	Nights   int `json:"nights"`
}

// balances is about how many wallets are compared; of more agents every so
// many.
const balances = 200

// compare asks the network what everybody may ask, and brings the replay to the
// entry that each answer names before the two are compared.
func (r *run) compare(ctx context.Context) error {
	if r.cfg.Shown == nil {
		return nil
	}
	for _, step := range []func(context.Context) error{r.compareBooks, r.compareNight, r.compareRogues, r.compareAgents} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	for len(r.ahead) > 0 {
		if err := r.next(); err != nil {
			return err
		}
	}
	return r.ends()
}

// reach takes entries until the auditor stands where an answer was given.
func (r *run) reach(ctx context.Context, what string, as netkit.AsOf) error {
	want := as.Seq + 1
	if want < r.auditor.Size() {
		return fmt.Errorf("%w: %s is as of entry %d, and entry %d was there before it was asked", ErrShown, what, as.Seq, r.auditor.Size()-1)
	}
	r.shownAt = max(r.shownAt, as.At)
	if today := netkit.At(r.cfg.Now()).Day(); !proof.IsSandbox(r.report.Origin) && (as.Date < today-1 || as.Date > today+1) {
		return fmt.Errorf("%w: %s is as of %s, and today is %s", ErrShown, what, as.Date, today)
	}
	if want > uint64(r.head.N) {
		if err := r.fetch(ctx, want); err != nil {
			return err
		}
	}
	for r.auditor.Size() < want {
		if err := r.next(); err != nil {
			return err
		}
	}
	return nil
}

// next takes one of the entries that were fetched.
func (r *run) next() error {
	entry := r.ahead[0]
	r.ahead = r.ahead[1:]
	return r.take(entry)
}

// maxAhead is how many bytes of entries are held that come after the one that
// an answer names: those that were made between the answer and the checkpoint
// asked for next.
const maxAhead = 64 << 20

// fetch opens the present checkpoint, takes the entries until the auditor stands
// at want, and holds the rest.
func (r *run) fetch(ctx context.Context, want uint64) error {
	for len(r.ahead) > 0 {
		if err := r.next(); err != nil {
			return err
		}
	}
	from := r.head.N
	text, err := r.cfg.Log.ReadEndpoint(ctx, "checkpoint")
	if err != nil {
		return fmt.Errorf("audit: reading the checkpoint again: %w", err)
	}
	if err := r.checkpoint(text); err != nil {
		return err
	}
	if uint64(r.head.N) < want {
		return fmt.Errorf("%w: it shows entry %d, and signs no more than %d entries; try again when they are witnessed", ErrShown, want-1, r.head.N)
	}
	held := 0
	for _, entry := range r.client.AllEntries(ctx, r.head.Tree, from) {
		if r.auditor.Size() < want {
			if err := r.take(entry); err != nil {
				return err
			}
			continue
		}
		if held += len(entry); held > r.room {
			return fmt.Errorf("audit: since entry %d was asked about, the log has grown to %d entries, too many to hold; audit it again", want-1, r.head.N)
		}
		r.ahead = append(r.ahead, append([]byte(nil), entry...))
	}
	if err := r.client.Err(); err != nil {
		return r.broken(err)
	}
	return nil
}

func (r *run) compareBooks(ctx context.Context) error {
	shown, err := r.cfg.Shown.Conservation(ctx)
	if err != nil {
		return err
	}
	if err := r.reach(ctx, "the books", shown.AsOf); err != nil {
		return err
	}
	return same("the books", shown, r.auditor.Books(shown.AsOf.At))
}

func (r *run) compareNight(ctx context.Context) error {
	shown, err := r.cfg.Shown.LastNight(ctx)
	if err != nil {
		return err
	}
	if err := r.reach(ctx, "the last night", shown.AsOf); err != nil {
		return err
	}
	r.report.Compared.Nights++
	return same("the last night", shown, r.auditor.LastNight(shown.AsOf.At))
}

// compareRogues compares the registry page by page; each is as of its own
// moment.
func (r *run) compareRogues(ctx context.Context) error {
	for page := (netkit.Page{Limit: 200}); ; {
		shown, err := r.cfg.Shown.Rogues(ctx, page)
		if err != nil {
			return err
		}
		if err := r.reach(ctx, "the registry", shown.AsOf); err != nil {
			return err
		}
		all := r.auditor.Rogues()
		n := r.report.Compared.Rogues
		if err := same("the registry", shown.Items, all[min(n, len(all)):min(n+200, len(all))]); err != nil {
			return err
		}
		r.report.Compared.Rogues += len(shown.Items)
		if page.Cursor = shown.NextCursor; page.Cursor == "" {
			return nil
		}
		if len(shown.Items) == 0 {
			return endless("the registry")
		}
	}
}

// compareAgents walks the directory: nobody may be missing from it, and of
// each everything that was computed must be so.
func (r *run) compareAgents(ctx context.Context) error {
	agents := slices.Collect(r.auditor.Agents())
	every := len(agents)/balances + 1
	for page := (netkit.Page{Limit: 200}); ; {
		shown, err := r.cfg.Shown.Directory(ctx, netkit.DirectoryQuery{Page: page})
		if err == nil {
			err = r.comparePage(ctx, shown.Items, agents, every)
		}
		if err != nil {
			return err
		}
		if page.Cursor = shown.NextCursor; page.Cursor == "" {
			break
		}
		if len(shown.Items) == 0 {
			return endless("the directory")
		}
	}
	if n := r.report.Compared.Profiles; n < len(agents) {
		return fmt.Errorf("%w: the directory ends before %q", ErrShown, agents[n])
	}
	return r.compareBalance(ctx, netkit.Treasury)
}

// endless is what a list is that goes on without showing anything more.
func endless(what string) error {
	return fmt.Errorf("%w: %s has an empty page, and says that another follows", ErrShown, what)
}

// comparePage compares a page of the directory, and then some balances: they
// are as of a later entry than all of the page. Behind the agents known when
// the walk began may stand those that were spawned since, and nobody twice.
func (r *run) comparePage(ctx context.Context, shown []netkit.Profile, agents []string, every int) error {
	first := r.report.Compared.Profiles
	for _, p := range shown {
		if err := r.reach(ctx, "the profile of "+p.Slug, p.AsOf); err != nil {
			return err
		}
		n := r.report.Compared.Profiles
		if n >= len(agents) {
			agents = slices.Collect(r.auditor.Agents())
		}
		switch {
		case n >= len(agents):
			return fmt.Errorf("%w: the directory shows %q after the last agent", ErrShown, p.Slug)
		case p.Slug != agents[n]:
			return fmt.Errorf("%w: the directory shows %q where %q stands", ErrShown, p.Slug, agents[n])
		}
		if err := r.compareProfile(p); err != nil {
			return err
		}
		r.report.Compared.Profiles++
	}
	for k, p := range shown {
		if (first+k)%every != 0 {
			continue
		}
		if err := r.compareBalance(ctx, netkit.Wallet(p.Slug)); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) compareProfile(shown netkit.Profile) error {
	want, err := r.auditor.Profile(shown.Slug, shown.AsOf.At)
	if err != nil {
		return fmt.Errorf("%w: the directory shows %q: %w", ErrShown, shown.Slug, err)
	}
	shown.BioClaims.CapabilityStatement = "" // no entry has it in its public part
	return same("the profile of "+shown.Slug, shown, want)
}

func (r *run) compareBalance(ctx context.Context, a netkit.Account) error {
	shown, err := r.cfg.Shown.Balance(ctx, a)
	if err != nil {
		return err
	}
	if err := r.reach(ctx, a.String(), shown.AsOf); err != nil {
		return err
	}
	want, err := r.auditor.Balance(a, shown.AsOf.At)
	if err != nil {
		return fmt.Errorf("%w: it shows %s: %w", ErrShown, a, err)
	}
	r.report.Compared.Balances++
	return same(a.String(), shown, want)
}

// same compares two answers by what stands on the wire.
func same(what string, shown, want any) error {
	a, err := json.Marshal(shown)
	if err != nil {
		return err
	}
	b, err := json.Marshal(want)
	if err != nil {
		return err
	}
	if string(a) != string(b) {
		return fmt.Errorf("%w: %s is shown as %s, and should be %s", ErrShown, what, a, b)
	}
	return nil
}

// dataTiles names one bundle of entries.
func dataTiles(n int64, width int) []tlog.Tile {
	return []tlog.Tile{{H: torchwood.TileHeight, L: -1, N: n, W: width}}
}
