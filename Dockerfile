# syntax=docker/dockerfile:1
# Digests are given where images are released: --build-arg NODE_IMAGE=node:24-trixie-slim@sha256:…
ARG NODE_IMAGE=node:24-trixie-slim
ARG GO_IMAGE=golang:1.26-trixie
ARG RUNTIME_IMAGE=gcr.io/distroless/nodejs24-debian13:nonroot

FROM ${GO_IMAGE} AS go

# Helm and Kustomize as one WebAssembly module. It is built anew only when its own sources change.
FROM ${NODE_IMAGE} AS render
WORKDIR /build
COPY --from=go /usr/local/go /usr/local/go
COPY --from=go /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY package.json ./
COPY src/model src/model
COPY src/render/engine/wasm/locate-module.ts src/render/engine/wasm/
COPY release/third-party-notices.ts release/
COPY render-engine render-engine
ENV PATH=/usr/local/go/bin:$PATH XDG_CACHE_HOME=/cache
RUN --mount=type=cache,target=/root/go/pkg/mod --mount=type=cache,target=/cache/go-build \
    node render-engine/build.ts && mkdir -p /image/dist && mv /cache/setpoint/render-engine/* /image/dist/render-engine

# The agent as a few files, with all packages that it needs in them.
FROM ${NODE_IMAGE} AS agent
WORKDIR /build
COPY package.json package-lock.json ./
COPY toolchain/package.json toolchain/
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-audit --no-fund
COPY release release
COPY src src
RUN node release/bundle.ts && mkdir -p /image/dist && mv dist/agent /image/dist/agent
# There is no shell and no env in the image to find node with.
RUN mkdir -p /root-files/usr/local/bin /root-files/var/lib/setpoint \
    && printf '#!/nodejs/bin/node\nimport("/app/bin/setpoint.js");\n' > /root-files/usr/local/bin/setpoint \
    && chmod 755 /root-files/usr/local/bin/setpoint && chown 65532:65532 /root-files/var/lib/setpoint

# What both are made of, as CycloneDX.
FROM ${NODE_IMAGE} AS sbom
WORKDIR /build
COPY package.json ./
COPY release/sbom.ts release/
COPY --from=agent /image .
COPY --from=render /image .
RUN mkdir /image && node release/sbom.ts dist > /image/sbom.cdx.json

FROM ${RUNTIME_IMAGE}
# What it was given above, for the label.
ARG RUNTIME_IMAGE
ARG VERSION=0.1.0
ARG REVISION=unknown
ARG CREATED=unknown
ARG SOURCE=unknown
LABEL org.opencontainers.image.title="Setpoint" \
      org.opencontainers.image.description="GitOps drift detection: what drifted from Git, since when, and by whom" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${CREATED}" \
      org.opencontainers.image.source="${SOURCE}" \
      org.opencontainers.image.base.name="${RUNTIME_IMAGE}" \
      dev.setpoint.image.sbom="/app/sbom.cdx.json"
WORKDIR /app
COPY --from=agent /root-files /
COPY --from=agent /image /app
COPY --from=render /image /app
COPY --from=sbom /image /app
COPY bin/setpoint.js /app/bin/
COPY package.json LICENSE /app/
# Half of the container's memory for JavaScript: a render takes up to 256 MiB beside it.
# And two pools for what is not JavaScript, instead of one for each thread: about 30 MiB less.
ENV NODE_ENV=production \
    NODE_OPTIONS="--max-old-space-size-percentage=50 --disable-proto=delete" \
    MALLOC_ARENA_MAX=2 \
    XDG_STATE_HOME=/var/lib \
    XDG_CACHE_HOME=/var/lib/setpoint/cache
# Also where it is told a repository: the check below asks there.
ENV SETPOINT_LISTEN_OPERATIONS=0.0.0.0:8081
# All else is only read: --read-only needs these two, and nothing more.
VOLUME ["/var/lib/setpoint", "/tmp"]
USER 65532:65532
EXPOSE 8080 8081
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["/nodejs/bin/node", "-e", "fetch('http://127.0.0.1:8081/healthz').then(({ ok }) => { process.exitCode = ok ? 0 : 1; }, () => { process.exitCode = 1; })"]
ENTRYPOINT ["/usr/local/bin/setpoint"]
CMD ["run"]
