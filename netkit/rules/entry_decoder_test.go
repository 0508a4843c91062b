package rules

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/agentnet/netctl/netkit"
)

// filled sets every single value of v, and lists of one element.
func filled(v reflect.Value, r *rand.Rand) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				filled(v.Field(i), r)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			filled(v.Index(i), r)
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString([]string{"ada", "acme", "a text"}[r.IntN(3)])
	case reflect.Uint8:
		v.SetUint(1) // a name, or part of a hash
	case reflect.Uint32, reflect.Uint64:
		v.SetUint(1 + r.Uint64N(5000))
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(r.Int64N(5000) - 2000)
	}
}

// flatEntries returns an entry of each flat kind with all fields filled.
func flatEntries() (all []Entry) {
	r := rand.New(rand.NewPCG(1, 2))
	for kind, row := range forms {
		if row.clear == nil {
			continue
		}
		f := row.make()
		filled(reflect.ValueOf(f).Elem(), r)
		all = append(all, Entry{Seq: 7, At: 1_771_545_600_000, Kind: kind, Version: entryVersion, Actor: "ada", Constitution: "1.1.0", Fact: f, Private: [32]byte{31: 0xab},
			Postings: []Posting{
				{Account: netkit.ContractBudget(10), Amount: -150, After: 2000, Prev: 5},
				{Account: netkit.Wallet("ada"), Amount: 100, After: 150, Prev: 6},
				{Account: netkit.Treasury, Amount: 50, After: 50, Prev: 3},
			}})
	}
	slices.SortFunc(all, func(a, b Entry) int { return bytes.Compare([]byte(a.Kind), []byte(b.Kind)) })
	return all
}

// checkExact decodes bytes and reports whether that was exact. If so, the entry has to
// be written as the same bytes.
func checkExact(t *testing.T, x *EntryDecoder, d *DecodedEntry, public []byte) bool {
	x.decodePublic(d, public)
	if d.err != nil || !d.exact {
		return false
	}
	if got := AppendEntry(nil, &d.Entry); !bytes.Equal(got, public) {
		t.Errorf("read as exact:\n%s\nand written as:\n%s", public, got)
	}
	return true
}

// Entries that are read as exact are written as the same bytes, whatever was
// done to them; entries as they are written are read as exact.
func TestExactEntriesAreWrittenAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	pieces := []string{"0", "00", "-", "-0", ".00", "0.00", ":0,", "1", "99999999999999999999", `""`, `"`, `\u0061`, "é", "\x01", "A", ":", "{}", "[]", ",", `"newcomer":true`, "wallet:", "treasury:x", "contract:07", "256", "4294967296"}
	var x EntryDecoder
	var d DecodedEntry
	tried := 0
	for _, e := range flatEntries() {
		public := AppendEntry(nil, &e)
		if !checkExact(t, &x, &d, public) {
			t.Errorf("%s: an entry as it is written is not read as exact: %v", e.Kind, d.err)
		}
		for range 4000 {
			at := r.IntN(len(public))
			gone := r.IntN(min(4, len(public)-at))
			if checkExact(t, &x, &d, slices.Concat(public[:at], []byte(pieces[r.IntN(len(pieces))]), public[at+gone:])) {
				tried++
			}
		}
		// A value of another field or of nothing.
		for _, bent := range [][2]string{{`"amount":-1.50`, `"amount":-01.50`}, {`"after":20.00`, `"after":0.00`}, {`"prev":5`, `"prev":0`}, {`"v":1`, `"v":01`}, {`"actor":"ada"`, `"actor":"\u0061da"`},
			{`"actor":"ada"`, `"actor":""`}, {`00ab"`, `00AB"`}, {"contract:10", "contract:010"}, {`"treasury"`, `"treasury:"`}, {`"wallet:ada"`, `"wallet"`}} {
			other := bytes.Replace(public, []byte(bent[0]), []byte(bent[1]), 1)
			if bytes.Equal(other, public) {
				t.Errorf("%s holds no %s", e.Kind, bent[0])
			}
			if checkExact(t, &x, &d, other) {
				t.Errorf("%s: %s is read as exact", e.Kind, bent[1])
			}
		}
	}
	tier := AppendEntry(nil, &Entry{Kind: netkit.KindExecution, Version: entryVersion, Fact: &Executed{Tier: netkit.Verified}})
	if zero := bytes.Replace(tier, []byte(netkit.TierNames[netkit.Verified]), []byte(netkit.TierNames[0]), 1); checkExact(t, &x, &d, zero) || d.err != nil {
		t.Errorf("a name that is left out when written: read as exact, %v", d.err)
	}
	if tried == 0 {
		t.Error("no altered entry was read as exact, so nothing was compared")
	}
}

// Whatever is read as exact is written as the same bytes.
func FuzzExactEntry(f *testing.F) {
	for _, e := range flatEntries() {
		f.Add(AppendEntry(nil, &e))
	}
	f.Fuzz(func(t *testing.T, public []byte) { checkExact(t, new(EntryDecoder), new(DecodedEntry), public) })
}

// An entry that is decoded into the memory of another one is as if it were the
// first.
func TestDecodingUsesMemoryAgain(t *testing.T) {
	var x EntryDecoder
	var used DecodedEntry
	all := flatEntries()
	for _, e := range slices.Concat(all, all) {
		bare := Entry{Seq: 9, Kind: e.Kind, Version: entryVersion, Fact: Kinds[e.Kind].make()}
		for _, e := range []Entry{e, bare} {
			public := AppendEntry(nil, &e)
			x.decodePublic(&used, public)
			if got := AppendEntry(nil, &used.Entry); used.err != nil || !bytes.Equal(got, public) {
				t.Errorf("got %s, %v, want %s", got, used.err, public)
			}
		}
	}
}
