package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// RecordRestore is the command of a restore from a backup.
type RecordRestore struct{ netkit.RecordRestore }

func (*RecordRestore) Route() string { return "restore" }

func (c *RecordRestore) Decide(s *State, call *Call) error {
	if err := call.operator(s); err != nil {
		return err
	}
	call.Add(&JournalRestored{Lost: c.Lost})
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (*RecordRestore) Receipt(e *Entry) netkit.RestoreReceipt {
	f := e.Fact.(*JournalRestored)
	return netkit.RestoreReceipt{Lost: f.Lost, Restored: f.Tree, Seq: e.Seq, At: e.At}
}

// JournalRestored records that the entries from here on continue a backup. Those
// that the journal before the loss had beyond Tree are in no copy of this one:
// followers and witnesses that have seen them find a fork, and this entry explains
// it.
type JournalRestored struct {
	Lost netkit.TreeHead // newest tree known of the journal before the loss
	Tree netkit.TreeHead // of the entries before this one
}

func (*JournalRestored) Kind() netkit.Kind { return netkit.KindJournalRestored }

func (f *JournalRestored) CommandOf(*PastView) (Command, error) {
	return &RecordRestore{netkit.RecordRestore{Lost: f.Lost}}, nil
}

func (f *JournalRestored) Fields(c *wire.Codec) {
	wire.Num(c, "lost_size", &f.Lost.Size)
	c.Hash("lost_root", (*[32]byte)(&f.Lost.Root))
	treeHeadFields(&f.Tree, c)
}

// Cite implements [Citing].
func (f *JournalRestored) Cite(_ *State, _ *Entry, before, _ netkit.TreeHead) { f.Tree = before }

func (f *JournalRestored) cited() netkit.TreeHead { return f.Tree }

// Apply changes nothing: no rule depends on a restore.
func (*JournalRestored) Apply(*State, *Entry) {}
