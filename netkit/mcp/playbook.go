package mcp

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/btdt"
	"github.com/agentnet/netctl/netkit/code"
)

// playbookGiven is a playbook as a model has it.
type playbookGiven struct {
	Playbook json.RawMessage `json:"playbook" doc:"the playbook as JSON, as netctl btdt schema describes it"`
}

// playbookChecked is what scrubbing made of it. It is the agent's own text, and
// so not marked as that of others.
type playbookChecked struct {
	Findings []playbookFinding `json:"findings"`
	Playbook string            `json:"playbook" doc:"without what was found, as JSON"`
}

// playbookFinding says where something was found, never what.
type playbookFinding struct {
	Path        string `json:"path"`
	Start       int    `json:"start"`
	End         int    `json:"end"`
	Type        string `json:"type"`
	Replacement string `json:"replacement"`
}

func checkPlaybook(_ context.Context, _ *call, in playbookGiven) (playbookChecked, error) {
	_, out, err := in.clean()
	return out, err
}

// playbookRegistered is the receipt with the file that it is about.
type playbookRegistered struct {
	netkit.PlaybookReceipt
	Playbook string `json:"playbook"`
	File     string `json:"file" doc:"of this machine, that holds the playbook"`
}

func registerPlaybook(ctx context.Context, c *call, given playbookGiven) (out playbookRegistered, err error) {
	book, checked, err := given.clean()
	if err != nil {
		return out, err
	}
	in := book.Metadata()
	if out.File, err = c.cfg.StorePlaybook(book); err != nil {
		return out, err
	}
	if _, err := netkit.CommitContent(ctx, c, in.ContentSHA256); err != nil {
		return out, err
	}
	out.Playbook = checked.Playbook
	out.PlaybookReceipt, err = c.RegisterPlaybook(ctx, in)
	return out, err
}

// clean checks a playbook and strips it. It fails closed: where a second look
// still finds something, nothing comes of it.
func (in *playbookGiven) clean() (btdt.Playbook, playbookChecked, error) {
	out := playbookChecked{Findings: []playbookFinding{}}
	done, err := btdt.ScrubFile(in.Playbook)
	if err == nil {
		err = done.Playbook.Validate()
	}
	if err == nil && len(btdt.Check(done.Playbook)) > 0 {
		err = errors.New("what was stripped still identifies someone")
	}
	if err != nil {
		return btdt.Playbook{}, out, refuse(netkit.Refusal{Kind: netkit.ErrInvalid, Code: code.PlaybookWrong, Field: "playbook", What: "is no valid playbook: " + err.Error(),
			Next: "correct it and call the tool again"})
	}
	for _, f := range done.Findings {
		out.Findings = append(out.Findings, playbookFinding{f.Path, f.Start, f.End, f.Type, f.Replacement})
	}
	b, err := json.Marshal(done.Playbook)
	out.Playbook = string(b)
	return done.Playbook, out, err
}
