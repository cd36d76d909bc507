// Command build makes the files of the lab: it bundles the TypeScript of lab/web
// and compiles the engine to WebAssembly. It needs Go and nothing else.
//
//	go run ./lab/build [-o DIR]
//
// The default, lab/dist, is what package lab embeds.
package main

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	out := flag.String("o", "", "directory to write to (default: lab/dist of the module)")
	quiet := flag.Bool("q", false, "do not list the files")
	flag.Parse()
	if flag.NArg() > 0 {
		fail(fmt.Errorf("unexpected argument %s", flag.Arg(0)))
	}
	root, err := goTool("list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		fail(err)
	}
	b := builder{lab: filepath.Join(root, "lab"), out: *out}
	if b.out == "" {
		b.out = filepath.Join(b.lab, "dist")
	}
	if err := os.MkdirAll(b.out, 0o755); err != nil {
		fail(err)
	}
	for _, make := range []func() error{b.engine, b.scripts, b.copies} {
		if err := make(); err != nil {
			fail(err)
		}
	}
	if !*quiet {
		for _, f := range b.files {
			fmt.Printf("%9d bytes, %8d compressed  %s\n", f.size, f.compressed, f.name)
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "lab/build:", err)
	os.Exit(1)
}

// goTool runs the go command and returns its first line.
func goTool(args ...string) (string, error) {
	out, err := exec.Command("go", args...).Output()
	if exit, ok := err.(*exec.ExitError); ok {
		return "", fmt.Errorf("go %s: %s", strings.Join(args, " "), bytes.TrimSpace(exit.Stderr))
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return line, err
}

type builder struct {
	lab, out string
	files    []file
}

type file struct {
	name             string
	size, compressed int
}

// write writes a file by its name, whole or not at all.
func (b *builder) write(name string, data []byte) error {
	small, err := compress(data)
	if err != nil {
		return err
	}
	b.files = append(b.files, file{name, len(data), len(small)})
	if name == "engine.wasm.gz" {
		b.files[len(b.files)-1].compressed = len(data)
	}
	path := filepath.Join(b.out, name)
	if err := os.WriteFile(path+".tmp", data, 0o644); err != nil {
		return err
	}
	return os.Rename(path+".tmp", path)
}

func compress(data []byte) ([]byte, error) {
	var buffer bytes.Buffer
	w, err := gzip.NewWriterLevel(&buffer, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err = w.Close()
	return buffer.Bytes(), err
}

// engine compiles the engine. It is kept compressed, as plain file servers do
// not compress; the page expands it.
func (b *builder) engine() error {
	folder, err := os.MkdirTemp("", "lastmile-lab-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "engine.wasm")
	c := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", path, "lastmile/lab/wasm")
	c.Dir = b.lab
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("compiling the engine: %w\n%s", err, out)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if data, err = compress(data); err != nil {
		return err
	}
	return b.write("engine.wasm.gz", data)
}

// scripts bundles the page and its worker, with what the Go version at hand
// gives to run its WebAssembly.
func (b *builder) scripts() error {
	goroot, err := goTool("env", "GOROOT")
	if err != nil {
		return err
	}
	r := api.Build(api.BuildOptions{
		EntryPoints:       []string{"main.ts", "worker.ts", "style.css"},
		AbsWorkingDir:     filepath.Join(b.lab, "web"),
		Alias:             map[string]string{"wasm_exec": filepath.Join(goroot, "lib", "wasm", "wasm_exec.js")},
		Outdir:            b.out,
		Bundle:            true,
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		Format:            api.FormatESModule,
		Target:            api.ES2022,
		Charset:           api.CharsetUTF8,
		LegalComments:     api.LegalCommentsEndOfFile,
		LogLevel:          api.LogLevelWarning,
	})
	if len(r.Errors) > 0 {
		return fmt.Errorf("%d errors in lab/web", len(r.Errors))
	}
	for _, f := range r.OutputFiles {
		if err := b.write(filepath.Base(f.Path), f.Contents); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) copies() error {
	for _, name := range []string{"index.html", "icon.svg"} {
		data, err := os.ReadFile(filepath.Join(b.lab, "web", name))
		if err != nil {
			return err
		}
		if err := b.write(name, data); err != nil {
			return err
		}
	}
	return nil
}
