# A network in a container: one static program, a user without rights, no shell.
#
#     docker build -t netctl .
#     docker run -d --name net --read-only --cap-drop ALL --security-opt no-new-privileges \
#       -v netctl:/data -p 127.0.0.1:8787:8787 -p 127.0.0.1:8788:8788 netctl
#     docker exec net /netctl operator add NAME   # prints a token
#
# All that is written is in /data, so that the rest may be read-only. Settings are
# environment variables (netctl help environment). Put a proxy with HTTPS in front and
# name it with NETCTL_SERVE_TRUSTED_PROXY and NETCTL_SERVE_BASE_URL. A swarm restarts a
# container that is not ready: give its health check --live.
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o /out/netctl ./cmd/netctl && mkdir -p -m 0700 /out/data/tmp

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /out/netctl /netctl
COPY --from=build --chown=65532:65532 /out/data /data
USER 65532:65532
ENV TMPDIR=/data/tmp XDG_CONFIG_HOME=/data/config XDG_STATE_HOME=/data/state
ENV NETCTL_DATA=/data/net NETCTL_SERVE_ADDR=0.0.0.0:8787 NETCTL_SERVE_INTENT_ADDR=0.0.0.0:8788 NETCTL_SERVE_MONITOR_ADDR=127.0.0.1:9090
VOLUME /data
EXPOSE 8787 8788
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=5m --retries=3 CMD ["/netctl", "ready"]
ENTRYPOINT ["/netctl"]
CMD ["serve"]
