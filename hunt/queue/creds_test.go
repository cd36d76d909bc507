package queue_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"lastmile/hunt/job"
	"lastmile/hunt/queue"
)

// A cluster that is not ours may want credentials as NATS makes them: an operator,
// an account with JetStream, a user.
func TestCredentials(t *testing.T) {
	key := func(make func() (nkeys.KeyPair, error)) (nkeys.KeyPair, string) {
		t.Helper()
		k, err := make()
		if err != nil {
			t.Fatal(err)
		}
		public, err := k.PublicKey()
		if err != nil {
			t.Fatal(err)
		}
		return k, public
	}
	encode := func(c jwt.Claims, by nkeys.KeyPair) string {
		t.Helper()
		text, err := c.Encode(by)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	operator, operatorID := key(nkeys.CreateOperator)
	_, systemID := key(nkeys.CreateAccount)
	account, accountID := key(nkeys.CreateAccount)
	oc := jwt.NewOperatorClaims(operatorID)
	oc.SystemAccount = systemID
	ac := jwt.NewAccountClaims(accountID)
	ac.Limits.JetStreamLimits = jwt.JetStreamLimits{DiskStorage: 1 << 30, MemoryStorage: 1 << 28, Streams: -1, Consumer: -1}
	resolver := &server.MemAccResolver{}
	if err := resolver.Store(accountID, encode(ac, operator)); err != nil {
		t.Fatal(err)
	}
	if err := resolver.Store(systemID, encode(jwt.NewAccountClaims(systemID), operator)); err != nil {
		t.Fatal(err)
	}
	oc2, err := jwt.DecodeOperatorClaims(encode(oc, operator))
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true,
		TrustedOperators: []*jwt.OperatorClaims{oc2}, AccountResolver: resolver, SystemAccount: systemID,
	})
	if err != nil {
		t.Fatal(err)
	}
	go s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server does not begin")
	}
	defer s.Shutdown()

	user, userID := key(nkeys.CreateUser)
	seed, err := user.Seed()
	if err != nil {
		t.Fatal(err)
	}
	text, err := jwt.FormatUserConfig(encode(jwt.NewUserClaims(userID), account), seed)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "user.creds")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := queue.Connect(queue.Dial{URL: s.ClientURL()}); err == nil || !strings.Contains(err.Error(), "credentials") {
		t.Errorf("without credentials: %v", err)
	}
	conn, err := queue.Connect(queue.Dial{URL: s.ClientURL(), Creds: file})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	ctx := context.Background()
	h, err := queue.Open(ctx, conn, "h", queue.Options{Bytes: 1 << 20, Saved: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	j := job.New(job.Job{Set: job.Official, Nodes: 5}, &job.Build{Order: "comb"})
	if there, err := h.Offer(ctx, []job.Job{j}); err != nil || !there[0] {
		t.Fatal(there, err)
	}
	w, err := queue.Join(ctx, conn, "h")
	if err != nil {
		t.Fatal(err)
	}
	if d, err := w.Next(ctx, 10*time.Second); err != nil || d == nil || d.Job.ID() != j.ID() {
		t.Fatal(d, err)
	}
}
