package netkit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Breach is the first thing that an audit finds wrong: an entry that the rules
// do not account for. It is an [ErrCorrupt].
type Breach struct {
	Entry uint64 `json:"entry"`
	Rule  string `json:"rule" doc:"a stable name, such as split 85/15"`
	What  string `json:"what" doc:"what is wrong, for people"`
}

// Error names the entry and the rule.
func (b *Breach) Error() string {
	return fmt.Sprintf("netkit: entry %d breaks the rule %q: %s", b.Entry, b.Rule, b.What)
}

// Is makes a breach an ErrCorrupt.
func (b *Breach) Is(target error) bool { return target == ErrCorrupt }

// The rules that hold for entries of every kind.
const (
	ruleForm         = "form"
	ruleNumber       = "entry number"
	ruleTime         = "time runs back"
	ruleOneTime      = "one command, one time"
	ruleZero         = "postings sum to zero"
	ruleChain        = "account chain"
	ruleActor        = "actor"
	ruleConstitution = "constitution in force"
	rulePrivate      = "private part"
	ruleDue          = "due left undone"
	ruleNotDue       = "not due"
	ruleGenesis      = "genesis first"
	ruleTree         = "tree cited"
)

// kindRules names what the facts of a kind have to hold to: by field, under
// "postings" for their money, under "" for the fact as a whole where nothing
// brings it about. What has no name here is called by kind and field.
var kindRules = map[Kind]map[string]string{
	"execution": {"tier": "tier rate", "payout": "tier rate", "used": "backing", "counted": "diversity counts",
		"passed": "backing", "postings": "split 85/15"},
	"agent.spawned":      {"postings": "welcome grant"},
	"feed.opened":        {"postings": "feed price", "": "feed price"},
	"attention.sent":     {"price": "floor price", "backing": "backing", "expires": "deadline", "postings": "escrow"},
	"attention.answered": {"used": "backing", "counted": "diversity counts", "passed": "backing", "postings": "escrow"},
	"attention.declined": {"postings": "escrow refund"},
	"attention.expired":  {"id": ruleDue, "": ruleNotDue, "postings": "escrow refund"},
	"sponsor.deposited":  {"postings": "deposit"},
	"contract.opened":    {"postings": "contract budget"},
	"contract.funded":    {"postings": "contract budget"},
	"contract.finished":  {"campaign": ruleDue, "": ruleNotDue, "returned": "contract refund", "postings": "contract refund"},
	"badge.issued": {"": "badge conditions", "agent": "badge conditions", "badge": "badge conditions",
		"reputation": "badge scores", "diversity": "badge scores", "size": ruleTree, "root": ruleTree},
	"night.step": {"": "a date is closed once", "issued": "badge conditions", "from": "night judges all", "to": "night judges all",
		"judged": "night judges all", "last": "night judges all"},
	"night.closed":  {"": "night judges all", "judged": "night judges all", "issued": "night judges all"},
	"badge.revoked": {"": "L6 revocation", "reason": "L6 revocation", "revoker": "L6 revocation", "witness": "L6 revocation"},
	"case.filed":    {"panel": "panel drawn by seed", "seed": "panel drawn by seed", "ends": "verdict time"},
	"case.appealed": {"panel": "panel drawn by seed", "seed": "panel drawn by seed", "ends": "verdict time"},
	"case.redrawn": {"case": ruleDue, "": ruleNotDue, "panel": "panel drawn by seed", "seed": "panel drawn by seed",
		"ends": "verdict time"},
	"case.verdict": {"state": "majority"},
	"case.decided": {"": "majority", "uphold": "majority", "until": "appeal time", "effect": "judgement", "overturn": "judgement",
		"penalty": "judgement", "standing": "judgement"},
	"case.final":          {"case": ruleDue, "": ruleNotDue},
	"exchange.told":       {"": ruleNotDue},
	"playbook.registered": {"": "registered once"},
	"sponsor.admitted":    {"": "sponsor's witness"},
}

// ruleOf names the rule behind a field of a kind.
func ruleOf(k Kind, field string) string {
	if name, ok := kindRules[k][field]; ok {
		return name
	}
	return strings.TrimSpace(string(k) + " " + field)
}

// refusedRule names the rule by which a command would have been refused.
func refusedRule(r *Refusal) string {
	return strings.TrimSpace(r.Law + " " + strings.ReplaceAll(r.Code, "_", " "))
}

func (e *Entry) breach(rule, what string, args ...any) error {
	return &Breach{Entry: e.Seq, Rule: rule, What: fmt.Sprintf(what, args...)}
}

// refused makes a breach of a command's refusal; what else went wrong, such as
// a failed read, is not a fault of the entry.
func (e *Entry) refused(err error) error {
	var r *Refusal
	switch {
	case errors.As(err, &r):
		return e.breach(refusedRule(r), "%s could not come about: %s", e.Kind, strings.TrimSpace(r.Field+" "+r.What))
	case errors.Is(err, ErrCorrupt):
		return e.breach(ruleForm, "%v", err)
	}
	return fmt.Errorf("netkit: auditing entry %d: %w", e.Seq, err)
}

// differs names the first rule by which an entry is not the one that had to
// come.
func (e *Entry) differs(want *Entry) error {
	switch {
	case e.Kind != want.Kind:
		return e.breach(ruleOf(e.Kind, ""), "got %s, want %s", e.Kind, want.Kind)
	case e.At != want.At:
		return e.breach(ruleOneTime, "got %s, want %s as the entry before it", e.At, want.At)
	case e.Actor != want.Actor:
		return e.breach(ruleActor, "got %q, want %q", e.Actor, want.Actor)
	case e.Constitution != want.Constitution:
		return e.breach(ruleConstitution, "got %s, want %s", e.Constitution, want.Constitution)
	case e.Private != want.Private:
		return e.breach(rulePrivate, "names a private part where there can be none")
	}
	if field, got, wanted := differentField(e.Fact, want.Fact); field != "" {
		return e.breach(ruleOf(e.Kind, field), "%s of %s: got %s, want %s", field, e.Kind, got, wanted)
	}
	return e.postsOtherwise(want)
}

// postsOtherwise names what is wrong with an entry's postings.
func (e *Entry) postsOtherwise(want *Entry) error {
	if len(e.Postings) != len(want.Postings) {
		return e.breach(ruleOf(e.Kind, "postings"), "got %d postings, want %d", len(e.Postings), len(want.Postings))
	}
	for i := range want.Postings {
		p, w := &e.Postings[i], &want.Postings[i]
		if p.Account != w.Account || p.Amount != w.Amount {
			return e.breach(ruleOf(e.Kind, "postings"), "got %s on %s, want %s on %s", p.Amount, p.Account, w.Amount, w.Account)
		}
		if p.Prev != w.Prev || p.After != w.After {
			return e.breach(ruleChain, "%s: got %s after entry %d, want %s after entry %d", p.Account, p.After, p.Prev, w.After, w.Prev)
		}
	}
	return e.breach(ruleForm, "its bytes are not those that stand for what it says")
}

// differentField returns the first field in which two facts of a kind differ,
// and both values; "" is none.
func differentField(a, b Fact) (field, got, want string) {
	was, other := fieldsOf(a), fieldsOf(b)
	for _, list := range [][]factField{was, other} { // what one lacks the other has
		for _, f := range list {
			got, want := valueOf(was, f.name), valueOf(other, f.name)
			if got != want {
				return f.name, got, want
			}
		}
	}
	return "", "", ""
}

type factField struct{ name, value string }

func valueOf(all []factField, name string) string {
	for _, f := range all {
		if f.name == name {
			return f.value
		}
	}
	return "nothing"
}

// fieldsOf lists a fact's public fields in their order.
func fieldsOf(f Fact) (all []factField) {
	var c codec
	c.begin()
	f.fields(&c)
	c.end()
	in := json.NewDecoder(bytes.NewReader(c.b))
	_, err := in.Token() // the brace
	for err == nil && in.More() {
		var value json.RawMessage
		var name json.Token
		if name, err = in.Token(); err == nil {
			err = in.Decode(&value)
			all = append(all, factField{fmt.Sprint(name), string(value)})
		}
	}
	return all
}
