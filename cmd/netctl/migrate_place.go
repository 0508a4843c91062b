package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/postgres"
)

// movePlace is one side of a move: a folder, or an engine that open opens.
type movePlace struct {
	text string // as it was given
	dir  string // absolute; "" for an engine
	open func(context.Context) (journal.Engine, error)
}

// parsePlace reads the place that a flag gives: the address of an engine has a scheme,
// and every other text is a folder.
func (m *migration) parsePlace(flag, text string) (movePlace, error) {
	p := movePlace{text: text}
	if text == "" {
		return p, usage(fmt.Errorf("%s is a folder, or postgres://ROLE@HOST/DATABASE", flag))
	}
	if !strings.Contains(text, "://") {
		var err error
		p.dir, err = filepath.Abs(text)
		return p, err
	}
	if err := engineURL(text); err != nil {
		return p, usage(fmt.Errorf("%s %w", flag, err))
	}
	p.open = func(ctx context.Context) (journal.Engine, error) {
		return openDatabase(ctx, flag, postgres.Config{URL: text, AllowOwner: m.owner, AcceptLoss: m.acceptLoss})
	}
	return p, nil
}
