# An image with the single binary and an embedded PostgreSQL. Without DATABASE_URL, the embedded database
# stores its data in the volume. For several nodes see docker-compose.yml.
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
# Checks the process only, so that an outage of the database does not restart the nodes. Balancers use /api/readyz.
HEALTHCHECK --interval=10s --timeout=12s --start-period=60s --start-interval=1s --retries=6 CMD ["parley", "health"]
ENTRYPOINT ["parley"]
CMD ["serve"]
