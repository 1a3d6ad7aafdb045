import { connect, createServer, type Socket } from "node:net";

/** A proxy for a server that closes connections in the middle of a response. */
export type CuttingProxy = {
  readonly origin: string;
  /** From now on, closes each connection after its responses have contained the mark this number of times. */
  cutAfter(times: number): void;
  cuts(): number;
  close(): Promise<void>;
};

/**
 * Forwards connections to one of these ports of this machine, and uses the next port after each cut. Counts the
 * occurrences of `mark` in the responses.
 */
export async function openCuttingProxy(ports: readonly number[], mark: string): Promise<CuttingProxy> {
  const open = new Set<Socket>();
  let limit = Number.POSITIVE_INFINITY;
  let cuts = 0;
  const server = createServer((client) => {
    const upstream = connect(ports[cuts % ports.length] ?? 0, "127.0.0.1");
    let times = 0;
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        open.delete(one);
        other.destroy();
      });
    }
    client.on("data", (chunk) => upstream.write(chunk));
    upstream.on("data", (chunk) => {
      times += chunk.toString("latin1").split(mark).length - 1;
      if (times < limit) {
        client.write(chunk);
        return;
      }
      cuts += 1;
      times = 0;
      client.write(chunk, () => client.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    cutAfter(times) {
      limit = times;
    },
    cuts: () => cuts,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
