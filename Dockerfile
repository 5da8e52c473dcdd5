# syntax=docker/dockerfile:1

FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
# .ci/run runs this very line, and checks that what comes out needs nothing but the kernel.
RUN CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags="-s -w" -o /out/colony .
RUN mkdir -p /out/data

# Nothing but the program and the certificates it trusts: no shell, no package manager, no libc.
FROM scratch
LABEL org.opencontainers.image.title="Colony" \
      org.opencontainers.image.description="Keeps issues moving through a state machine whose only store is a label" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /out/colony /colony
# The queue. The one place that is written: run the rest read-only (docker run --read-only -v colony:/data …).
COPY --from=build --chown=65532:65532 /out/data /data
VOLUME /data
ENV COLONY_QUEUE_DIR=/data
USER 65532:65532
# No HEALTHCHECK: it would need a shell or a second program in here. Let the orchestrator ask
# /healthz (is it alive) and /readyz (may it have traffic) on the address that it listens on.
ENTRYPOINT ["/colony"]
CMD ["serve", "--config", "/etc/colony/config.yml"]
