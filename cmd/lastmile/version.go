package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is that of the changelog.
const version = "0.1.0"

type versionCommand struct{}

func (*versionCommand) Run(t *terminal) error {
	revision := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				revision = " " + s.Value[:min(12, len(s.Value))]
			}
		}
	}
	_, err := fmt.Fprintf(t.out, "lastmile %s%s %s %s/%s\n", version, revision, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
