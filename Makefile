# The things that one does, by name. They need Go, gcc and git; CONTRIBUTING.md says which stages need more.
.PHONY: help build demo quick test golden generate format lint ci image bench

help: ## list these
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 12

build: ## build ./colony
	go build -trimpath -o colony .

demo: ## play Colony on a fake GitHub, at localhost:7777
	go run . demo

quick: ## test the pure packages, in seconds
	go test ./lifecycle ./statemachine ./advice ./commands/...

test: ## test everything, in minutes
	go test ./...

golden: ## write golden files again; read the difference before you commit it
	go test ./advice ./app/notify ./cli ./commands/wording ./demo ./lifecycle ./docs/generate/describe ./statemachine -update

generate: ## write generated documents and schemas
	go generate ./...

format: ## format Go files as gofumpt does
	GOFLAGS=-mod=readonly go -C tools tool gofumpt -w ..

lint: ## run golangci-lint, with what go vet checks
	.ci/run lint

ci: ## run what must pass before a change is taken
	.ci/run

image: ## build the container image
	docker build -t colony .

bench: ## compare the hot paths with those of the last release
	.ci/run bench
