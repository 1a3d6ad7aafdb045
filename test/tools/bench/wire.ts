import { createServer, connect as openSocket, type Socket } from "node:net";

/** A statement on a connection of the service, with times in milliseconds since 1970. */
export type OnWire = {
  readonly connection: number;
  /** The time when the first byte arrived from the service. */
  readonly sentAt: number;
  /** The time when the last byte of the response arrived from the database. */
  readonly answeredAt: number;
  readonly bytes: number;
  readonly answerBytes: number;
};

/** A relay to the database that records the times of statements. */
export type Wire = {
  readonly url: string;
  /** Returns the statements that were answered since the last call. */
  take(): readonly OnWire[];
  close(): Promise<void>;
};

/**
 * Opens a relay that forwards each chunk of both sides immediately. A statement lasts from the first chunk after a
 * response to the last chunk of its own response.
 */
export async function openWire(databaseUrl: string): Promise<Wire> {
  const sockets = new Set<Socket>();
  let statements: OnWire[] = [];
  let connections = 0;
  const server = createServer({ noDelay: true }, (client) => {
    const database = openBehind(databaseUrl).setNoDelay();
    const connection = connections++;
    let current = { sentAt: 0, answeredAt: 0, bytes: 0, answerBytes: 0 };
    const end = () => {
      if (current.answeredAt > 0) statements.push({ connection, ...current });
      current = { sentAt: 0, answeredAt: 0, bytes: 0, answerBytes: 0 };
    };
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    client.on("data", (piece) => {
      if (current.answeredAt > 0) end();
      current.sentAt ||= now();
      current.bytes += piece.length;
      database.write(piece);
    });
    database.on("data", (piece) => {
      client.write(piece);
      current.answeredAt = now();
      current.answerBytes += piece.length;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The relay does not listen on a port");
  const url = new URL(databaseUrl);
  url.searchParams.delete("host");
  url.host = `127.0.0.1:${address.port}`;
  return {
    url: url.href,
    take() {
      const taken = statements;
      statements = [];
      return taken;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function now(): number {
  return performance.timeOrigin + performance.now();
}

function openBehind(databaseUrl: string): Socket {
  const { searchParams, hostname, port } = new URL(databaseUrl);
  const folder = searchParams.get("host");
  return folder === null ? openSocket(Number(port || 5432), hostname) : openSocket(`${folder}/.s.PGSQL.5432`);
}
