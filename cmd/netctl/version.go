package main

import (
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/spf13/cobra"
)

// version names the build: its version where it has one, else its revision.
var version = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return "devel-" + s.Value[:min(12, len(s.Value))]
		}
	}
	return "devel"
})

func versionCommand(a *app) *cobra.Command {
	return a.verb(verb{use: "version", short: "Print the version", offline: true, run: func(c *call) error {
		return c.show(struct {
			Version string `json:"version"`
			Go      string `json:"go"`
			System  string `json:"system"`
		}{version(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}, nil)
	}})
}
