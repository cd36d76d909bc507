package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"lastmile/hunt"
	"lastmile/hunt/queue"
	"lastmile/hunt/worker"
	"lastmile/lab"
)

type huntStartCommand struct {
	huntFolder
	dialing
	serving
	logging
	living
	pieceFlags
	clueFlags
	huntWays
	Name     string        `default:"hunt" placeholder:"NAME" help:"Name of the hunt. Default: hunt."`
	Workers  int           `default:"-1" placeholder:"N" help:"Jobs at once in this program; 0 for a coordinator alone. Default: one a core."`
	Idle     bool          `help:"Begin no campaign: hunt add does."`
	Finish   bool          `help:"End when all campaigns are over."`
	Time     time.Duration `positive:"" placeholder:"D" help:"Stop after this long."`
	Replicas int           `default:"1" placeholder:"N" help:"Copies of what is in the queue, in a cluster: 1, 3 or 5."`
	Lease    time.Duration `default:"30s" help:"After how long a job is given to somebody else when its worker is not heard of."`
	Every    time.Duration `default:"30s" help:"How often a job at work is saved where others can go on with it."`
	Metrics  string        `placeholder:"HOST:PORT" help:"Answer Prometheus at this address, under /metrics, such as 127.0.0.1:9464."`
	Least    int           `positive:"" placeholder:"SCORE" help:"Keep no boards of a lower score, where a thousand cores would fill the disk. Default: keep every board."`
	Ahead    int           `positive:"" placeholder:"N" help:"Jobs in the queue at least. Default: twice what is at work."`
}

func (c *huntStartCommand) Run(t *terminal) error {
	if err := c.check(); err != nil {
		return err
	}
	log, end, err := c.open(t)
	if err != nil {
		return err
	}
	defer end()
	folder, err := hunt.Open(c.Dir)
	if err != nil {
		return bad{err}
	}
	defer folder.Close()
	if err := c.begin(t); err != nil {
		return err
	}
	ctx, stop := t.listen()
	defer stop()
	if c.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.Time)
		defer cancel()
	}
	owner, helper, closed, err := c.queue(folder, log)
	if err != nil {
		return bad{err}
	}
	defer closed()
	o := hunt.Options{
		Dir: c.Dir, Name: c.Name, Version: version, Dial: owner, Alone: owner.Server != nil, Ahead: c.Ahead, Log: log, Finish: c.Finish, Least: c.Least,
		Queue: queue.Options{Replicas: c.Replicas, Lease: c.Lease},
	}
	var shows []func(hunt.Status)
	if !c.Quiet {
		watch := newHuntProgress(t.err)
		defer watch.close()
		shows, o.Found = append(shows, watch.show), watch.found
	}
	if c.Metrics != "" {
		m := &hunt.Metrics{}
		end, err := serveMetrics(ctx, c.Metrics, m, log)
		if err != nil {
			return err
		}
		defer end()
		shows = append(shows, m.Show)
	}
	if c.Live != "" {
		feed := lab.NewHuntFeed()
		closed, err := c.stream(ctx, t, feed, c.Quiet, "hunt")
		if err != nil {
			return err
		}
		defer closed()
		defer feed.End()
		o.Puzzle = feed.Puzzle
		shows = append(shows, func(s hunt.Status) {
			if err := feed.Show(s); err != nil {
				log.Warn("the lab does not show the hunt", "error", err)
			}
		})
	}
	o.Show = func(s hunt.Status) {
		for _, show := range shows {
			show(s)
		}
	}
	return c.run(ctx, o, helper, log)
}

// serveMetrics answers Prometheus until it is told to end.
func serveMetrics(ctx context.Context, address string, m *hunt.Metrics, log *slog.Logger) (end func(), err error) {
	if err := checkAddress("--metrics", address); err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, badf("--metrics %s: %w", printable(address), err)
	}
	log.Info("metrics are open", "at", "http://"+l.Addr().String()+"/metrics")
	open, stop := context.WithCancel(context.WithoutCancel(ctx))
	served := make(chan error, 1)
	go func() { served <- lab.Serve(open, l, m) }()
	return func() {
		stop()
		if err := <-served; err != nil {
			log.Warn("metrics", "error", err)
		}
	}, nil
}

// run coordinates and works, until either fails or the context ends. Workers end
// before the coordinator does, so that it hears of what they have saved.
func (c *huntStartCommand) run(ctx context.Context, o hunt.Options, helper queue.Dial, log *slog.Logger) error {
	leading, leave := context.WithCancel(context.WithoutCancel(ctx))
	defer leave()
	working, enough := context.WithCancel(ctx)
	defer enough()
	var crew sync.WaitGroup
	failed, ready := make(chan error, 1), make(chan struct{})
	o.Ready = func() { close(ready) }
	if c.Workers > 0 {
		crew.Go(func() {
			select {
			case <-working.Done():
				return
			case <-ready:
			}
			err := worker.Run(working, worker.Options{Hunt: c.Name, Dial: helper, Slots: c.Workers, Version: version, Every: c.Every, Log: log})
			if err != nil {
				failed <- err
				leave()
			}
		})
	}
	go func() {
		<-working.Done()
		crew.Wait()
		leave()
	}()
	err := hunt.Run(leading, o)
	enough()
	crew.Wait()
	select {
	case e := <-failed:
		err = errors.Join(err, e)
	default:
	}
	if errors.Is(err, queue.ErrLed) {
		return bad{err}
	}
	return err
}

func (c *huntStartCommand) check() error {
	if err := c.dialing.check(); err != nil {
		return err
	}
	if err := c.huntWays.check(); err != nil {
		return err
	}
	switch err := queue.CheckName(c.Name); {
	case err != nil:
		return badf("--name: %w", err)
	case c.Workers < -1 || c.Workers > 1024:
		return badf("--workers %d, want 0 to 1024", c.Workers)
	case c.Time < 0:
		return badf("--time %v, want a positive duration such as 12h", c.Time)
	case c.Replicas != 1 && c.Replicas != 3 && c.Replicas != 5:
		return badf("--replicas %d, want 1, 3 or 5", c.Replicas)
	case c.Replicas > 1 && c.NATS == "":
		return badf("--replicas %d: a queue of one server keeps one copy; want --nats, a cluster", c.Replicas)
	case c.Lease < time.Second || c.Lease > time.Hour:
		return badf("--lease %v, want 1s to 1h", c.Lease)
	case c.Every <= 0:
		return badf("--every %v, want a positive duration", c.Every)
	case c.Least < 0:
		return badf("--least %d, want a score", c.Least)
	case c.Ahead < 0 || c.Ahead > queue.MaxQueued/2:
		return badf("--ahead %d, want 1 to %d", c.Ahead, queue.MaxQueued/2)
	case c.NATS != "" && c.serving.given():
		return badf("--nats goes with none of --listen, --peers, --routes, --leaves, --server, --advertise, --store, --sync-always, --owner-token-file and --worker-token-file: they are of a queue of our own")
	}
	if c.Workers < 0 {
		c.Workers = runtime.NumCPU()
	}
	return nil
}

// begin enters the campaign that the flags ask for, when the hunt is new.
func (c *huntStartCommand) begin(t *terminal) error {
	if _, err := os.Stat(hunt.ArchiveIn(c.Dir)); err == nil {
		if given := c.huntWays.given() || c.Clues != "" || c.Puzzle != "official"; given {
			return badf("%s holds a hunt that goes on with its campaigns; hunt add adds one, and start then takes neither a puzzle nor ways to make boards", printable(c.Dir))
		}
		return nil
	}
	if c.Idle {
		return nil
	}
	return c.huntWays.add(c.Dir, c.Name, &c.pieceFlags, &c.clueFlags, t)
}

// queue is how the coordinator and the workers of this program reach the queue, and
// what ends it.
func (c *huntStartCommand) queue(folder *hunt.Folder, log *slog.Logger) (owner, helper queue.Dial, closed func(), err error) {
	if c.NATS != "" {
		if owner, err = c.to(queue.Owner); err != nil {
			return owner, helper, nil, err
		}
		return owner, owner, func() {}, nil
	}
	if c.Listen == "" {
		c.Listen = defaultListen
	}
	o, err := c.options(c.Name, &c.dialing, log)
	if err != nil {
		return owner, helper, nil, err
	}
	s, err := folder.Serve(o)
	if err != nil {
		return owner, helper, nil, err
	}
	token, err := hunt.ReadToken(hunt.TokenFile(c.Dir, queue.Owner))
	if err != nil {
		s.Shutdown()
		return owner, helper, nil, err
	}
	inTheClear(c.Listen, c.Cert, log)
	owner = queue.Dial{Server: s, User: queue.Owner, Token: token}
	if !c.Quiet {
		log.Info("the queue is open", "at", s.URL(), "token", hunt.TokenFile(c.Dir, queue.Worker))
	}
	return owner, owner, s.Shutdown, nil
}

// huntProgress shows a hunt on standard error: one line that is rewritten on a
// terminal, a plain line now and then elsewhere.
type huntProgress struct {
	out      io.Writer
	terminal bool
	mu       sync.Mutex
	told     time.Time
	line     string
}

func newHuntProgress(out io.Writer) *huntProgress {
	f, ok := out.(*os.File)
	return &huntProgress{out: out, terminal: ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"}
}

func (p *huntProgress) show(s hunt.Status) {
	p.mu.Lock()
	defer p.mu.Unlock()
	line := huntLine(&s)
	switch {
	case p.terminal:
		fmt.Fprintf(p.out, "\r\x1b[2K%s", printable(line))
		p.line = line
	case time.Since(p.told) >= plainEvery:
		p.told = time.Now()
		fmt.Fprintln(p.out, printable(line))
	}
}

func (p *huntProgress) found(b hunt.Top) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	fmt.Fprintln(p.out, printable(fmt.Sprintf("best %d, by %s: %s", b.Score, b.Worker, b.Made)))
}

func (p *huntProgress) clear() {
	if p.line != "" {
		fmt.Fprint(p.out, "\r\x1b[2K")
		p.line = ""
	}
}

func (p *huntProgress) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
}

// huntLine is a status in one line.
func huntLine(s *hunt.Status) string {
	best := "no board yet"
	if s.Best >= 0 {
		best = fmt.Sprintf("best %d/%d", s.Best, s.Max)
	}
	slots, busy := 0, 0
	for _, w := range s.Workers {
		slots += w.Slots
		busy += w.Busy
	}
	parts := []string{
		best, count(int(s.Boards), "board"), fmt.Sprintf("jobs %d done, %d queued", s.Jobs.Done, s.Jobs.Queued), fmt.Sprintf("%.2g results/s", s.Results),
		fmt.Sprintf("%s, %d of %d slots busy", count(len(s.Workers), "worker"), busy, slots),
	}
	if s.Jobs.Failed > 0 {
		parts = append(parts, fmt.Sprintf("%d failed", s.Jobs.Failed))
	}
	if s.Trouble != "" {
		parts = append(parts, "TROUBLE: "+s.Trouble)
	}
	return strings.Join(parts, "  ")
}
