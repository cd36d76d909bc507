package study

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

// Machine is where a study ran.
type Machine struct {
	CPU     string `json:"cpu"` // "" when the system does not tell
	OS      string `json:"os"`
	Arch    string `json:"arch"`
	Level   string `json:"level"` // of the instruction set, as GOAMD64 names it
	Cores   int    `json:"cores"`
	Go      string `json:"go"`
	Load    string `json:"load"`     // running programs at the start, averaged over a minute; "" when unknown
	Commit  string `json:"commit"`   // of the source, "" when unknown
	Changed bool   `json:"modified"` // the source differs from the commit
}

func thisMachine() Machine {
	m := Machine{CPU: cpuModel(), OS: runtime.GOOS, Arch: runtime.GOARCH, Cores: runtime.NumCPU(), Go: runtime.Version(), Load: load()}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "GOAMD64", "GOARM64":
				m.Level = s.Value
			case "vcs.revision":
				m.Commit = s.Value[:min(12, len(s.Value))]
			case "vcs.modified":
				m.Changed = s.Value == "true"
			}
		}
	}
	return m
}

// String is the machine in one line.
func (m Machine) String() string {
	cpu := m.CPU
	if cpu == "" {
		cpu = "processor not known"
	}
	level := m.Arch
	if m.Level != "" {
		level += " " + m.Level
	}
	text := fmt.Sprintf("%s, %s, %s/%s, %s", cpu, counted(m.Cores, "core"), m.OS, level, m.Go)
	if m.Load != "" {
		text += ", load " + m.Load + " at the start"
	}
	return text
}

// cpuModel reads the name of the processor where Linux tells it.
func cpuModel() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		key, value, _ := strings.Cut(lines.Text(), ":")
		switch strings.TrimSpace(key) {
		case "model name", "Model", "cpu model":
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// load tells how busy the machine was, which every timing depends on.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}
