SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

export PATH := $(PATH):/usr/local/go/bin
# Stamping asks git again and fails in a tree that another user owns; VERSION below is all we want.
export GOFLAGS := $(strip $(GOFLAGS) -buildvcs=false)

VERSION ?= $(shell git -c safe.directory='$(CURDIR)' describe --tags --always --dirty 2>/dev/null || echo unknown)
LDFLAGS := -X main.version=$(VERSION)
PKG ?= ./...
FUZZTIME ?= 10s
SOAKTIME ?= 60s

.PHONY: help
help: ## list every target with a line
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## build bin/aliquotd and bin/aliquot
	go build -ldflags '$(LDFLAGS)' -o bin/aliquotd ./cmd/aliquotd
	go build -ldflags '$(LDFLAGS)' -o bin/aliquot ./cmd/aliquot

.PHONY: test
test: ## run the tests of PKG (default: all but the lab)
	go test $$(go list $(PKG) | grep -v /internal/labtest)

.PHONY: race
race: ## the same with the race detector
	go test -race $$(go list $(PKG) | grep -v /internal/labtest)

.PHONY: lint
lint: ## gofmt, go vet and staticcheck
	@unformatted=$$(find . -name '*.go' -not -path '*/node_modules/*' -not -path './build/*' -exec gofmt -l {} +); \
	if [ -n "$$unformatted" ]; then echo "not formatted; run gofmt -w on:" >&2; echo "$$unformatted" >&2; exit 1; fi
	go vet ./...
	go tool staticcheck ./...

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
soak: ## fuzz each target of PKG for SOAKTIME (60s)
	@$(call fuzz-each,$(SOAKTIME))

.PHONY: bench
bench: ## run the benchmarks of PKG
	go test -run '^$$' -bench . -benchmem $$(go list $(PKG) | grep -v /internal/labtest)

.PHONY: lab-up
lab-up: ## start a lab of three libvirt nodes (root)
	./scripts/lab up

.PHONY: lab-down
lab-down: ## stop the lab and remove all that it made (root)
	./scripts/lab down

.PHONY: guest-image
guest-image: ## build the guest's kernel and initramfs into build/guest
	./scripts/guest-image

.PHONY: demo
demo: ## the README's first command (root)
	./scripts/demo

.PHONY: proto
proto: ## generate the Go code of the .proto files again
	go generate ./cluster/... ./wire/...

.PHONY: clean
clean: ## remove bin/ and build/
	rm -rf bin build
