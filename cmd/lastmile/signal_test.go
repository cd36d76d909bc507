package main

import (
	"os"
	"syscall"
)

var terminate os.Signal = syscall.SIGTERM
