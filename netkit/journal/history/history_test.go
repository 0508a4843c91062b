package history_test

import (
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/anishathalye/porcupine"

	"github.com/agentnet/netctl/netkit/journal/history"
)

// past is a history with the entries that it left.
type past struct {
	entries    []history.Entry
	operations []history.Operation
	reads      []history.Read
}

func (p *past) check(t *testing.T) []history.Violation {
	t.Helper()
	found, err := history.Check(yields(p.entries, nil), p.operations, p.reads)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func yields(entries []history.Entry, end error) iter.Seq2[history.Entry, error] {
	return func(yield func(history.Entry, error) bool) {
		for _, e := range entries {
			if !yield(e, nil) {
				return
			}
		}
		if end != nil {
			yield(history.Entry{}, end)
		}
	}
}

// simulate draws a history of n calls by several clients, who each call again once they
// are answered: an operation becomes an entry, and a read looks at the journal, at an
// instant between its call and its answer. No two instants are the same.
func simulate(random *rand.Rand, clients, n int) (p past) {
	type call struct {
		called, acts, ends int64
		read, lost         bool
	}
	var calls []call
	free := make([]int64, clients)
	for i := range n {
		c := &free[random.IntN(clients)]
		at := func() int64 { *c += 1 + random.Int64N(1000); return *c*int64(n) + int64(i) }
		calls = append(calls, call{at(), at(), at(), random.IntN(3) == 0, random.IntN(50) == 0})
	}
	slices.SortFunc(calls, func(a, b call) int { return int(a.acts - b.acts) })
	p.entries = []history.Entry{{}} // genesis
	for i, c := range calls {
		key, size := fmt.Sprintf("key-%d", i), uint64(len(p.entries))
		switch {
		case c.read:
			p.reads = append(p.reads, history.Read{Called: c.called, Answered: c.ends, Size: size, MinSeq: random.Uint64N(size)})
		case c.lost:
			p.operations = append(p.operations, history.Operation{Key: key, Called: c.called, Answered: history.Lost})
			if random.IntN(2) == 0 {
				p.entries = append(p.entries, history.Entry{Key: key})
			}
		default:
			p.operations = append(p.operations, history.Operation{Key: key, Called: c.called, Answered: c.ends, Seq: size, Receipt: "r" + key})
			p.entries = append(p.entries, history.Entry{Key: key, Receipt: "r" + key})
		}
		if random.IntN(20) == 0 {
			p.entries = append(p.entries, history.Entry{}) // something fell due
		}
	}
	return p
}

// place returns the operation that made an entry.
func (p *past) operation(key string) *history.Operation {
	i := slices.IndexFunc(p.operations, func(o history.Operation) bool { return o.Key == key })
	return &p.operations[i]
}

func (p *past) clone() past {
	return past{slices.Clone(p.entries), slices.Clone(p.operations), slices.Clone(p.reads)}
}

// acknowledged returns an operation in the middle of the history that was answered.
func (p *past) acknowledged() *history.Operation {
	for i := len(p.operations) / 2; ; i++ {
		if p.operations[i].Answered != history.Lost {
			return &p.operations[i]
		}
	}
}

// A sound history breaks no rule, and each planted fault breaks the one that it is
// planted for.
func TestFaultsAreFound(t *testing.T) {
	sound := simulate(rand.New(rand.NewPCG(24, 4)), 8, 3000)
	if found := sound.check(t); len(found) > 0 {
		t.Fatalf("a sound history: got %v", found)
	}
	late := func(p *past) int { // of a read near the end
		return slices.IndexFunc(p.reads, func(r history.Read) bool { return r.Size > uint64(len(p.entries))*3/4 })
	}
	for name, c := range map[string]struct {
		want  history.Rule
		plant func(*past)
	}{
		"an acknowledged entry is lost": {history.OneEntry, func(p *past) { p.entries[p.acknowledged().Seq] = history.Entry{} }},
		"an operation is there twice": {history.OneEntry, func(p *past) {
			p.entries = append(p.entries, p.entries[p.acknowledged().Seq])
		}},
		"a receipt names another entry": {history.OneEntry, func(p *past) { p.acknowledged().Seq++ }},
		"an entry is put before earlier ones": {history.Place, func(p *past) {
			a, b := p.acknowledged(), p.operation(p.entries[len(p.entries)-len(p.entries)/4].Key)
			p.entries[a.Seq], p.entries[b.Seq] = p.entries[b.Seq], p.entries[a.Seq]
			a.Seq, b.Seq = b.Seq, a.Seq
		}},
		"the replay answers otherwise": {history.Replay, func(p *past) { p.entries[p.acknowledged().Seq].Receipt = "other" }},
		"a read misses what it asked for": {history.MinSeq, func(p *past) {
			r := &p.reads[late(p)]
			r.Stale, r.MinSeq = true, r.Size
		}},
		"a read is stale":                        {history.Fresh, func(p *past) { p.reads[late(p)].Size, p.reads[late(p)].MinSeq = 5, 0 }},
		"a read shows what is written later":     {history.Past, func(p *past) { p.reads[0].Size = uint64(len(p.entries)) - 1 }},
		"a read shows more than there ever was":  {history.Past, func(p *past) { p.reads[late(p)].Size = uint64(len(p.entries)) + 1 }},
		"a stale read shows what comes later":    {history.Past, func(p *past) { p.reads[0].Stale, p.reads[0].Size = true, uint64(len(p.entries))-1 }},
		"two entries of operations change place": {history.Place, func(p *past) { swapDistant(p) }},
	} {
		t.Run(name, func(t *testing.T) {
			p := sound.clone()
			c.plant(&p)
			found := p.check(t)
			if !slices.ContainsFunc(found, func(v history.Violation) bool { return v.Rule == c.want && v.Text != "" }) {
				t.Errorf("got %v, want %q", found, c.want)
			}
		})
	}
}

// swapDistant swaps the receipts and entries of the first and the last acknowledged
// operation.
func swapDistant(p *past) {
	var answered []*history.Operation
	for i := range p.operations {
		if p.operations[i].Answered != history.Lost {
			answered = append(answered, &p.operations[i])
		}
	}
	a, b := answered[0], answered[len(answered)-1]
	p.entries[a.Seq], p.entries[b.Seq] = p.entries[b.Seq], p.entries[a.Seq]
	a.Seq, b.Seq = b.Seq, a.Seq
}

func TestEntriesThatCannotBeRead(t *testing.T) {
	broken := errors.New("broken")
	if _, err := history.Check(yields(nil, broken), nil, nil); !errors.Is(err, broken) {
		t.Errorf("got %v, want %v", err, broken)
	}
}

// step is an operation or a read for porcupine: the journal's size goes from seq to
// seq+1, or is seen.
type step struct {
	read bool
	at   uint64
}

// journalModel is a journal as a counter. Entries that no client asked for move it too.
func journalModel(p *past) porcupine.Model {
	skip := func(size uint64) uint64 {
		for size < uint64(len(p.entries)) && p.entries[size].Key == "" {
			size++
		}
		return size
	}
	return porcupine.Model{
		Init: func() any { return uint64(0) },
		Step: func(state, input, _ any) (bool, any) {
			size, s := state.(uint64), input.(step)
			if s.read { // entries that no client asked for come at any time
				return s.at >= size && s.at <= skip(size), s.at
			}
			return s.at == skip(size), s.at + 1
		},
		Equal: func(a, b any) bool { return a == b },
	}
}

// linearizable asks porcupine whether there is an order of the history.
func (p *past) linearizable() bool {
	var all []porcupine.Operation
	found := map[string]uint64{}
	for seq, e := range p.entries {
		if e.Key != "" {
			found[e.Key] = uint64(seq)
		}
	}
	for i, o := range p.operations {
		if seq, ok := found[o.Key]; ok {
			all = append(all, porcupine.Operation{ClientId: i, Input: step{at: seq}, Call: o.Called, Return: o.Answered})
		}
	}
	for i, r := range p.reads {
		if !r.Stale {
			all = append(all, porcupine.Operation{ClientId: len(p.operations) + i, Input: step{read: true, at: r.Size}, Call: r.Called, Return: r.Answered})
		}
	}
	return porcupine.CheckOperations(journalModel(p), all)
}

// In windows of a thousand calls the checker and porcupine agree, on sound histories and
// on such in which one time or one answer was altered.
func TestPorcupineAgrees(t *testing.T) {
	random := rand.New(rand.NewPCG(24, 5))
	verdicts := map[bool]int{}
	for round := range 60 {
		p := simulate(random, 2+random.IntN(8), 1000)
		for i := range p.reads {
			p.reads[i].MinSeq = 0
		}
		if round%6 > 0 {
			alter(random, &p)
		}
		found := p.check(t)
		want := p.linearizable()
		verdicts[want]++
		if (len(found) == 0) != want {
			var texts []string
			for _, v := range found {
				texts = append(texts, v.Text)
			}
			t.Errorf("round %d: porcupine finds an order: %v; the checker: %s", round, want, strings.Join(texts, "; "))
		}
	}
	if verdicts[true] < 10 || verdicts[false] < 10 {
		t.Errorf("got %v sound and broken histories, want some of both", verdicts)
	}
}

// alter moves a time or an answer by a little, so that it may or may not matter.
func alter(random *rand.Rand, p *past) {
	r := &p.reads[random.IntN(len(p.reads))]
	switch o := p.acknowledged(); random.IntN(4) {
	case 0:
		r.Size += random.Uint64N(4)
	case 1:
		r.Size -= min(r.Size, random.Uint64N(4))
	case 2:
		o.Answered = o.Called + (o.Answered-o.Called)/int64(2+random.IntN(30))
	case 3:
		o.Called = o.Answered - (o.Answered-o.Called)/int64(2+random.IntN(30))
	}
}
