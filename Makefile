# make run   builds lastmile and runs the main job for a minute.
# make test  checks and tests everything.

GO ?= go
RUN_TIME ?= 60s

.PHONY: run build test lint browser bench fuzz study clean

run:
	$(GO) run ./cmd/lastmile solve --time $(RUN_TIME)

# The lab's files are made first, so that the program carries them.
build:
	$(GO) run ./lab/build
	$(GO) build -trimpath -ldflags=-s -o bin/lastmile ./cmd/lastmile

# The race detector needs cgo and a C compiler; without one the tests run all
# the same, and say so.
test: lint browser
	@if $(GO) env CGO_ENABLED | grep -q 1 && command -v "$$($(GO) env CC)" >/dev/null; then \
		echo "$(GO) test -race ./..."; $(GO) test -race -timeout 30m ./...; \
	else \
		echo "no C compiler here: testing without the race detector (Debian: apt-get install gcc libc6-dev)"; $(GO) test -timeout 30m ./...; \
	fi

# staticcheck and benchstat are pinned in tools.mod, so that go.mod holds what
# the program needs and no more. govulncheck is not wired in: it fetches its
# database from the network at each run, and tests here must pass without one.
# TypeScript is checked by the Go port of its compiler, so that nothing but Go is
# needed.
lint:
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) tool -modfile=tools.mod staticcheck ./...
	$(GO) tool -modfile=tools.mod tsgo -p lab/web

# The lab is tested in Chromium. Where it is missing it is installed if that is
# allowed; else its tests are skipped, and say so.
browser:
	@for name in "$$CHROMIUM" chromium chromium-browser google-chrome; do command -v "$$name" >/dev/null && exit 0; done; \
	as=""; [ "$$(id -u)" = 0 ] || as="sudo -n"; \
	if command -v apt-get >/dev/null && $$as true 2>/dev/null; then \
		echo "installing Chromium for the tests of the lab"; \
		{ $$as apt-get update -qq && $$as env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null; } && exit 0; \
	fi; \
	echo "no Chromium, and no leave to install it: the tests of the lab in a browser are skipped (Debian: apt-get install chromium; elsewhere set CHROMIUM to its path)"

# Compare two commits: make bench >old.txt, then >new.txt, then
# go tool -modfile=tools.mod benchstat old.txt new.txt
bench:
	@$(GO) test ./... -run '^$$' -bench . -benchmem -count 6

# Each parser for half a minute.
fuzz:
	@for room in $$(grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n1 dirname | sort -u); do \
		for target in $$($(GO) test $$room -list '^Fuzz' | grep ^Fuzz); do \
			$(GO) test $$room -run '^$$' -fuzz "^$$target\$$" -fuzztime 30s -fuzzminimizetime 1x || exit 1; \
		done; \
	done

# Run every published number again; docs/results holds the last answers.
study:
	$(GO) run ./cmd/lastmile study all

clean:
	rm -rf bin
	rm -f lab/dist/*.js lab/dist/*.css lab/dist/*.html lab/dist/*.svg lab/dist/*.gz
