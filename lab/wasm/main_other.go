//go:build !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "lab/wasm is for browsers: build it with GOOS=js GOARCH=wasm, as lab/build does")
	os.Exit(2)
}
