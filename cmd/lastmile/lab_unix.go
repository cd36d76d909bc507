//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// apart gives a command a process group of its own, so that a Ctrl-C at the
// terminal is not for it. When its context ends, so does all of the group.
func apart(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if c.Cancel != nil {
		c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	}
}
