import { connect, type Socket } from "node:net";

/**
 * A load balancer that polls each node's `/api/readyz` and distributes requests in rotation to the ready nodes. It
 * keeps connections to the nodes alive and never sends a request twice. Its own failures result in 502 or 503, and are
 * listed in `failures`.
 */
export type Balancer = {
  readonly url: string;
  readonly failures: readonly string[];
  /** Returns the nodes that currently receive requests. */
  inRotation(): readonly string[];
  /** Returns the number of open connections to a node, busy or idle. */
  connectionsTo(node: string): number;
  /** The number of opened connections, and of requests on connections that were already open. */
  readonly counts: { opened: number; reused: number };
  close(): Promise<void>;
};

const checkTimeoutMs = 2_000;

/** Starts a balancer. `nodes` is called before each round of checks, because nodes are added and removed. */
export function startBalancer(nodes: () => readonly string[], { checkEveryMs }: { checkEveryMs: number }): Balancer {
  let backends: readonly Backend[] = [];
  const failures: string[] = [];
  const counts = { opened: 0, reused: 0 };
  let turn = 0;
  let isClosed = false;

  const connectionTo = (backend: Backend): Connection => {
    const idle = backend.idle.pop();
    if (idle) {
      counts.reused++;
      return idle;
    }
    counts.opened++;
    const connection = openConnection(backend.node, () => {
      backend.open.delete(connection);
      backend.idle = backend.idle.filter((kept) => kept !== connection);
    });
    backend.open.add(connection);
    return connection;
  };
  const forward = async (request: Request): Promise<Response> => {
    const ready = backends.filter(({ isReady }) => isReady);
    const backend = ready[turn++ % Math.max(1, ready.length)];
    const path = request.url.slice(new URL(request.url).origin.length);
    const fail = (status: number, what: string): Response => {
      failures.push(`${request.method} ${path} ${what}`);
      return new Response(what, { status });
    };
    if (!backend) return fail(503, "no node is ready");
    const body = Buffer.from(await request.arrayBuffer());
    const connection = connectionTo(backend);
    try {
      const answer = await connection.ask(requestText(request, path, backend.node, body), request.method === "HEAD");
      if (answer.isLast) connection.end();
      else backend.idle.push(connection);
      return answer.response;
    } catch (error) {
      return fail(502, `to ${backend.node}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const check = async (backend: Backend): Promise<void> => {
    const signal = AbortSignal.timeout(checkTimeoutMs);
    try {
      const answer = await fetch(`${backend.node}/api/readyz`, { keepalive: false, signal });
      backend.isReady = answer.status === 200;
      await answer.body?.cancel();
    } catch {
      // A single slow check may be caused by a busy machine, so the node remains in rotation.
      if (!signal.aborted) backend.isReady = false;
    }
  };
  const keepChecking = async (): Promise<void> => {
    while (!isClosed) {
      backends = nodes().map(
        (node) => backends.find((known) => known.node === node) ?? { node, isReady: false, idle: [], open: new Set() },
      );
      await Promise.all(backends.map(check));
      await Bun.sleep(checkEveryMs);
    }
  };
  const checks = keepChecking();
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, idleTimeout: 255, fetch: forward });
  return {
    url: server.url.origin,
    failures,
    counts,
    inRotation: () => backends.filter(({ isReady }) => isReady).map(({ node }) => node),
    connectionsTo: (node) => backends.find((backend) => backend.node === node)?.open.size ?? 0,
    async close() {
      isClosed = true;
      await server.stop(true);
      await checks;
      for (const { open } of backends) for (const connection of open) connection.end();
    },
  };
}

type Backend = { readonly node: string; isReady: boolean; idle: Connection[]; readonly open: Set<Connection> };

type Answer = { readonly response: Response; readonly isLast: boolean };

type Connection = {
  /** Sends one request and resolves to the whole response. Rejects if the connection ends first. */
  ask(request: Buffer, hasNoBody: boolean): Promise<Answer>;
  end(): void;
};

function openConnection(node: string, onClose: () => void): Connection {
  const { hostname, port } = new URL(node);
  const socket: Socket = connect(Number(port), hostname);
  let received = Buffer.alloc(0);
  let look = (): void => {};
  let fail = (_error: Error): void => {};
  let problem = "the connection was closed";
  socket.on("data", (data: Buffer) => {
    received = Buffer.concat([received, data]);
    look();
  });
  socket.on("error", (error) => {
    problem = error.message;
  });
  socket.on("close", () => {
    onClose();
    fail(new Error(received.length === 0 ? problem : `${problem} within an answer`));
  });
  return {
    ask(request, hasNoBody) {
      received = Buffer.alloc(0);
      return new Promise((resolve, reject) => {
        fail = reject;
        look = () => {
          const answer = readAnswer(received, hasNoBody);
          if (answer) resolve(answer);
        };
        if (socket.destroyed) reject(new Error(problem));
        else socket.write(request);
      });
    },
    end: () => void socket.destroy(),
  };
}

/** Headers that apply to one connection, or that the balancer sets itself. */
const ownHeaders = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "content-length",
  "host",
  "accept-encoding",
]);

function requestText(request: Request, path: string, node: string, body: Buffer): Buffer {
  const headers = [...request.headers].filter(([name]) => !ownHeaders.has(name));
  const lines = [
    `${request.method} ${path} HTTP/1.1`,
    `host: ${new URL(node).host}`,
    `content-length: ${body.length}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), body]);
}

/** Parses the response, or returns undefined while it is incomplete. */
function readAnswer(received: Buffer, hasNoBody: boolean): Answer | undefined {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const [statusLine = "", ...lines] = received.subarray(0, end).toString("latin1").split("\r\n");
  const headers = new Headers(
    lines.map((line): [string, string] => [line.split(":")[0] ?? "", line.replace(/^[^:]*:\s*/, "")]),
  );
  const status = Number(statusLine.split(" ")[1]);
  const rest = received.subarray(end + 4);
  const isEmpty = hasNoBody || status === 204 || status === 304;
  const length = Number(headers.get("content-length") ?? 0);
  const body = isEmpty
    ? Buffer.alloc(0)
    : headers.has("transfer-encoding")
      ? readChunks(rest)
      : readExactly(rest, length);
  if (!body) return undefined;
  const isLast = headers.get("connection")?.toLowerCase() === "close";
  for (const name of ownHeaders) headers.delete(name);
  return { response: new Response(isEmpty ? null : new Uint8Array(body), { status, headers }), isLast };
}

function readExactly(bytes: Buffer, length: number): Buffer | undefined {
  return bytes.length < length ? undefined : bytes.subarray(0, length);
}

function readChunks(bytes: Buffer): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    const size = Number.parseInt(bytes.subarray(at, Math.max(at, lineEnd)).toString("latin1"), 16);
    if (lineEnd < 0 || bytes.length < lineEnd + 2 + size + 2) return undefined;
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}
