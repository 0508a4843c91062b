package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/viper"

	"github.com/agentnet/netctl/netkit/timespan"
)

// span returns a setting that is a span of time; configure has checked it.
func (s *settings) span(key string) time.Duration {
	d, err := timespan.Parse(s.v.GetString(key), 0)
	if err != nil {
		panic("netctl: " + key + " " + err.Error())
	}
	return d
}

// settings is the configuration of one run.
type settings struct {
	v    *viper.Viper
	env  func(string) (string, bool)
	file string
	cmd  *cobra.Command
}

func (s *settings) quiet() bool { return s.v.GetBool("quiet") }

// configure reads the configuration for a command.
func (a *app) configure(cmd *cobra.Command) error {
	dir, err := a.configDir()
	if err != nil {
		return err
	}
	a.set = &settings{v: viper.New(), env: a.env, file: filepath.Join(dir, "config.yaml"), cmd: cmd}
	return a.set.read()
}

// read reads the values of all settings and checks them.
func (s *settings) read() error {
	if err := readFile(s.v, s.file); err != nil {
		return usage(err)
	}
	for _, k := range settingKeys {
		s.v.SetDefault(k.key, k.fallback)
		if value, ok := s.env(k.env()); ok {
			s.v.Set(k.key, value)
		}
		if f := s.cmd.Flags().Lookup(k.flag()); f != nil && f.Changed && k.applies(s.cmd) {
			s.v.Set(k.key, f.Value.String())
		}
		if err := s.check(&k); err != nil {
			return err
		}
	}
	return nil
}

// check refuses a value that its setting cannot have, and names its source.
func (s *settings) check(k *setting) error {
	if k.check == nil {
		return nil
	}
	if err := k.check(s.v.GetString(k.key)); err != nil {
		return usage(fmt.Errorf("%s, from %s, %w", k.key, s.source(k), err))
	}
	return nil
}

// source names the one of the four places that a value comes from.
func (s *settings) source(k *setting) string {
	if f := s.cmd.Flags().Lookup(k.flag()); f != nil && f.Changed && k.applies(s.cmd) {
		return "the flag --" + f.Name
	}
	if _, ok := s.env(k.env()); ok {
		return "the environment variable " + k.env()
	}
	if s.v.InConfig(k.key) {
		return "the file " + s.file
	}
	return "the default"
}

// readFile reads a YAML file; one that is not there is empty.
func readFile(v *viper.Viper, path string) error {
	v.SetConfigFile(path)
	v.SetConfigType("yaml")
	err := v.ReadInConfig()
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return fmt.Errorf("%s cannot be read: %w; correct or remove it", path, err)
}
