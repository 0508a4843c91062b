package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// configDir returns the folder of the configuration and the contexts.
func (a *app) configDir() (string, error) {
	if dir, ok := a.env("XDG_CONFIG_HOME"); ok && filepath.IsAbs(dir) {
		return filepath.Join(dir, "netctl"), nil
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("there is no place for the configuration: %w; set XDG_CONFIG_HOME", err)
	}
	return filepath.Join(dir, "netctl"), nil
}

// dataDir returns the folder of the local network unless a setting names another.
// It does not depend on the working folder, so that a command reaches the same
// network from each.
func (a *app) dataDir() (string, error) {
	if dir, ok := a.env("XDG_DATA_HOME"); ok && filepath.IsAbs(dir) {
		return filepath.Join(dir, "netctl"), nil
	}
	home, err := os.UserHomeDir()
	switch {
	case err != nil:
		return "", fmt.Errorf("there is no place for the data: %w; give --data DIR", err)
	case runtime.GOOS == "windows" || runtime.GOOS == "darwin":
		dir, err := a.configDir()
		return filepath.Join(dir, "data"), err
	}
	return filepath.Join(home, ".local", "share", "netctl"), nil
}
