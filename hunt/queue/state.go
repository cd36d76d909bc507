package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Save keeps the state of a job at work.
func (h *Hunt) Save(ctx context.Context, id string, state []byte) error {
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	_, err := h.saved.PutBytes(ctx, id, state)
	return h.plainOrNil(err)
}

// Saved is the state of a job that somebody began, nil when there is none. One that
// has been damaged counts as none.
func (h *Hunt) Saved(ctx context.Context, id string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	state, err := h.saved.GetBytes(ctx, id)
	switch {
	case err == nil:
		return state, nil
	case errors.Is(err, jetstream.ErrObjectNotFound), errors.Is(err, jetstream.ErrDigestMismatch):
		return nil, nil
	}
	return nil, h.plain(err)
}

// Forget drops the state of a job that is done.
func (h *Hunt) Forget(ctx context.Context, id string) error {
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	err := h.saved.Delete(ctx, id)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return nil
	}
	return h.plainOrNil(err)
}

// AllSaved lists the jobs of which there is a state.
func (h *Hunt) AllSaved(ctx context.Context) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	list, err := h.saved.List(ctx)
	if errors.Is(err, jetstream.ErrNoObjectsFound) {
		return nil, nil
	}
	if err != nil {
		return nil, h.plain(err)
	}
	var ids []string
	for _, info := range list {
		ids = append(ids, info.Name)
	}
	return ids, nil
}

// PutSet keeps a piece set for the workers.
func (h *Hunt) PutSet(ctx context.Context, id string, content []byte) error {
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	_, err := h.shelf.Put(ctx, "set."+id, content)
	return h.plainOrNil(err)
}

// Set is the content of a piece set.
func (h *Hunt) Set(ctx context.Context, id string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	e, err := h.shelf.Get(ctx, "set."+id)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, fmt.Errorf("the hunt does not know the piece set %s", id)
	}
	if err != nil {
		return nil, h.plain(err)
	}
	return e.Value(), nil
}

// Lead says who coordinates a hunt.
type Lead struct {
	Archive string    `json:"archive"` // the name of the archive
	Process string    `json:"process"` // of the coordinator: host, number and a lot
	Host    string    `json:"host"`
	Since   time.Time `json:"since"`
	Over    bool      `json:"over"` // it ended in peace
	Beat    int64     `json:"beat"`
}

// Leading is the hold that a coordinator has on its hunt.
type Leading struct {
	h        *Hunt
	lead     Lead
	revision uint64
}

// ErrLed says that somebody else coordinates the hunt.
var ErrLed = errors.New("somebody else coordinates this hunt")

const leadKey = "coordinator"

// Take takes the hold on a hunt. It waits so long for a sign of life of who had it
// before; beats must come more often.
func (h *Hunt) Take(ctx context.Context, l Lead, wait time.Duration) (*Leading, error) {
	g := &Leading{h: h, lead: l}
	e, err := h.shelf.Get(ctx, leadKey)
	if err != nil && !errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, h.plain(err)
	}
	if err == nil {
		var was Lead
		if err := json.Unmarshal(e.Value(), &was); err != nil {
			return nil, fmt.Errorf("who coordinates the hunt cannot be read: %w", err)
		}
		if was.Archive != l.Archive {
			return nil, fmt.Errorf("%w: hunt %s has another archive, on %s, begun %s; want its folder, or another name for this hunt",
				ErrLed, h.hunt, was.Host, was.Since.Format(time.DateTime))
		}
		g.revision = e.Revision()
		if !was.Over {
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(wait):
			}
		}
	}
	return g, g.Beat(ctx)
}

// Beat shows that the coordinator lives. It fails with ErrLed when another has
// taken the hold.
func (g *Leading) Beat(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	g.lead.Beat++
	text, err := json.Marshal(g.lead)
	if err != nil {
		return err
	}
	revision, err := g.h.shelf.Update(ctx, leadKey, text, g.revision)
	if err == nil {
		g.revision = revision
		return nil
	}
	var api *jetstream.APIError
	if errors.As(err, &api) && api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence || errors.Is(err, jetstream.ErrKeyExists) {
		if e, err := g.h.shelf.Get(ctx, leadKey); err == nil {
			var now Lead
			if json.Unmarshal(e.Value(), &now) == nil {
				if now.Process == g.lead.Process { // our own beat, of which we did not hear
					g.revision = e.Revision()
					return nil
				}
				return fmt.Errorf("%w: %s, on %s; stop it first", ErrLed, now.Process, now.Host)
			}
		}
		return ErrLed
	}
	return g.h.plain(err)
}

// Leave gives the hold up.
func (g *Leading) Leave(ctx context.Context) error {
	g.lead.Over = true
	return g.Beat(ctx)
}

// Hello is what a worker says of itself when it joins.
type Hello struct {
	Protocol  int       `json:"protocol"`
	Signature string    `json:"signature"` // see job.Signature
	Version   string    `json:"version"`
	Worker    string    `json:"worker"`
	Host      string    `json:"host"`
	Slots     int       `json:"slots"`
	At        time.Time `json:"at"` // by its clock
}

// Welcome is what it is answered.
type Welcome struct {
	Refused string `json:"refused"` // why it can take no part, empty when it can
	Hunt    string `json:"hunt"`
}

// Control is what a coordinator tells its workers.
type Control struct {
	Stop    bool   `json:"stop,omitempty"`    // the hunt has been stopped: save and end
	Refused string `json:"refused,omitempty"` // the worker of this name can take no part
	Why     string `json:"why,omitempty"`
}

// ErrNobody says that no coordinator is there at the moment.
var ErrNobody = errors.New("no coordinator is there at the moment")

// Greet introduces a worker to the coordinator.
func (h *Hunt) Greet(ctx context.Context, hello Hello) (Welcome, error) {
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	text, err := json.Marshal(hello)
	if err != nil {
		return Welcome{}, err
	}
	msg, err := h.Conn.RequestWithContext(ctx, h.subject("hello"), text)
	if errors.Is(err, nats.ErrNoResponders) || errors.Is(err, nats.ErrTimeout) || errors.Is(err, context.DeadlineExceeded) {
		return Welcome{}, ErrNobody
	}
	if err != nil {
		return Welcome{}, h.plain(err)
	}
	var w Welcome
	return w, json.Unmarshal(msg.Data, &w)
}

// Answer lets the coordinator answer those who join, until the subscription ends.
func (h *Hunt) Answer(answer func(Hello) Welcome) (*nats.Subscription, error) {
	return h.Conn.Subscribe(h.subject("hello"), func(m *nats.Msg) {
		var hello Hello
		w := Welcome{Refused: "what it says of itself cannot be read"}
		if json.Unmarshal(m.Data, &hello) == nil {
			w = answer(hello)
		}
		if text, err := json.Marshal(w); err == nil {
			m.Respond(text) // who does not hear it asks again
		}
	})
}

// Beat tells the coordinator, if one is there, how a worker does.
func (h *Hunt) Beat(worker string, beat any) error {
	text, err := json.Marshal(beat)
	if err != nil {
		return err
	}
	return h.Conn.Publish(h.subject("beat", worker), text)
}

// Beats hears the beats of all workers, each as JSON.
func (h *Hunt) Beats(hear func(worker string, beat []byte)) (*nats.Subscription, error) {
	return h.Conn.Subscribe(h.subject("beat", "*"), func(m *nats.Msg) { hear(lastPart(m.Subject), m.Data) })
}

// Command tells all workers something.
func (h *Hunt) Command(c Control) error {
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	if err := h.Conn.Publish(h.subject("control"), text); err != nil {
		return err
	}
	return h.Conn.FlushTimeout(deadline)
}

// Commands hears what the coordinator tells.
func (h *Hunt) Commands(hear func(Control)) (*nats.Subscription, error) {
	return h.Conn.Subscribe(h.subject("control"), func(m *nats.Msg) {
		var c Control
		if json.Unmarshal(m.Data, &c) == nil {
			hear(c)
		}
	})
}

// Lost hears of jobs that were given out MaxTries times and never came back.
func (h *Hunt) Lost(hear func(id string)) (*nats.Subscription, error) {
	subject := "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES." + h.names.jobs() + "." + workers
	return h.Conn.Subscribe(subject, func(m *nats.Msg) {
		var told struct {
			Sequence uint64 `json:"stream_seq"`
		}
		if json.Unmarshal(m.Data, &told) != nil {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), deadline)
		defer cancel()
		if msg, err := h.stream.GetMsg(ctx, told.Sequence); err == nil {
			hear(lastPart(msg.Subject))
		}
	})
}
