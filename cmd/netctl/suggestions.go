package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// group runs a command without a verb: it shows its verbs, and refuses
// a verb that it does not have.
func group(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	near := similarVerbs(cmd, args[0])
	hint := "see " + cmd.CommandPath() + " --help"
	word := strings.TrimPrefix(cmd.CommandPath()+" "+args[0], "netctl ")
	switch answer, known := otherAnswers[word]; {
	case known:
		hint = answer
	case len(near) > 0:
		hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return usage(fmt.Errorf("unknown command %q for %q; %s", args[0], cmd.CommandPath(), hint))
}

// flagError refuses a verb that a group does not have before the flags behind it.
func flagError(cmd *cobra.Command, err error) error {
	if args := cmd.Flags().Args(); cmd.HasSubCommands() && len(args) > 0 {
		return group(cmd, args)
	}
	return nearFlag(cmd, err)
}

// nearFlag adds to the refusal of an unknown flag those that begin like it or are
// spelled like it.
func nearFlag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || unknown.GetSpecifiedShortnames() != "" {
		return err
	}
	var near cobra.Command
	near.SuggestionsMinimumDistance = 2
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			near.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
		}
	})
	names := near.SuggestionsFor(unknown.GetSpecifiedName())
	if len(names) == 0 {
		return err
	}
	return fmt.Errorf("%w; did you mean --%s?", err, strings.Join(names, " or --"))
}

// synonyms are verbs that other programs have, with the verbs that may replace
// them here.
var synonyms = map[string][]string{
	"list": listing, "ls": listing, "file": {"report", "register"}, "context": {"ctx"}, "contexts": {"ctx"}, "settings": {"config"}, "get": showing, "view": showing, "describe": showing, "info": showing, "cat": showing, "read": showing, "show": showing,
	"create": {"new", "new-key", "open", "spawn", "add", "admit", "issue", "publish", "register", "send", "report", "execute"},
	"add":    {"admit", "open", "register", "spawn"}, "new": {"open", "spawn", "add"},
	"delete": {"rm", "close", "revoke", "erase-private", "decline"}, "remove": {"rm", "revoke"}, "rm": {"revoke", "close"}, "cancel": {"close", "decline"},
	"reply": {"respond"}, "answer": {"respond"}, "reject": {"decline"}, "update": {"set", "claims"}, "edit": {"set", "claims"}, "switch": {"use"},
}

// listing are the verbs that list things.
var listing = []string{"ls", "inbox", "sent", "queue", "status"}

// otherAnswers answers words that no command of a group stands for, by the path of
// the command line.
var otherAnswers = map[string]string{
	"operator ls": operatorsAre, "operator list": operatorsAre, "operator show": operatorsAre,
	"show": nounFirst, "describe": nounFirst, "get": nounFirst, "view": nounFirst, "ls": nounFirst, "list": nounFirst,
}

const (
	operatorsAre = "netctl ledger ls --kind operator.added lists the operators that were added, netctl ledger show 0 the first one"
	nounFirst    = "name the kind of thing first, as in netctl agent show AGENT, netctl market ls or netctl ledger show ENTRY"
)

// showing are the verbs that show one thing, or the list that it is in.
var showing = []string{"show", "statement", "status", "explain", "spend", "ls"}

// similarVerbs returns the verbs that a word may have been meant for: those that say the
// same, or else those that are spelled like it.
func similarVerbs(cmd *cobra.Command, word string) (near []string) {
	for _, s := range synonyms[strings.ToLower(word)] {
		if verb, _, err := cmd.Find([]string{s}); err == nil && verb != cmd {
			near = append(near, s)
		}
	}
	if len(near) > 0 {
		return near[:min(len(near), 3)]
	}
	return cmd.SuggestionsFor(word)
}
