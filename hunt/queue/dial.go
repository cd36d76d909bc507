package queue

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Dial says how a queue is reached, and as whom.
type Dial struct {
	URL    string  // one or several, with commas between them
	Server *Server // instead: the one of this process

	User, Token string // one of the users of an embedded server
	Creds       string // or a file of credentials, as NATS makes them

	CA        string // file of the authority of the server's certificate
	Cert, Key string // files of a certificate of our own, where one is asked for

	Name string                        // of this program
	Log  func(format string, v ...any) // hears of lost and regained connections
}

// Connect reaches a queue. A connection that is lost later is made again, for as
// long as it takes.
func Connect(d Dial) (*nats.Conn, error) {
	say := d.Log
	if say == nil {
		say = func(string, ...any) {}
	}
	options := []nats.Option{
		nats.Name(d.Name), nats.MaxReconnects(-1), nats.ReconnectWait(500 * time.Millisecond), nats.Timeout(5 * time.Second),
		nats.PingInterval(10 * time.Second), nats.MaxPingsOutstanding(2), nats.ReconnectJitter(200*time.Millisecond, 200*time.Millisecond),
		nats.ReconnectBufSize(8 << 20), nats.IgnoreAuthErrorAbort(),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				say("the connection to the queue is lost: %v", err)
			}
		}),
		nats.ReconnectHandler(func(c *nats.Conn) { say("the queue is there again, at %s", c.ConnectedUrlRedacted()) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { say("the queue says: %v", err) }),
	}
	if d.Token != "" {
		options = append(options, nats.UserInfo(d.User, d.Token))
	}
	if d.Creds != "" {
		options = append(options, nats.UserCredentials(d.Creds))
	}
	if d.CA != "" || d.Cert != "" {
		c := &tls.Config{MinVersion: tls.VersionTLS12}
		pool, err := authority(d.CA)
		if err != nil {
			return nil, err
		}
		c.RootCAs = pool
		if d.Cert != "" {
			pair, err := tls.LoadX509KeyPair(d.Cert, d.Key)
			if err != nil {
				return nil, fmt.Errorf("certificate %s with key %s: %w", d.Cert, d.Key, err)
			}
			c.Certificates = []tls.Certificate{pair}
		}
		options = append(options, nats.Secure(c))
	}
	address := d.URL
	if d.Server != nil {
		options = append(options, nats.InProcessServer(d.Server.server))
		address = ""
	}
	conn, err := nats.Connect(address, options...)
	if err != nil {
		return nil, plain(d, err)
	}
	return conn, nil
}

// Redacted is an address without what is secret in it.
func Redacted(address string) string {
	var all []string
	for one := range strings.SplitSeq(address, ",") {
		one = strings.TrimSpace(one)
		full := one
		if !strings.Contains(full, "://") {
			full = "nats://" + full
		}
		u, err := url.Parse(full)
		if err != nil {
			all = append(all, "an address that cannot be read")
			continue
		}
		u.User = nil
		all = append(all, u.String())
	}
	return strings.Join(all, ",")
}

// ErrRefused marks an error of somebody whom the queue does not let in.
var ErrRefused = errors.New("the queue does not let us in")

// ErrAway says that nobody is there, who may come.
var ErrAway = errors.New("nobody listens there")

// ErrUnready says that a queue cannot do now what it will be able to do: servers of
// its cluster are missing, or have not found each other yet.
var ErrUnready = errors.New("the queue is not ready")

// Codes of JetStream's errors.
const (
	codeNoPeers     = 10005 // fewer servers than copies, or none of them has room
	codeUnavailable = 10008 // nobody leads the cluster
	codeOneServer   = 10074 // no cluster at all
)

// plain says what an error of the client means.
func plain(d Dial, err error) error {
	at := "the queue of this process"
	if d.Server == nil {
		at = Redacted(d.URL)
	}
	var api *jetstream.APIError
	code := jetstream.ErrorCode(0)
	if errors.As(err, &api) {
		code = api.ErrorCode
	}
	switch {
	case code == codeNoPeers:
		return fmt.Errorf("%s: %w: fewer servers of the cluster are there than copies were asked for, or they have no room: %s", at, ErrUnready, api.Description)
	case code == codeUnavailable:
		return fmt.Errorf("%s: %w: too few servers of the cluster are there, want more than half of them", at, ErrUnready)
	case code == codeOneServer:
		return fmt.Errorf("%s: one server alone keeps one copy, want a cluster for more", at)
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrAuthExpired), errors.Is(err, nats.ErrAuthRevoked):
		return fmt.Errorf("%s: %w: wrong or no credentials, want the token that the hunt was started with, or a file of credentials", at, ErrRefused)
	case errors.Is(err, nats.ErrSecureConnRequired):
		return fmt.Errorf("%s: %w: it wants TLS, give the file of its authority", at, ErrRefused)
	case errors.Is(err, nats.ErrSecureConnWanted):
		return fmt.Errorf("%s: it has no TLS, and we were told to use it", at)
	case errors.Is(err, nats.ErrNoServers):
		return fmt.Errorf("%s: %w, want the address of a hunt or of a NATS server", at, ErrAway)
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount):
		return fmt.Errorf("%s: JetStream is off there, want a server that has it", at)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, nats.ErrTimeout), errors.Is(err, nats.ErrNoResponders):
		return fmt.Errorf("%s: %w: it does not answer: %w", at, ErrUnready, err)
	}
	return fmt.Errorf("%s: %w", at, err)
}
