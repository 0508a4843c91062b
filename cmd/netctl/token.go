package main

import (
	"crypto/rand"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
)

func newToken() (netkit.Token, error) { return netkit.NewToken(rand.Reader) }

func tokenCommand(a *app) *cobra.Command {
	return noun("token", "Bearer tokens: issue, list and revoke them", tokenIssue(a), tokenLs(a), tokenRevoke(a), tokenNew(a))
}

func tokenIssue(a *app) *cobra.Command {
	var in netkit.IssueToken
	var scopes []string
	var file string
	return a.verb(verb{use: "issue", short: "Issue another token with less power or an end", changes: true,
		long: "Issue another token. Scopes: " + scopeNames() + ".",
		flags: func(f *pflag.FlagSet) {
			f.StringSliceVar(&scopes, "scope", []string{"*"}, "what it may be used for")
			f.StringVar(&in.For, "for", "", "another party that it is for (operators)")
			f.Var(moment{&in.ExpiresAt}, "expires", "when it ends: a time, or a span from now; default: never")
			f.Var(optionalCredit(&in.SpendCap), "spend-cap", "most credits that it may spend in its life, 0 for nothing; default: no cap")
			f.StringVar(&file, "token-file", "", "keep the token in this file instead of printing it")
		},
		run: func(c *call) (err error) {
			for _, s := range scopes {
				in.Scopes = append(in.Scopes, netkit.Scope(s))
			}
			if file != "" && !c.dry {
				hash, err := c.tokenHash(file)
				if err != nil {
					return err
				}
				in.TokenSHA256 = &hash
			}
			return c.show(c.net.IssueToken(c.ctx, in))
		}})
}

func scopeNames() string {
	var names []string
	for _, s := range netkit.Scopes() {
		names = append(names, string(s))
	}
	return strings.Join(names, ", ")
}

func tokenLs(a *app) *cobra.Command {
	return a.verb(verb{use: "ls", short: "List your tokens by their ids", empty: "no tokens: netctl agent token issue", run: func(c *call) error {
		tokens, err := c.net.Tokens(c.ctx)
		if err != nil {
			return err
		}
		return rowsOut(c, tokens,
			column[netkit.TokenInfo]{"ID", func(t netkit.TokenInfo) string { return fmt.Sprint(t.TokenID) }},
			column[netkit.TokenInfo]{"SCOPES", func(t netkit.TokenInfo) string { return strings.Trim(fmt.Sprint(t.Scopes), "[]") }},
			column[netkit.TokenInfo]{"EXPIRES", func(t netkit.TokenInfo) string { return moments(t.ExpiresAt) }},
			column[netkit.TokenInfo]{"SPENT", func(t netkit.TokenInfo) string { return t.Spent.String() }},
			column[netkit.TokenInfo]{"CAP", func(t netkit.TokenInfo) string { return orNone(t.SpendCap) }})
	}})
}

// moments shows a time, "never" for none.
func moments(m netkit.Millis) string {
	if m == 0 {
		return "never"
	}
	return second(m)
}

// orNone shows an amount, "none" where there is none.
func orNone(c *netkit.Credits) string {
	if c == nil {
		return "none"
	}
	return c.String()
}

func tokenRevoke(a *app) *cobra.Command {
	var in netkit.RevokeToken
	flags := func(f *pflag.FlagSet) {
		f.StringVar(&in.Reason, "reason", "", "why, for the journal; required of an operator for the token of another party")
	}
	return a.verb(verb{use: "revoke TOKEN", short: "End a token at once", args: exactly("TOKEN"), changes: true, flags: flags, run: func(c *call) (err error) {
		if in.TokenID, err = id(c.args[0]); err != nil {
			return err
		}
		if err := c.confirm("End token %d for good", in.TokenID); err != nil {
			return err
		}
		r, err := c.net.RevokeToken(c.ctx, in)
		if err == nil && r.Last {
			c.talk("this was the last token of %s, which cannot act any more; for an agent, an operator changes that with netctl agent recover", r.Owner)
		}
		return c.show(r, err)
	}})
}

// made is a token that was made here, by its hash.
type made struct {
	File   string      `json:"file"`
	SHA256 netkit.Hash `json:"token_sha256"`
}

func tokenNew(a *app) *cobra.Command {
	var file string
	return a.verb(verb{use: "new", short: "Make a token in a file and print its hash, for an operator to let you in again", offline: true, files: true,
		long: `Make a token, keep it in a file that only you can read, and print its hash. An
agent that has no valid token left gives the hash to an operator, who runs
netctl agent recover. A file that holds a token already is used as it is.`,
		needs: []string{"token-file"},
		flags: func(f *pflag.FlagSet) { f.StringVar(&file, "token-file", "", "file that keeps the token") },
		run: func(c *call) error {
			hash, err := c.tokenHash(file)
			return c.show(made{file, hash}, err)
		}})
}
