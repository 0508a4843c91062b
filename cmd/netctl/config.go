package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/viper"
	yaml "go.yaml.in/yaml/v3"

	"github.com/agentnet/netctl/netkit/private"
)

func configCommand(a *app) *cobra.Command {
	return noun("config", "Read and change settings", configLs(a), configGet(a), configSet(a), configExplain(a))
}

// settingValue is a setting as it is listed.
type settingValue struct {
	Key    string `json:"key"`
	Value  any    `json:"value"`
	Source string `json:"source"`
	About  string `json:"about"`
}

func (a *app) value(k *setting) settingValue {
	v := settingValue{Key: k.key, Value: a.set.v.GetString(k.key), Source: a.set.source(k), About: k.about}
	switch k.fallback.(type) {
	case bool:
		v.Value = a.set.v.GetBool(k.key)
	case int:
		v.Value = a.set.v.GetInt(k.key)
	}
	if k.secret && v.Value != "" {
		v.Value = "(hidden)"
	}
	return v
}

func configLs(a *app) *cobra.Command {
	return a.verb(verb{use: "ls", short: "List all settings", offline: true, run: func(c *call) error {
		var rows []settingValue
		for i := range settingKeys {
			rows = append(rows, a.value(&settingKeys[i]))
		}
		return rowsOut(c, rows,
			column[settingValue]{"KEY", func(v settingValue) string { return v.Key }},
			column[settingValue]{"VALUE", func(v settingValue) string { return fmt.Sprint(v.Value) }},
			column[settingValue]{"FROM", func(v settingValue) string { return v.Source }},
			column[settingValue]{"ABOUT", func(v settingValue) string { return v.About }})
	}})
}

func configGet(a *app) *cobra.Command {
	return a.verb(verb{use: "get KEY", short: "Print one setting", args: exactly("KEY"), offline: true, offer: keyNames, run: func(c *call) error {
		k, err := settingOf(c.args[0])
		if err != nil {
			return err
		}
		return c.show(a.value(k).Value, nil)
	}})
}

func configExplain(a *app) *cobra.Command {
	return a.verb(verb{use: "explain KEY", short: "Say where a setting's value comes from", args: exactly("KEY"), offline: true, offer: keyNames,
		long: `Say where a setting's value comes from: a flag wins over the environment, that
over the file, that over the default. "reloads" reports whether a running server
takes a change at SIGHUP (systemctl reload); others need a restart.`,
		run: func(c *call) error {
			k, err := settingOf(c.args[0])
			if err != nil {
				return err
			}
			v := a.value(k)
			return c.show(struct {
				settingValue
				Flag        string `json:"flag"`
				Environment string `json:"environment"`
				File        string `json:"file"`
				Default     any    `json:"default"`
				Reloads     bool   `json:"reloads"`
			}{v, k.flagName(a.set.cmd.Root()), k.env(), a.set.file, k.fallback, k.live}, nil)
		}})
}

// flagName is the flag of a setting as it is typed, "none" for one without.
func (k *setting) flagName(root *cobra.Command) string {
	group, _, _ := strings.Cut(k.key, ".")
	if cmd, _, err := root.Find([]string{group}); err == nil && cmd.Flag(k.flag()) != nil {
		return "--" + k.flag()
	}
	return "none"
}

func configSet(a *app) *cobra.Command {
	return a.verb(verb{use: "set KEY VALUE", short: "Keep a setting in the file", args: exactly("KEY", "VALUE"), offline: true, offer: keyNames, run: func(c *call) error {
		k, err := settingOf(c.args[0])
		if err != nil {
			return err
		}
		if k.secret {
			return usage(fmt.Errorf("%s is not kept in the file of settings; netctl login keeps a token with its context", k.key))
		}
		if k.check != nil {
			if err := k.check(c.args[1]); err != nil {
				return usage(fmt.Errorf("%s %w", k.key, err))
			}
		}
		return a.keep(k.key, c.args[1])
	}})
}

// keep writes one setting to the file and leaves the others as they are.
func (a *app) keep(key, value string) error {
	v := viper.New()
	if err := readFile(v, a.set.file); err != nil {
		return err
	}
	v.Set(key, value)
	b, err := yaml.Marshal(v.AllSettings())
	if err != nil {
		return err
	}
	if err := private.WriteFile(a.set.file, b); err != nil {
		return err
	}
	a.talk("%s is now %s, in %s", key, value, a.set.file)
	return nil
}

// unknownSettings lists what the file sets that no setting is called.
func (s *settings) unknownSettings() ([]string, error) {
	v := viper.New()
	if err := readFile(v, s.file); err != nil {
		return nil, err
	}
	var unknown []string
	for _, key := range v.AllKeys() {
		if _, err := settingOf(key); err != nil {
			unknown = append(unknown, key)
		}
	}
	return unknown, nil
}

// tooOpen reports whether others than the owner may read a file. On Windows the
// mode does not say.
func tooOpen(path string) bool {
	st, err := os.Stat(path)
	return err == nil && runtime.GOOS != "windows" && st.Mode().IsRegular() && st.Mode().Perm()&0o077 != 0
}

// warnIfOpen warns that others may read a file that holds a token.
func (a *app) warnIfOpen(path string) {
	if tooOpen(path) {
		fmt.Fprintf(a.err, "warning: others may read %s, which holds a token: chmod 600 %s\n", path, path)
	}
}
