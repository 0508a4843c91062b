package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// RecordRestore records that the journal was restored from a backup. Only an
// operator may. It is no operation of the service: the program that restores a
// folder calls it, before anyone else is served.
func (ses *Session) RecordRestore(ctx context.Context, in netkit.RecordRestore) (netkit.RestoreReceipt, error) {
	return run(ctx, ses, &rules.RecordRestore{RecordRestore: in}, nil)
}
