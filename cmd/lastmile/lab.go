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
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"lastmile/lab"
	"lastmile/puzzle"
	"lastmile/search"
)

type labCommand struct {
	Listen string `default:"127.0.0.1:8750" placeholder:"HOST:PORT" help:"Where to listen; port 0 takes a free one. Beyond this machine visitors need the token. Default: 127.0.0.1:8750."`
	Token  string `placeholder:"TOKEN" env:"LASTMILE_LAB_TOKEN" help:"What the link must hold, 16 to 256 characters. Beyond this machine one is made when none is given."`
	NoOpen bool   `help:"Do not open a browser."`
	Export string `placeholder:"DIR" help:"Write the lab as static files that any web host can serve, and end."`
	Quiet  bool   `short:"q" help:"Print the link alone."`
}

func (c *labCommand) Run(t *terminal) error {
	if err := checkToken(c.Token); err != nil {
		return err
	}
	ctx, stop := t.listen()
	defer stop()
	if c.Export != "" {
		return c.export(ctx, t)
	}
	open, err := openLab(ctx, t, c.Quiet, "--listen", c.Listen, lab.Options{Token: c.Token})
	if err != nil {
		return err
	}
	defer open.listener.Close()
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
	if n := utf8.RuneCountInString(token); token != "" && (n < lab.MinToken || n > lab.MaxToken) {
		return badf("--token of %d characters, want %d to %d", n, lab.MinToken, lab.MaxToken)
	}
	return nil
}

func (c *labCommand) export(ctx context.Context, t *terminal) error {
	if err := lab.Vacant(c.Export); err != nil { // before the files are made, which takes a while
		return badf("--export: %w", err)
	}
	files, remove, err := labFiles(ctx, t, c.Quiet)
	if err != nil {
		return err
	}
	defer remove()
	if err := lab.Export(files, c.Export); err != nil {
		return badf("--export: %w", err)
	}
	if !c.Quiet {
		fmt.Fprintf(t.err, "the lab is in %s; serve it from there, such as by python3 -m http.server\n", c.Export)
	}
	return nil
}

var errStopped = errors.New("stopped while the files of the lab were made")

// labFiles are the files that the program carries, or else, where the source and
// the go command are at hand, those that are made now.
func labFiles(ctx context.Context, t *terminal, quiet bool) (files fs.FS, remove func(), err error) {
	if files, err = lab.Embedded(); err == nil {
		return files, func() {}, nil
	}
	module, err := exec.CommandContext(ctx, "go", "list", "-m").Output()
	if ctx.Err() != nil {
		return nil, nil, errStopped
	}
	if err != nil || strings.TrimSpace(string(module)) != "lastmile" {
		return nil, nil, bad{lab.ErrNotBuilt}
	}
	dir, err := os.MkdirTemp("", "lastmile-lab-")
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(dir)
		}
	}()
	if !quiet {
		fmt.Fprintln(t.err, "making the files of the lab, as they are not in this program (make build puts them there)")
	}
	out := filepath.Join(dir, "files")
	build := exec.CommandContext(ctx, "go", "run", "lastmile/lab/build", "-q", "-o", out)
	build.Env = append(os.Environ(), "TMPDIR="+dir, "TMP="+dir) // what it leaves when it is stopped goes too
	build.WaitDelay = time.Second
	apart(build)
	said, err := build.CombinedOutput()
	if ctx.Err() != nil {
		return nil, nil, errStopped
	}
	if err != nil {
		return nil, nil, fmt.Errorf("making the files of the lab: %w: %s", err, strings.TrimSpace(string(said)))
	}
	files = os.DirFS(out)
	if err := lab.Complete(files); err != nil {
		return nil, nil, err
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
func openLab(ctx context.Context, t *terminal, quiet bool, flag, address string, o lab.Options) (site labSite, err error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return site, badf("%s %s: want HOST:PORT, such as 127.0.0.1:8750", flag, address)
	}
	// First, so that what is refused is refused before the files are made.
	if site.listener, err = net.Listen("tcp", address); err != nil {
		var inner *net.OpError
		if errors.As(err, &inner) {
			err = inner.Err
		}
		return site, badf("%s %s: %w; want an address of this machine and a free port, such as 127.0.0.1:0", flag, address, err)
	}
	defer func() {
		if err != nil {
			site.listener.Close()
		}
	}()
	_, port, err := net.SplitHostPort(site.listener.Addr().String())
	if err != nil {
		return site, err
	}
	files, remove, err := labFiles(ctx, t, quiet)
	if err != nil {
		return site, err
	}
	defer remove() // the handler keeps them
	shown := cmp.Or(host, "localhost")
	everywhere := host == ""
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		shown, everywhere = "localhost", true
	}
	// Where it listens counts, whatever the name that led there.
	if at, ok := site.listener.Addr().(*net.TCPAddr); ok && at.IP.IsLoopback() {
		o.Hosts = hosts(port, "localhost", "127.0.0.1", "::1", host)
	} else if o.Token == "" {
		o.Token = lab.NewToken()
	}
	site.link = lab.Link(net.JoinHostPort(shown, port), o.Token)
	if everywhere && !quiet {
		fmt.Fprintln(t.err, "from other machines, put the name or address of this one in place of localhost")
	}
	site.handler, err = lab.Handler(files, o)
	return site, err
}

// hosts are what a request may be for: these names, each once, with the port,
// which browsers leave out when it is 80.
func hosts(port string, names ...string) (all []string) {
	for _, name := range names {
		h := net.JoinHostPort(name, port)
		if slices.Contains(all, h) {
			continue
		}
		all = append(all, h)
		if port == "80" {
			all = append(all, strings.TrimSuffix(h, ":80"))
		}
	}
	return all
}

// living shows a run in the lab while it goes on.
type living struct {
	Live string `placeholder:"HOST:PORT" help:"Show it in the lab at this address while it goes on, such as 127.0.0.1:8751. Beyond this machine visitors need the token of the link; LASTMILE_LAB_TOKEN chooses it."`
}

// show opens the lab, if it is asked for, and returns what observes the run beside
// the progress line, and what closes the lab.
func (c *living) show(ctx context.Context, t *terminal, p *puzzle.Puzzle, quiet bool) (feed search.Observer, end func(), err error) {
	if c.Live == "" {
		return search.Nobody, func() {}, nil
	}
	run := lab.NewFeed(p)
	closed, err := c.stream(ctx, t, run, quiet, "run")
	if err != nil {
		return nil, nil, err
	}
	return run, func() {
		run.End()
		closed()
	}, nil
}

// stream opens the lab on a live stream, and returns what closes it.
func (c *living) stream(ctx context.Context, t *terminal, live http.Handler, quiet bool, what string) (closed func(), err error) {
	token := os.Getenv("LASTMILE_LAB_TOKEN")
	if err := checkToken(token); err != nil {
		return nil, err
	}
	site, err := openLab(ctx, t, quiet, "--live", c.Live, lab.Options{Token: token, Live: live})
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(t.err, "watch this %s at %s\n", what, site.link)
	open, stop := context.WithCancel(context.Background()) // to the end of the run, which a signal does not end at once
	served := make(chan error, 1)
	go func() { served <- lab.Serve(open, site.listener, site.handler) }()
	return func() {
		stop()
		if err := <-served; err != nil {
			fmt.Fprintln(t.err, "the lab:", err)
		}
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
	apart(c) // or the Ctrl-C that closes the lab would close the browser
	if c.Start() == nil {
		go c.Wait() // the browser may outlive us
	}
}
