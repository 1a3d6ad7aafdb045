import { connect } from "node:net";
import { waitFor } from "../support/wait.ts";

/** What stands before nodes: it asks each whether it is ready, sends requests to those that are, and never sends one twice. */
export type Balancer = {
  /** One request to one node. Throws when its connection ends before the answer is whole. */
  post(path: string, headers: Readonly<Record<string, string>>, body: string): Promise<Response>;
  /** Waits until so many nodes are in rotation. */
  hasReady(count: number): Promise<void>;
  close(): void;
};

const lookEveryMs = 200;
const lookTimeoutMs = 1_000;
const readyWithinMs = 60_000;

/** Connections are kept, as balancers do, until the node says otherwise. */
export function openBalancer(urls: () => readonly string[]): Balancer {
  const ready = new Set<string>();
  const idle = new Map<string, Connection[]>();
  let turn = 0;
  let isClosed = false;
  const look = async (url: string): Promise<void> => {
    const signal = AbortSignal.timeout(lookTimeoutMs);
    const isReady = await fetch(`${url}/api/readyz`, { signal, keepalive: false }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) ready.add(url);
    else ready.delete(url);
  };
  const keepLooking = async (): Promise<void> => {
    while (!isClosed) {
      const known = urls();
      for (const url of ready) if (!known.includes(url)) ready.delete(url);
      await Promise.all(known.map(look));
      await Bun.sleep(lookEveryMs);
    }
  };
  const open = (url: string): Connection => {
    const connection = openConnection(url, () => {
      idle.set(
        url,
        (idle.get(url) ?? []).filter((other) => other !== connection),
      );
    });
    return connection;
  };
  void keepLooking();
  return {
    async post(path, headers, body) {
      const candidates = [...ready];
      const url = candidates[turn++ % candidates.length];
      if (url === undefined) throw new Error("No node is ready");
      const { host } = new URL(url);
      if (!idle.has(url)) idle.set(url, []);
      const connection = idle.get(url)?.pop() ?? open(url);
      const lines = Object.entries({ ...headers, Host: host, "Content-Length": String(Buffer.byteLength(body)) });
      const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
      const response = await connection.send(`POST ${path} HTTP/1.1\r\n${head}\r\n${body}`);
      if (response.headers.get("connection") === "close") connection.end();
      else idle.get(url)?.push(connection);
      return response;
    },
    async hasReady(count) {
      await waitFor(() => ready.size === count, { withinMs: readyWithinMs, what: `${count} nodes in rotation` });
    },
    close() {
      isClosed = true;
      for (const connection of [...idle.values()].flat()) connection.end();
    },
  };
}

type Connection = {
  /** Sends a request and waits for its whole answer; one at a time. */
  send(request: string): Promise<Response>;
  end(): void;
};

function openConnection(url: string, onClose: () => void): Connection {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = Buffer.alloc(0);
  let waiting: PromiseWithResolvers<Response> | undefined;
  socket.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    const response = wholeAnswer(received);
    if (!response) return;
    received = Buffer.alloc(0);
    waiting?.resolve(response);
  });
  socket.on("error", () => socket.destroy());
  socket.on("close", () => {
    onClose();
    waiting?.reject(new Error(`The connection ended after ${received.length} bytes of the answer`));
  });
  return {
    send(request) {
      waiting = Promise.withResolvers();
      socket.write(request);
      return waiting.promise;
    },
    end: () => void socket.end(),
  };
}

function wholeAnswer(received: Buffer): Response | undefined {
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const [status = "", ...lines] = received.toString("latin1", 0, headEnd).split("\r\n");
  const headers = new Headers(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const body = received.subarray(headEnd + 4);
  if (body.length < Number(headers.get("content-length") ?? 0)) return undefined;
  return new Response(body.toString(), { status: Number(status.split(" ")[1]), headers });
}
