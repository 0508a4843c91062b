package access

import (
	"slices"

	"github.com/agentnet/netctl/netkit/internal/undo"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Tokens are the valid tokens, by their hash and by the entry that brought them.
type Tokens[S ~string] struct {
	rows   undo.Index[[32]byte, *Token[S]]
	byID   undo.Index[uint64, *Token[S]] // the same rows: a map of large values is half empty
	images undo.Images[Token[S]]
	scopes []S    // of the latest token, since most tokens have the same
	ended  uint64 // since the start; only ever grows
}

// Token is what is known of a token.
type Token[S ~string] struct {
	ID      uint64 // entry that brought it
	Hash    [32]byte
	Owner   string
	Scopes  []S
	Expires int64 // 0 is never
	Limit   SpendCap
	Spent   int64 // counted only where there is a limit
}

// Grant is the private part of an entry that brings a token.
type Grant[S ~string] struct {
	Hash    [32]byte
	Scopes  []S
	Expires int64
	Limit   SpendCap
}

// Fields carries the grant.
func (g *Grant[S]) Fields(c *wire.Codec) {
	c.Hash("token_sha256", &g.Hash)
	wire.Strs(c, "scopes", &g.Scopes)
	wire.Num(c, "expires", &g.Expires)
	g.Limit.fields(c, "spend_cap")
}

// SpendCap is the most that a token may cost its owner over its life. The zero
// value is not a cap; one of 0 lets nothing be spent.
type SpendCap struct {
	Set bool
	Max int64
}

// fields carries the cap. An amount of 0 is left out, as in entries of before
// there were caps of 0, so such a cap is a flag of its own.
func (s *SpendCap) fields(c *wire.Codec, name string) {
	nothing := s.Set && s.Max == 0
	wire.Amount(c, name, &s.Max)
	c.Flag("spend_nothing", &nothing)
	if c.Reading() {
		s.Set = nothing || s.Max != 0
	}
}

func newTokens[S ~string]() Tokens[S] {
	return Tokens[S]{rows: undo.NewIndex[[32]byte, *Token[S]](), byID: undo.NewIndex[uint64, *Token[S]]()}
}

// ByHash returns the token of a hash.
func (x *Tokens[S]) ByHash(hash [32]byte) (Token[S], bool) { return found(x.rows.Get(hash)) }

// ByID returns the token that an entry brought.
func (x *Tokens[S]) ByID(id uint64) (Token[S], bool) { return found(x.byID.Get(id)) }

func found[S ~string](row *Token[S], ok bool) (Token[S], bool) {
	if !ok {
		return Token[S]{}, false
	}
	return *row, true
}

// Ended counts the tokens that ended since the start.
func (x *Tokens[S]) Ended() uint64 { return x.ended }

// Grant adds the token that entry id brings. A hash that is taken stays with
// its first owner.
func (x *Tokens[S]) Grant(id uint64, owner string, g Grant[S]) {
	if _, taken := x.rows.Get(g.Hash); taken {
		return
	}
	row := &Token[S]{ID: id, Hash: g.Hash, Owner: owner, Scopes: x.share(g.Scopes), Expires: g.Expires, Limit: g.Limit}
	x.rows.Put(g.Hash, row)
	x.byID.Put(id, row)
}

// share returns equal scopes that another token has, where it finds them at once.
func (x *Tokens[S]) share(scopes []S) []S {
	if !slices.Equal(scopes, x.scopes) {
		x.scopes = scopes
	}
	return x.scopes
}

// Withdraw ends a token.
func (x *Tokens[S]) Withdraw(id uint64) {
	if row, ok := x.byID.Get(id); ok {
		x.rows.Drop(row.Hash)
		x.byID.Drop(id)
		x.ended++
	}
}

// Spend adds what an act with a token cost its owner. Only tokens with a limit
// are counted.
func (x *Tokens[S]) Spend(id uint64, amount int64) {
	if row, ok := x.byID.Get(id); ok && row.Limit.Set {
		x.images.Edit(row).Spent += amount
	}
}

func tokenFields[S ~string](c *wire.Codec, t *Token[S]) {
	c.Begin()
	c.Hash("hash", &t.Hash)
	wire.Num(c, "id", &t.ID)
	wire.Str(c, "owner", &t.Owner)
	wire.Strs(c, "scopes", &t.Scopes)
	wire.Num(c, "expires", &t.Expires)
	t.Limit.fields(c, "limit")
	wire.Amount(c, "spent", &t.Spent)
	c.End()
}

func (x *Tokens[S]) fields(c *wire.Codec) {
	if !c.Reading() {
		f := undo.FreezeOf(c.Freeze)
		row := func(p undo.Pair[uint64, *Token[S]]) Token[S] { return *undo.Then(f, p.Value) }
		wire.EachOf(c, "tokens", x.byID.Pairs(f, undo.ByKey), row, tokenFields)
		return
	}
	var all []Token[S]
	wire.List(c, "tokens", &all, tokenFields)
	for _, t := range all {
		row := &t
		row.Scopes = x.share(t.Scopes)
		x.rows.M[t.Hash], x.byID.M[t.ID] = row, row
	}
}
