package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"lastmile/hunt"
	"lastmile/hunt/queue"
	"lastmile/hunt/worker"
)

type huntCommand struct {
	Start  huntStartCommand  `cmd:"" help:"Begin a hunt, or go on with it: a queue, a coordinator, and a worker for each core."`
	Work   huntWorkCommand   `cmd:"" help:"Work for a hunt that another machine has started."`
	Add    huntAddCommand    `cmd:"" help:"Add a campaign to a hunt, running or not."`
	Status huntStatusCommand `cmd:"" help:"Tell where a hunt is."`
	Best   huntBestCommand   `cmd:"" help:"List the best boards of a hunt, by families."`
	Stop   huntStopCommand   `cmd:"" help:"Stop a hunt: everybody saves what they are at."`
	Export huntExportCommand `cmd:"" help:"Write boards of a hunt's archive in any dialect."`
	Import huntImportCommand `cmd:"" help:"Bring boards into a hunt's archive."`
	Serve  huntServeCommand  `cmd:"" help:"Run a queue alone, such as one of the three of a cluster."`
}

// huntFolder is where the hunt is kept.
type huntFolder struct {
	Dir string `default:"lastmile-hunt" placeholder:"DIR" help:"Folder of the hunt. Default: lastmile-hunt."`
}

// dialing are the flags by which a queue is reached.
type dialing struct {
	NATS      string `name:"nats" placeholder:"URL" help:"The queue: of a hunt that was started elsewhere, or a NATS cluster, several with commas between them."`
	TokenFile string `placeholder:"FILE" help:"File with the token that lets us in; LASTMILE_HUNT_TOKEN holds it otherwise."`
	Creds     string `placeholder:"FILE" help:"File of NATS credentials, where the cluster wants those."`
	CA        string `name:"ca" placeholder:"FILE" help:"Certificate of the authority of the queue's TLS, in PEM."`
	Cert      string `placeholder:"FILE" help:"Our certificate, in PEM: of the queue that we run, or where one is asked for."`
	Key       string `placeholder:"FILE" help:"The key of our certificate."`
}

func (d *dialing) check() error {
	if (d.Cert == "") != (d.Key == "") {
		return badf("--cert and --key go together, want both or none")
	}
	for flag, path := range map[string]string{"--token-file": d.TokenFile, "--creds": d.Creds, "--ca": d.CA, "--cert": d.Cert, "--key": d.Key} {
		if path == "" {
			continue
		}
		if _, err := os.Stat(path); err != nil {
			return badf("%s: %w", flag, err)
		}
	}
	if d.NATS != "" && strings.ContainsAny(d.NATS, " \t\n") {
		return badf("--nats %s, want addresses such as nats://host:4222 with commas between them", printable(queue.Redacted(d.NATS)))
	}
	return nil
}

// token is that of a file, or of the environment.
func (d *dialing) token() (string, error) {
	if d.TokenFile == "" {
		return os.Getenv("LASTMILE_HUNT_TOKEN"), nil
	}
	token, err := hunt.ReadToken(d.TokenFile)
	if err != nil {
		return "", badf("--token-file: %w", err)
	}
	return token, nil
}

// to is the queue that --nats names.
func (d *dialing) to(user string) (queue.Dial, error) {
	token, err := d.token()
	return queue.Dial{URL: d.NATS, User: user, Token: token, Creds: d.Creds, CA: d.CA, Cert: d.Cert, Key: d.Key}, err
}

// logging are the flags of programs that run for weeks.
type logging struct {
	Log   string `placeholder:"FILE" help:"Append the log to this file, a JSON object a line. Default: text, on standard error."`
	Quiet bool   `short:"q" help:"No progress, and warnings and errors alone on standard error."`
}

// open opens the log.
func (l *logging) open(t *terminal) (log *slog.Logger, end func(), err error) {
	level := slog.LevelInfo
	if l.Log == "" {
		if l.Quiet {
			level = slog.LevelWarn
		}
		return slog.New(slog.NewTextHandler(&cleaned{out: t.err}, &slog.HandlerOptions{Level: level})), func() {}, nil
	}
	f, err := os.OpenFile(l.Log, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, nil, badf("--log: %w", err)
	}
	return slog.New(slog.NewJSONHandler(f, &slog.HandlerOptions{Level: level})), func() { f.Close() }, nil
}

// cleaned writes lines to a terminal that they cannot steer.
type cleaned struct {
	out interface{ Write([]byte) (int, error) }
	mu  sync.Mutex
}

func (c *cleaned) Write(line []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, err := fmt.Fprintln(c.out, printable(strings.TrimSuffix(string(line), "\n"))); err != nil {
		return 0, err
	}
	return len(line), nil
}

// serving are the flags of a queue of our own.
type serving struct {
	Listen string   `placeholder:"HOST:PORT" help:"Where the queue listens to workers; port 0 takes a free one. Default: 127.0.0.1:4222."`
	Store  int64    `placeholder:"MIB" help:"What the queue may take on disk. Default: three quarters of what is free."`
	Always bool     `name:"sync-always" help:"Force each message to disk before it counts, against power loss. Without it a loss of power costs the work of some seconds, never a board of the archive."`
	Server string   `placeholder:"NAME" help:"Name of this server in a cluster, that no other has."`
	Peers  string   `placeholder:"HOST:PORT" help:"Where the queue listens to the other servers of its cluster."`
	Routes []string `placeholder:"HOST:PORT" help:"Where the others listen to their peers."`
	Leaves string   `placeholder:"HOST:PORT" help:"Where the queue listens to leaves: servers that gather the workers of a site."`

	Advertise       string `placeholder:"HOST:PORT" help:"Where the others reach --peers, when that is another address: of a container, or behind NAT."`
	OwnerTokenFile  string `placeholder:"FILE" help:"File with the owner's token, which is kept in the folder then. The servers of a cluster share both tokens. Default: that of the folder, owner.token, made when there is none."`
	WorkerTokenFile string `placeholder:"FILE" help:"The same for the token of the workers, worker.token."`
}

const defaultListen = "127.0.0.1:4222"

func (s *serving) options(name string, d *dialing, log *slog.Logger) (queue.ServerOptions, error) {
	o := queue.ServerOptions{
		Hunt: name, Listen: s.Listen, Cert: d.Cert, Key: d.Key, CA: d.CA, Name: s.Server, Peers: s.Peers, Advertise: s.Advertise, Routes: s.Routes, Leaves: s.Leaves,
		Store: s.Store << 20, Always: s.Always, Log: func(format string, v ...any) { log.Warn("queue: " + fmt.Sprintf(format, v...)) },
	}
	switch {
	case s.Store < 0:
		return o, badf("--store %d, want MiB, 1 or more", s.Store)
	case s.Peers == "" && (len(s.Routes) > 0 || s.Server != "" || s.Advertise != ""):
		return o, badf("--server, --routes and --advertise go with --peers, where this server listens to the others")
	case s.Peers != "" && s.Server == "":
		return o, badf("--peers wants --server, a name of this server that no other has")
	}
	for flag, address := range map[string]string{"--listen": s.Listen, "--peers": s.Peers, "--leaves": s.Leaves} {
		if err := checkAddress(flag, address); err != nil {
			return o, err
		}
	}
	if err := checkHostPort("--advertise", s.Advertise); err != nil {
		return o, err
	}
	for _, r := range s.Routes {
		if err := checkHostPort("--routes", r); err != nil {
			return o, err
		}
	}
	return o, s.tokens(&o)
}

// tokens reads those that the servers of a cluster share.
func (s *serving) tokens(o *queue.ServerOptions) (err error) {
	if s.OwnerTokenFile != "" {
		if o.OwnerToken, err = hunt.ReadToken(s.OwnerTokenFile); err != nil {
			return badf("--owner-token-file: %w", err)
		}
	}
	if s.WorkerTokenFile != "" {
		if o.WorkerToken, err = hunt.ReadToken(s.WorkerTokenFile); err != nil {
			return badf("--worker-token-file: %w", err)
		}
	}
	if o.OwnerToken != "" && o.OwnerToken == o.WorkerToken {
		return badf("--owner-token-file and --worker-token-file hold the same token, want two: workers may do less")
	}
	return nil
}

// given tells whether any of the flags is.
func (s *serving) given() bool {
	return s.Store != 0 || s.Always || len(s.Routes) > 0 || s.Listen+s.Server+s.Peers+s.Advertise+s.Leaves+s.OwnerTokenFile+s.WorkerTokenFile != ""
}

// inTheClear warns of a queue that others can listen to.
func inTheClear(listen, cert string, log *slog.Logger) {
	host, _, _ := net.SplitHostPort(listen)
	if ip := net.ParseIP(host); cert == "" && host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		log.Warn("the token and all else travel as they are, for all to read; --cert and --key encrypt them")
	}
}

// checkAddress refuses what no queue can listen at. A port that is taken is told
// now, in our words.
func checkAddress(flag, address string) error {
	if err := checkHostPort(flag, address); address == "" || err != nil {
		return err
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		var inner *net.OpError
		if errors.As(err, &inner) {
			err = inner.Err
		}
		return badf("%s %s: %w; want an address of this machine and a free port, such as 127.0.0.1:0", flag, printable(address), err)
	}
	return l.Close()
}

// checkHostPort refuses what is no address, of this machine or another.
func checkHostPort(flag, address string) error {
	if address == "" {
		return nil
	}
	if _, port, err := net.SplitHostPort(address); err != nil || port == "" {
		return badf("%s %s, want HOST:PORT, such as %s", flag, printable(address), defaultListen)
	}
	return nil
}

type huntWorkCommand struct {
	dialing
	logging
	Name  string        `default:"hunt" placeholder:"NAME" help:"The hunt. Default: hunt."`
	Dir   string        `placeholder:"DIR" help:"Folder of a hunt on this machine, instead of --nats and a token."`
	Slots int           `placeholder:"N" help:"Jobs at once. Default: one a core."`
	Every time.Duration `default:"30s" help:"How often a job at work is saved where others can go on with it."`
	Most  int           `name:"jobs" positive:"" placeholder:"N" help:"End after so many jobs."`
}

func (c *huntWorkCommand) Run(t *terminal) error {
	if err := c.check(); err != nil {
		return err
	}
	log, end, err := c.open(t)
	if err != nil {
		return err
	}
	defer end()
	o := worker.Options{Hunt: c.Name, Slots: c.Slots, Version: version, Every: c.Every, Log: log, Most: c.Most}
	if o.Slots == 0 {
		o.Slots = runtime.NumCPU()
	}
	if o.Dial, err = c.dial(); err != nil {
		return err
	}
	ctx, stop := t.listen()
	defer stop()
	err = worker.Run(ctx, o)
	if errors.Is(err, queue.ErrRefused) {
		return bad{err}
	}
	return err
}

func (c *huntWorkCommand) check() error {
	if err := c.dialing.check(); err != nil {
		return err
	}
	switch err := queue.CheckName(c.Name); {
	case err != nil:
		return badf("--name: %w", err)
	case c.Slots < 0 || c.Slots > 1024:
		return badf("--slots %d, want 1 to 1024", c.Slots)
	case c.Every <= 0:
		return badf("--every %v, want a positive duration", c.Every)
	case c.Most < 0:
		return badf("--jobs %d, want 1 or more", c.Most)
	case (c.NATS == "") == (c.Dir == ""):
		return badf("want --nats, the address of a hunt, or --dir, the folder of one on this machine")
	}
	return nil
}

// dial is the queue that the flags name.
func (c *huntWorkCommand) dial() (queue.Dial, error) {
	if c.Dir == "" {
		return c.to(queue.Worker)
	}
	address := hunt.Address(c.Dir)
	if address == "" {
		return queue.Dial{}, badf("--dir %s: no hunt listens there, want the folder of one that was started", printable(c.Dir))
	}
	token, err := hunt.ReadToken(hunt.TokenFile(c.Dir, queue.Worker))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return queue.Dial{}, badf("--dir: %w", err)
	}
	return queue.Dial{URL: address, User: queue.Worker, Token: token, CA: c.CA, Cert: c.Cert, Key: c.Key}, nil
}

type huntServeCommand struct {
	huntFolder
	dialing
	serving
	logging
	Name string `default:"hunt" placeholder:"NAME" help:"The hunt whose workers are let in. Default: hunt."`
	Hub  string `placeholder:"HOST:PORT" help:"Be a leaf of the server that listens there with --leaves: keep nothing, and pass on what workers say."`
}

func (c *huntServeCommand) Run(t *terminal) error {
	if err := c.check(); err != nil {
		return err
	}
	log, end, err := c.open(t)
	if err != nil {
		return err
	}
	defer end()
	if c.Listen == "" {
		c.Listen = defaultListen
	}
	o, err := c.options(c.Name, &c.dialing, log)
	if err != nil {
		return err
	}
	o.Hub = c.Hub
	f, err := hunt.Open(c.Dir)
	if err != nil {
		return bad{err}
	}
	defer f.Close()
	ctx, stop := t.listen()
	defer stop()
	s, err := f.Serve(o)
	if err != nil {
		return bad{err}
	}
	defer s.Shutdown()
	inTheClear(c.Listen, c.Cert, log)
	if _, err := fmt.Fprintln(t.out, s.URL()); err != nil {
		return err
	}
	log.Info("the queue is open", "at", s.URL(), "peers", s.Peers(), "token", hunt.TokenFile(c.Dir, queue.Worker))
	if c.Peers == "" {
		<-ctx.Done()
		return nil
	}
	return c.watch(ctx, s, log)
}

// watch tells how the cluster does, as it changes, until the context ends.
func (c *huntServeCommand) watch(ctx context.Context, s *queue.Server, log *slog.Logger) error {
	reached, lacks := "", "-"
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		if now := strings.Join(s.Reached(), ","); now != reached {
			reached = now
			log.Info("servers that are reached", "names", now)
		}
		if now := s.Lacks(); now != lacks {
			lacks = now
			if now == "" {
				log.Info("the queue does its part in the cluster")
			} else {
				log.Warn("the queue does not do its part in the cluster yet", "why", now)
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case why := <-s.Taken():
			return badf("--server %s: %s", printable(c.Server), printable(why))
		case <-tick.C:
		}
	}
}

func (c *huntServeCommand) check() error {
	if err := queue.CheckName(c.Name); err != nil {
		return badf("--name: %w", err)
	}
	if c.NATS != "" {
		return badf("--nats %s: serve runs a queue of its own", printable(queue.Redacted(c.NATS)))
	}
	if _, port, err := net.SplitHostPort(c.Hub); c.Hub != "" && (err != nil || port == "") {
		return badf("--hub %s, want HOST:PORT, where the hub listens to its leaves", printable(c.Hub))
	}
	if c.Hub != "" && (c.Peers != "" || c.Leaves != "") {
		return badf("--hub goes with neither --peers nor --leaves: a leaf is one server at the end of the tree")
	}
	if c.TokenFile != "" || c.Creds != "" {
		return badf("--token-file and --creds are of those who come to a queue; serve wants --owner-token-file and --worker-token-file, if any")
	}
	return c.dialing.check()
}

type huntStopCommand struct {
	huntFolder
	Wait time.Duration `default:"1m" help:"How long to wait until it has ended."`
}

func (c *huntStopCommand) Run(t *terminal) error {
	if !hunt.Held(c.Dir) {
		return badf("no hunt is running in %s", printable(c.Dir))
	}
	if err := hunt.Stop(c.Dir); err != nil {
		return err
	}
	ctx, stop := t.listen()
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, c.Wait)
	defer cancel()
	for hunt.Held(c.Dir) {
		select {
		case <-ctx.Done():
			return fmt.Errorf("the hunt in %s has been told to stop, and is still there", c.Dir)
		case <-time.After(100 * time.Millisecond):
		}
	}
	_, err := fmt.Fprintln(t.out, "the hunt has stopped; hunt start goes on with it")
	return err
}
