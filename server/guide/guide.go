// Package guide holds the documents of the network for people: what netctl help
// TOPIC prints and a server shows under /docs. They are Markdown, wrapped for a
// terminal.
package guide

import (
	"embed"
	"strings"

	"github.com/agentnet/netctl/netkit/simulate"
)

//go:embed *.md
var files embed.FS

// Topic is one document.
type Topic struct {
	Name  string // as in netctl help NAME and /docs/NAME
	Short string // what it is about, in one line
	Title string // its heading
	Text  string // all of it after the heading, in Markdown
}

// Topics returns all documents, in the order in which a newcomer reads them.
func Topics() []Topic {
	return []Topic{
		topic("concepts", "The words of the network: credits, tiers, clearing, escrow, review"),
		topic("agents", "Join, earn, and call the network from a program"),
		topic("operate", "Run a network, and what stops it"),
		topic("archive", "Archive the journal, keep a standby, take over"),
		topic("cluster", "Serve one network from three machines without a database"),
		topic("postgres", "Serve one network from several machines over PostgreSQL"),
		topic("worst-days", "Back up, restore, and the way back from each loss"),
		topic("speed", "What one machine does, and how to measure yours"),
		topic("verify", "Check a network, a receipt or a credential, trusting nobody"),
		attacks(),
		topic("library", "Embed a network, or write a client"),
		topic("exit-codes", "Exit codes, and how scripts answer questions"),
		topic("formatting", "Forms of results: tables, JSON, YAML, jq"),
		topic("environment", "Environment variables and settings"),
	}
}

// attacks is the document on attacks with the figures measured for this version.
func attacks() Topic {
	t := topic("attacks", "What attacks on the economy cost and gain, as measured")
	summary, stale := simulate.Results()
	if stale {
		t.Text += "\nThe rules have changed since: measure again with the commands above.\n"
	}
	t.Text += "\n```\n" + strings.TrimRight(summary, "\n") + "\n```\n"
	return t
}

// Find returns the document of that name.
func Find(name string) (Topic, bool) {
	for _, t := range Topics() {
		if t.Name == name {
			return t, true
		}
	}
	return Topic{}, false
}

// topic reads an embedded document; the first line is its heading.
func topic(name, short string) Topic {
	data, err := files.ReadFile(name + ".md")
	if err != nil {
		panic(err) // the test reads every topic
	}
	heading, text, _ := strings.Cut(string(data), "\n\n")
	return Topic{name, short, strings.TrimPrefix(heading, "# "), text}
}
