package main

import (
	"io"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit/btdt"
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

// ownLicence is what the program itself may be used under.
const ownLicence = "netctl\nCopyright (c) 2026 the netctl authors. MIT licence.\n\n"

func versionCommand(a *app) *cobra.Command {
	licences := false
	return a.verb(verb{use: "version", short: "Print the version", offline: true,
		flags: func(f *pflag.FlagSet) {
			f.BoolVar(&licences, "licenses", false, "print the licences of the program and of the data in it")
		},
		run: func(c *call) error {
			if licences {
				_, err := io.WriteString(c.out, ownLicence+btdt.Notice())
				return err
			}
			return c.show(struct {
				Version string `json:"version"`
				Go      string `json:"go"`
				System  string `json:"system"`
			}{version(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}, nil)
		}})
}
