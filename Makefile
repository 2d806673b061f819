SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

export PATH := $(PATH):/usr/local/go/bin
# Stamping asks git again and fails in a tree that another user owns; VERSION below is all we want.
export GOFLAGS := $(strip $(GOFLAGS) -buildvcs=false)

VERSION ?= $(shell git -c safe.directory='$(CURDIR)' describe --tags --always --dirty 2>/dev/null || echo unknown)
LDFLAGS := -X main.version=$(VERSION)
PKG ?= ./...
PREFIX ?= /usr/local
DESTDIR ?=
FUZZTIME ?= 10s
SOAKTIME ?= 10m

.PHONY: help
help: ## list every target with a line
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: console
console: ## build the admin console, which aliquotd embeds
	./scripts/console

.PHONY: build
build: console ## build bin/aliquotd and bin/aliquot
	go build -ldflags '$(LDFLAGS)' -o bin/aliquotd ./cmd/aliquotd
	go build -ldflags '$(LDFLAGS)' -o bin/aliquot ./cmd/aliquot

.PHONY: test
test: ## run the tests of PKG (default: all but the lab and the upgrade)
	go test $$(go list $(PKG) | grep -Ev '/internal/(labtest|xentest|upgrade)')

.PHONY: race
race: ## the same with the race detector
	go test -race $$(go list $(PKG) | grep -Ev '/internal/(labtest|xentest|upgrade)')

# Packages that only tests import, the client that other people's programs import, and the bookings of certain nodes, which
# reservations will make.
test-rooms := ^(packing/packingtest|policy/policytest|web/webtest|internal/cpu|internal/freeport|internal/story|client|policy/calendar)/

.PHONY: lint
lint: ## gofmt, go vet, staticcheck, functions that only tests reach, the units' sandboxes, alerts and board
	@unformatted=$$(find . -name '*.go' -not -path '*/node_modules/*' -not -path './build/*' -exec gofmt -l {} +); \
	if [ -n "$$unformatted" ]; then echo "not formatted; run gofmt -w on:" >&2; echo "$$unformatted" >&2; exit 1; fi
	go vet -tags xen ./...
	go tool staticcheck -tags xen ./...
	@dead=$$(go tool deadcode ./... | grep -Ev '$(test-rooms)' || true); \
	if [ -n "$$dead" ]; then echo "no command reaches these; delete them or move them to tests:" >&2; echo "$$dead" >&2; exit 1; fi
	@./scripts/units
	@./scripts/alerts
	@./scripts/board

# One target at a time is all that go test can fuzz.
define fuzz-each
	set -f; found=0; \
	for package in $$(go list $(PKG)); do \
	  listed=$$(go test -list '^Fuzz' $$package); \
	  for target in $$(grep '^Fuzz' <<<"$$listed" || true); do \
	    found=1; echo "== $$package $$target"; \
	    go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(1) $$package; \
	  done; \
	done; \
	[ $$found = 1 ] || echo "no fuzz target in $(PKG)"
endef

.PHONY: fuzz
fuzz: ## fuzz each target of PKG for FUZZTIME (10s)
	@$(call fuzz-each,$(FUZZTIME))

.PHONY: soak
soak: ## fuzz each target of PKG for SOAKTIME (10m)
	@$(call fuzz-each,$(SOAKTIME))

.PHONY: world
world: ## break 10,000 modelled clusters by seed and write the result to docs/reliability.md
	./scripts/world

# FAULTS are drawn by SEED. MANAGERS is 1 or 3.
FAULTS ?= 1000
MANAGERS ?= 3

.PHONY: chaos
chaos: ## let FAULTS (1000) drawn by SEED happen to real VMs and MANAGERS (3); as root; the figures are in build/chaos.md
	ALIQUOT_LAB_DISKS=1 go test -count=1 -timeout 24h -run TestEverythingConverges -v ./internal/labtest \
		-args -chaos $(FAULTS) -seed $(SEED) -managers $(MANAGERS) -report $(CURDIR)/build/chaos.md

# MUTANTS are drawn by SEED from PACKAGES; without PACKAGES from those that the tool lists. MUTATE may be -survivors.
MUTANTS ?= 20
SEED ?= 1
PACKAGES ?=

.PHONY: mutate
mutate: ## try MUTANTS (20) of PACKAGES by SEED; verdicts go to internal/mutate/mutants.txt
	go run ./internal/mutate -number $(MUTANTS) -seed $(SEED) $(MUTATE) $(PACKAGES)

.PHONY: mutate-again
mutate-again: ## run the tests that killed 6 mutants of the list, others every day
	go run ./internal/mutate -again -number 6 -seed $$(date +%s | awk '{ print int($$1 / 86400) }')

.PHONY: bench
bench: ## run the benchmarks of PKG
	go test -run '^$$' -bench . -benchmem $$(go list $(PKG) | grep -Ev '/internal/(labtest|xentest)')

.PHONY: lab-up
lab-up: ## start a lab of three libvirt nodes, n1 to n3, as the run hand (root)
	ALIQUOT_LAB_OWNER=1 ./scripts/lab up hand n1:1200 n2:180 n3:120

.PHONY: lab-down
lab-down: ## stop it and remove all that it made (root)
	./scripts/lab down hand

.PHONY: lab-xen-up
lab-xen-up: ## start two emulated Xen hosts, xn1 and xn2, as the run hand (root)
	ALIQUOT_LAB_OWNER=1 ./scripts/lab-xen up hand xn1 xn2

.PHONY: lab-xen-down
lab-xen-down: ## stop them and remove all that they made (root)
	./scripts/lab-xen down hand

.PHONY: guest-image
guest-image: ## build the guest's kernel and initramfs into build/guest
	./scripts/guest-image

.PHONY: install
install: ## install what build and guest-image made, units, manual pages and completion (PREFIX, DESTDIR)
	@for file in bin/aliquotd bin/aliquot build/guest/kernel; do \
	  [ -e $$file ] || { echo "$$file is missing; run: make build guest-image" >&2; exit 1; }; \
	done
	install -D -t '$(DESTDIR)$(PREFIX)/bin' bin/aliquotd bin/aliquot
	install -D -m 644 -t '$(DESTDIR)$(PREFIX)/share/aliquot/guest' build/guest/kernel build/guest/initrd build/guest/cmdline
	install -D -m 755 -t '$(DESTDIR)$(PREFIX)/share/aliquot/guest' build/guest/agent
	install -D -m 644 -t '$(DESTDIR)$(PREFIX)/share/doc/aliquot' docs/operating.md
	install -d '$(DESTDIR)$(PREFIX)'/share/{bash-completion/completions,fish/vendor_completions.d,zsh/site-functions}
	for program in aliquot aliquotd; do \
	  bin/$$program completion bash >'$(DESTDIR)$(PREFIX)/share/bash-completion/completions/'$$program; \
	  bin/$$program completion fish >'$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/'$$program.fish; \
	  bin/$$program completion zsh >'$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_'$$program; \
	done
	bin/aliquot man '$(DESTDIR)$(PREFIX)/share/man/man1'
	bin/aliquotd man '$(DESTDIR)$(PREFIX)/share/man/man8'
	gzip -9nf '$(DESTDIR)$(PREFIX)'/share/man/man1/aliquot*.1 '$(DESTDIR)$(PREFIX)'/share/man/man8/aliquotd*.8
	install -D -m 644 -t '$(DESTDIR)$(PREFIX)/share/aliquot/prometheus' packaging/alerts.yml packaging/grafana.json
	install -D -m 644 packaging/aliquot.conf '$(DESTDIR)$(PREFIX)/lib/sysusers.d/aliquot.conf'
	install -d '$(DESTDIR)$(PREFIX)/lib/systemd/system' '$(DESTDIR)/etc/aliquot' '$(DESTDIR)/var/lib/aliquot'
	@for role in manager monitor fence; do \
	  unit='$(DESTDIR)$(PREFIX)/lib/systemd/system/'aliquot-$$role.service; \
	  sed 's|/usr/local|$(PREFIX)|' packaging/aliquot-$$role.service >"$$unit"; chmod 644 "$$unit"; \
	  settings='$(DESTDIR)/etc/aliquot/'$$role.yaml; \
	  [ -e "$$settings" ] || echo "# All settings and their defaults: aliquotd config show $$role" >"$$settings"; \
	done

.PHONY: deb
deb: build guest-image ## build the Debian packages into build/deb
	VERSION='$(VERSION)' ./scripts/deb

.PHONY: demo
demo: ## the README's first command (root)
	./scripts/demo

.PHONY: proto
proto: ## generate the Go code of the .proto files, and the conversions to and from it, again
	go generate ./cluster/... ./wire/...
	go generate ./internal/schema/...

.PHONY: clean
clean: ## remove bin/, build/ and what the console is built into
	rm -rf bin build web/console/dist/* web/console/node_modules
