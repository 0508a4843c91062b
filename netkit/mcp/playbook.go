package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/btdt"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/plural"
)

// playbookGiven is a playbook as a model has it, with what it decided.
type playbookGiven struct {
	Playbook json.RawMessage `json:"playbook"`
	Keep     []string        `json:"keep,omitempty"`
	Mark     []string        `json:"mark,omitempty" doc:"TEXT or TEXT=TYPE"`
	Read     []string        `json:"read,omitempty"`
}

// playbookToRegister is a playbook whose questions are answered or left.
type playbookToRegister struct {
	playbookGiven
	MaskUnsure bool `json:"mask_unsure,omitempty"`
}

// playbookChecked is what scrubbing made of it. It is the agent's own text, and
// so not marked as that of others.
type playbookChecked struct {
	Findings  []string `json:"findings" doc:"path start end TYPE"`
	Questions []string `json:"questions" doc:"TEXT | confidence | context"`
	Playbook  string   `json:"playbook"`
}

func checkPlaybook(ctx context.Context, c *call, in playbookGiven) (playbookChecked, error) {
	_, out, err := in.clean(ctx, in.scrubber(c.cfg.Detectors))
	return out, err
}

// playbookRegistered is the receipt with the file that it is about.
type playbookRegistered struct {
	netkit.PlaybookReceipt
	File string `json:"file"`
}

func registerPlaybook(ctx context.Context, c *call, given playbookToRegister) (out playbookRegistered, err error) {
	scrubber := given.scrubber(c.cfg.Detectors)
	done, checked, err := given.clean(ctx, scrubber)
	if err != nil {
		return out, err
	}
	if open := len(checked.Questions) - len(done.Unread); open > 0 && !given.MaskUnsure {
		return out, refusePlaybook("leaves "+plural.Count(open, "question", "questions")+" open", "check_playbook lists them: answer with keep and mark, or pass mask_unsure")
	}
	if len(done.Unread) > 0 {
		return out, refusePlaybook("holds "+done.Unread[0].Language+", in which names were not looked for", "read every word there, then pass the language in read")
	}
	in := done.Metadata()
	if refused := btdt.RefusedFindings(in); len(refused) > 0 {
		return out, refusedByRegistry(refused)
	}
	if out.File, err = c.cfg.StorePlaybook(done.Playbook, scrubber); err != nil {
		return out, err
	}
	if _, err := netkit.CommitContent(ctx, c, in.ContentSHA256); err != nil {
		return out, err
	}
	out.PlaybookReceipt, err = c.RegisterPlaybook(ctx, in)
	return out, err
}

// refusedByRegistry names every place that the registry refuses although the model
// keeps it, and how each field reads without these parts.
func refusedByRegistry(all []btdt.Refused) error {
	var places, reworded []string
	for _, x := range all {
		places = append(places, fmt.Sprintf("%s %d %d %s", x.Path, x.Start, x.End, x.Type))
		if text := fmt.Sprintf("%s as %q", x.Path, x.Reworded); !slices.Contains(reworded, text) {
			reworded = append(reworded, text)
		}
	}
	return refusePlaybook("holds texts that the registry refuses even if you keep them: "+strings.Join(places, ", "), "reword these fields, for instance "+strings.Join(reworded, ", "))
}

func refusePlaybook(what, next string) error {
	return refuse(netkit.Refusal{Kind: netkit.ErrInvalid, Code: code.PlaybookWrong, Field: "playbook", What: what, Next: next})
}

// scrubber applies what the model decided.
func (in *playbookGiven) scrubber(detectors []btdt.Detector) *btdt.Scrubber {
	s := &btdt.Scrubber{Detectors: detectors, Keep: in.Keep, Read: in.Read}
	for _, text := range in.Mark {
		s.Mark = append(s.Mark, btdt.ParseMark(text))
	}
	return s
}

// held refuses decisions on texts that the playbook does not hold: a mark would mask
// nothing, and its author would believe the text gone.
func (in *playbookGiven) held(raw *btdt.Playbook, scrubber *btdt.Scrubber) error {
	for i, text := range in.Keep {
		if !raw.Holds(text) {
			return refusePlaybook(fmt.Sprintf("does not hold the text of keep[%d]", i), "copy the text from the playbook")
		}
	}
	for i, m := range scrubber.Mark {
		if !raw.Holds(m.Text) {
			return refusePlaybook(fmt.Sprintf("does not hold the text of mark[%d]", i), "copy the text from the playbook; a type after = is one of "+strings.Join(btdt.Types(), ", "))
		}
	}
	return nil
}

// clean checks a playbook and strips it as the model decided. It fails closed: where
// a second look, without detectors, still finds something, nothing comes of it.
func (in *playbookGiven) clean(ctx context.Context, scrubber *btdt.Scrubber) (btdt.Result, playbookChecked, error) {
	out := playbookChecked{Findings: []string{}, Questions: []string{}}
	raw, err := btdt.Decode(in.Playbook)
	if err != nil {
		return btdt.Result{}, out, refusePlaybook("is no valid playbook: "+err.Error(), "correct it and call the tool again")
	}
	if err := in.held(&raw, scrubber); err != nil {
		return btdt.Result{}, out, err
	}
	done, err := scrubber.Scrub(ctx, raw)
	if err != nil {
		return done, out, refusePlaybook("could not be checked: "+err.Error(), "ask your user to start the detector, or to run netctl mcp --without-detector")
	}
	if err = done.Playbook.Validate(); err == nil {
		again, _ := (&btdt.Scrubber{Keep: scrubber.Keep, Mark: scrubber.Mark, Read: scrubber.Read}).Scrub(ctx, done.Playbook) // only a detector fails
		if len(again.Findings) > 0 {
			err = errors.New("what was stripped still identifies someone")
		}
	}
	if err != nil {
		return done, out, refusePlaybook("is no valid playbook: "+err.Error(), "correct it and call the tool again")
	}
	for _, f := range done.Findings {
		out.Findings = append(out.Findings, fmt.Sprintf("%s %d %d %s", f.Path, f.Start, f.End, f.Type))
	}
	for _, q := range done.Questions(raw) {
		out.Questions = append(out.Questions, fmt.Sprintf("%s | %.2f | %s", q.Text, q.Places[0].Score, q.Context(raw)))
	}
	for _, u := range done.Unread {
		out.Questions = append(out.Questions, u.Language+" | unread | names were not looked for in "+strings.Join(u.Paths, ", "))
	}
	b, err := json.Marshal(done.Playbook)
	out.Playbook = string(b)
	return done, out, err
}
