package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// choices is a flag that takes one of a few names.
type choices interface{ choices() []string }

func (w *word[T, P]) choices() []string   { return wordsOf[T, P]() }
func (m several[T, P]) choices() []string { return wordsOf[T, P]() }

// wordsOf lists the names that a type takes, which it tells whoever gives it
// another.
func wordsOf[T any, P named[T]]() []string {
	_, err := parseName[T, P]("?")
	if err == nil {
		return nil
	}
	_, list, _ := strings.Cut(err.Error(), "must be one of ")
	return strings.Split(list, ", ")
}

// completeFlags lets a shell complete the values of flags that take names.
func completeFlags(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if c, ok := f.Value.(choices); ok {
			completeFlag(cmd, f.Name, c.choices()...)
		}
	})
}

// completeFlag offers these values for a flag.
func completeFlag(cmd *cobra.Command, flag string, values ...string) {
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic("netctl: " + err.Error())
	}
}

// first completes the first argument of a command and none behind it.
func first(offer func() []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return offer(), cobra.ShellCompDirectiveNoFileComp
	}
}

// contextNames lists the contexts, none if their file cannot be read.
func (a *app) contextNames() []string {
	all, err := a.contexts()
	if err != nil {
		return nil
	}
	return slices.Sorted(maps.Keys(all))
}

// keyNames lists the settings.
func keyNames() []string {
	var names []string
	for _, k := range settingKeys {
		names = append(names, k.key)
	}
	return names
}
