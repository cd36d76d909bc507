package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"lastmile/lab"
)

type labCommand struct {
	Listen string `default:"127.0.0.1:8750" placeholder:"HOST:PORT" help:"Where to listen; port 0 takes a free one. Beyond this machine visitors need the token. Default: 127.0.0.1:8750."`
	Token  string `placeholder:"TOKEN" env:"LASTMILE_LAB_TOKEN" help:"What the link must hold, 16 characters or more. Beyond this machine one is made when none is given."`
	NoOpen bool   `help:"Do not open a browser."`
	Export string `placeholder:"DIR" help:"Write the lab as static files that any web host can serve, and end."`
	Quiet  bool   `short:"q" help:"Print the link alone."`
}

func (c *labCommand) Run(t *terminal) error {
	if c.Token != "" && len(c.Token) < lab.MinToken {
		return badf("--token of %d characters, want %d or more", len(c.Token), lab.MinToken)
	}
	host, _, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return badf("--listen %s: want HOST:PORT, such as 127.0.0.1:8750", c.Listen)
	}
	files, remove, err := c.files(t)
	if err != nil {
		return err
	}
	defer remove()
	if c.Export != "" {
		if err := lab.Export(files, c.Export); err != nil {
			return badf("--export: %w", err)
		}
		if !c.Quiet {
			fmt.Fprintf(t.err, "the lab is in %s; serve it from there, such as by python3 -m http.server\n", c.Export)
		}
		return nil
	}
	return c.serve(t, files, host)
}

// files are those that the program carries, or else, where the source and the go
// command are at hand, those that are made now.
func (c *labCommand) files(t *terminal) (files fs.FS, remove func(), err error) {
	remove = func() {}
	if files, err = lab.Embedded(); err == nil {
		return files, remove, nil
	}
	module, err := exec.Command("go", "list", "-m").Output()
	if err != nil || strings.TrimSpace(string(module)) != "lastmile" {
		return nil, remove, bad{lab.ErrNotBuilt}
	}
	dir, err := os.MkdirTemp("", "lastmile-lab-")
	if err != nil {
		return nil, remove, err
	}
	remove = func() { os.RemoveAll(dir) }
	if !c.Quiet {
		fmt.Fprintln(t.err, "making the files of the lab, as they are not in this program (make build puts them there)")
	}
	if out, err := exec.Command("go", "run", "lastmile/lab/build", "-q", "-o", dir).CombinedOutput(); err != nil {
		remove()
		return nil, func() {}, fmt.Errorf("making the files of the lab: %w: %s", err, strings.TrimSpace(string(out)))
	}
	files = os.DirFS(dir)
	if err := lab.Complete(files); err != nil {
		remove()
		return nil, func() {}, err
	}
	return files, remove, nil
}

func (c *labCommand) serve(t *terminal, files fs.FS, host string) error {
	l, err := net.Listen("tcp", c.Listen)
	if err != nil {
		var inner *net.OpError
		if errors.As(err, &inner) {
			err = inner.Err
		}
		return badf("--listen %s: %w; want an address of this machine and a free port, such as 127.0.0.1:0", c.Listen, err)
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return err
	}
	o := lab.Options{Token: c.Token}
	shown := cmp.Or(host, "localhost")
	switch ip := net.ParseIP(host); {
	case host == "localhost" || ip != nil && ip.IsLoopback():
		for _, name := range []string{"localhost", "127.0.0.1", "::1", host} {
			o.Hosts = append(o.Hosts, net.JoinHostPort(name, port))
			if port == "80" {
				o.Hosts = append(o.Hosts, name)
			}
		}
	case o.Token == "":
		o.Token = lab.NewToken()
	}
	if ip := net.ParseIP(shown); ip != nil && ip.IsUnspecified() {
		shown = "localhost"
	}
	link := "http://" + net.JoinHostPort(shown, port) + "/"
	if o.Token != "" {
		link += "?token=" + o.Token
	}
	h, err := lab.Handler(files, o)
	if err != nil {
		return err
	}
	ctx, stop := t.listen()
	defer stop()
	if _, err := fmt.Fprintln(t.out, link); err != nil {
		return err
	}
	if !c.Quiet {
		fmt.Fprintln(t.err, "the lab is open; Ctrl-C closes it")
	}
	if !c.NoOpen {
		browse(link)
	}
	return lab.Serve(ctx, l, h)
}

// browse opens a link in the browser of the desktop, where there is one.
func browse(link string) {
	command := []string{"xdg-open", link}
	switch runtime.GOOS {
	case "darwin":
		command[0] = "open"
	case "windows":
		command = []string{"rundll32", "url.dll,FileProtocolHandler", link}
	default:
		if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
			return
		}
	}
	c := exec.Command(command[0], command[1:]...)
	if c.Start() == nil {
		go c.Wait() // the browser may outlive us
	}
}
