# The single binary in an image of its own: it has everything it needs, an embedded PostgreSQL too. Without DATABASE_URL that one
# keeps its data in the volume; for several nodes see docker-compose.yml.
FROM oven/bun:1.4.4-debian AS build
WORKDIR /parley
COPY package.json bun.lock LICENSE ./
COPY scripts/patches scripts/patches
RUN bun install --frozen-lockfile
COPY src src
COPY workers workers
COPY sql sql
RUN bun src/build/binary.ts

FROM debian:bookworm-slim
RUN useradd --system --uid 10001 --home-dir /data --create-home parley
COPY --from=build /parley/dist/parley /usr/local/bin/parley
USER 10001
ENV DATA_DIR=/data
VOLUME /data
EXPOSE 3000 3001
STOPSIGNAL SIGTERM
# Whether the process is up: a database that is away is no reason to end the nodes. Balancers ask /api/readyz.
HEALTHCHECK --interval=10s --timeout=12s --start-period=60s --start-interval=1s --retries=6 CMD ["parley", "health"]
ENTRYPOINT ["parley"]
CMD ["serve"]
