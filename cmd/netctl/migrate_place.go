package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/agentnet/netctl/netkit/cluster"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/postgres"
)

// movePlace is one side of a move: a folder, or an engine that open opens.
type movePlace struct {
	text  string // as it was given
	dir   string // absolute; "" for an engine
	noun  string // of the engine, for people
	files string // folder of a node with the keys and files of the network, "" without one
	first string // host and port of the first node of a cluster, which begins; "" elsewhere
	open  func(context.Context) (journal.Engine, error)
}

// clusterScheme begins the address of a cluster that is to begin.
const clusterScheme = "cluster://"

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
	if first, ok := strings.CutPrefix(text, clusterScheme); ok {
		if err := cluster.CheckAddress(first); err != nil {
			return p, usage(fmt.Errorf("%s: %w", flag, err))
		}
		p.first = first
		return p, nil
	}
	if err := engineURL(text); err != nil {
		return p, usage(fmt.Errorf("%s %w", flag, err))
	}
	p.noun = "database"
	p.open = func(ctx context.Context) (journal.Engine, error) {
		return openDatabase(ctx, flag, postgres.Config{URL: text, AllowOwner: m.owner, AcceptLoss: m.acceptLoss})
	}
	return p, nil
}

// parseSides reads both places; one is a folder that opens by itself before or after.
func (c *call) parseSides(m *migration) (from, to movePlace, err error) {
	if from, err = m.parsePlace("--from", m.from); err != nil {
		return from, to, err
	}
	if to, err = m.parsePlace("--to", m.to); err != nil {
		return from, to, err
	}
	if from.dir != "" && cluster.IsNode(from.dir) && to.first == "" {
		from = c.memberPlace(from)
	}
	switch {
	case from.first != "":
		err = fmt.Errorf("--from names a cluster by the folder of a node on this machine, and not by %s", from.text)
	case to.dir != "" && cluster.IsNode(to.dir):
		err = fmt.Errorf("%s is the folder of a node of a cluster; move into another folder", to.dir)
	case (from.dir == "") == (to.dir == ""):
		err = errors.New("one of --from and --to is a folder, and the other a database or a cluster; between two of those a network moves through a folder")
	case m.files != "" && from.dir != "":
		err = errors.New("--files belongs to a move from a database or a cluster; a folder keeps its files")
	}
	if err != nil {
		return from, to, usage(err)
	}
	return from, to, nil
}

// describe returns a folder as the servers that are refused name it.
func (p *movePlace) describe() (string, error) {
	name, err := os.Hostname()
	return fmt.Sprintf("the folder %s on %s", p.dir, name), err
}
