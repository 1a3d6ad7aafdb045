# The single binary in an image of its own. It needs a PostgreSQL: see docker-compose.yml.
FROM oven/bun:1.4.4-debian AS build
WORKDIR /parley
COPY package.json bun.lock ./
COPY scripts/patches scripts/patches
RUN bun install --frozen-lockfile
COPY src src
COPY workers workers
COPY sql sql
RUN bun src/build.ts

FROM debian:bookworm-slim
RUN useradd --system --uid 10001 --home-dir /data --create-home parley
COPY --from=build /parley/dist/parley /usr/local/bin/parley
USER parley
ENV DATA_DIR=/data
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
ENTRYPOINT ["parley"]
CMD ["serve"]
