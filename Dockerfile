# Two stages: build with the toolchain, run with the C libraries only. Both take their packages from scripts/setup, so that the
# image and a developer's machine cannot drift apart.
FROM swift:6.3-bookworm AS build
WORKDIR /src
COPY scripts/setup scripts/setup
RUN scripts/setup
COPY . .
RUN swift build -c release --product bolrach --static-swift-stdlib

FROM debian:bookworm-slim
COPY scripts/setup /usr/local/lib/bolrach/setup
RUN /usr/local/lib/bolrach/setup --runtime && rm -rf /var/lib/apt/lists/* \
 && useradd --system --home-dir /var/lib/bolrach --create-home bolrach
COPY --from=build /src/.build/release/bolrach /usr/local/bin/bolrach
COPY migrations /usr/local/share/bolrach/migrations
COPY openapi.json /usr/local/share/bolrach/openapi.json
USER bolrach
WORKDIR /var/lib/bolrach
EXPOSE 8080
ENTRYPOINT ["bolrach"]
CMD ["serve"]
