package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"lastmile/lab"
	"lastmile/puzzle"
	"lastmile/search"
)

type labCommand struct {
	Listen string `default:"127.0.0.1:8750" placeholder:"HOST:PORT" help:"Where to listen; port 0 takes a free one. Beyond this machine visitors need the token. Default: 127.0.0.1:8750."`
	Token  string `placeholder:"TOKEN" env:"LASTMILE_LAB_TOKEN" help:"What the link must hold, 16 characters or more. Beyond this machine one is made when none is given."`
	NoOpen bool   `help:"Do not open a browser."`
	Export string `placeholder:"DIR" help:"Write the lab as static files that any web host can serve, and end."`
	Quiet  bool   `short:"q" help:"Print the link alone."`
}

func (c *labCommand) Run(t *terminal) error {
	if err := checkToken(c.Token); err != nil {
		return err
	}
	files, remove, err := labFiles(t, c.Quiet)
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
	open, err := openLab(files, "--listen", c.Listen, lab.Options{Token: c.Token})
	if err != nil {
		return err
	}
	defer open.listener.Close()
	ctx, stop := t.listen()
	defer stop()
	if _, err := fmt.Fprintln(t.out, open.link); err != nil {
		return err
	}
	if !c.Quiet {
		fmt.Fprintln(t.err, "the lab is open; Ctrl-C closes it")
	}
	if !c.NoOpen {
		browse(open.link)
	}
	return lab.Serve(ctx, open.listener, open.handler)
}

func checkToken(token string) error {
	if token != "" && len(token) < lab.MinToken {
		return badf("--token of %d characters, want %d or more", len(token), lab.MinToken)
	}
	return nil
}

// labFiles are the files that the program carries, or else, where the source and
// the go command are at hand, those that are made now.
func labFiles(t *terminal, quiet bool) (files fs.FS, remove func(), err error) {
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
	if !quiet {
		fmt.Fprintln(t.err, "making the files of the lab, as they are not in this program (make build puts them there)")
	}
	out, err := exec.Command("go", "run", "lastmile/lab/build", "-q", "-o", dir).CombinedOutput()
	if err != nil {
		os.RemoveAll(dir)
		return nil, remove, fmt.Errorf("making the files of the lab: %w: %s", err, strings.TrimSpace(string(out)))
	}
	files = os.DirFS(dir)
	if err := lab.Complete(files); err != nil {
		os.RemoveAll(dir)
		return nil, remove, err
	}
	return files, func() { os.RemoveAll(dir) }, nil
}

// labSite is a lab that listens.
type labSite struct {
	listener net.Listener
	handler  http.Handler
	link     string
}

// openLab listens where a flag says. On this machine it answers to the names of
// this machine, beyond it to those who have the token.
func openLab(files fs.FS, flag, address string, o lab.Options) (site labSite, err error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return site, badf("%s %s: want HOST:PORT, such as 127.0.0.1:8750", flag, address)
	}
	if site.listener, err = net.Listen("tcp", address); err != nil {
		var inner *net.OpError
		if errors.As(err, &inner) {
			err = inner.Err
		}
		return site, badf("%s %s: %w; want an address of this machine and a free port, such as 127.0.0.1:0", flag, address, err)
	}
	_, port, err := net.SplitHostPort(site.listener.Addr().String())
	if err != nil {
		return site, err
	}
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
	site.link = "http://" + net.JoinHostPort(shown, port) + "/"
	if o.Token != "" {
		site.link += "?token=" + o.Token
	}
	if site.handler, err = lab.Handler(files, o); err != nil {
		site.listener.Close()
	}
	return site, err
}

// living shows a run in the lab while it goes on.
type living struct {
	Live string `placeholder:"HOST:PORT" help:"Show the run in the lab at this address while it goes on, such as 127.0.0.1:8751. Beyond this machine visitors need the token of the link; LASTMILE_LAB_TOKEN chooses it."`
}

// show opens the lab, if it is asked for, and returns what observes the run beside
// the progress line, and what closes the lab.
func (c *living) show(t *terminal, p *puzzle.Puzzle, quiet bool) (feed search.Observer, end func(), err error) {
	if c.Live == "" {
		return search.Nobody, func() {}, nil
	}
	token := os.Getenv("LASTMILE_LAB_TOKEN")
	if err := checkToken(token); err != nil {
		return nil, nil, err
	}
	files, remove, err := labFiles(t, quiet)
	if err != nil {
		return nil, nil, err
	}
	run := lab.NewFeed(p)
	site, err := openLab(files, "--live", c.Live, lab.Options{Token: token, Live: run})
	if err != nil {
		remove()
		return nil, nil, err
	}
	fmt.Fprintln(t.err, "watch this run at", site.link)
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- lab.Serve(ctx, site.listener, site.handler) }()
	return run, func() {
		run.End()
		stop()
		if err := <-served; err != nil {
			fmt.Fprintln(t.err, "the lab:", err)
		}
		remove()
	}, nil
}

// both hands events to two observers.
func both(a, b search.Observer) search.Observer {
	return search.Func(func(e search.Event) {
		a.Observe(e)
		b.Observe(e)
	})
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
