import { connect, type Socket } from "node:net";

/** The bytes of a request, and whether its connection may be reused. */
export type WireRequest = { readonly method: string; readonly bytes: Uint8Array; readonly keeps: boolean };

/** The outcome of a request: a response, a closed connection without a response, or silence until the time limit. */
export type WireOutcome = Answered | { readonly kind: "closed" } | { readonly kind: "silent" };

export type Answered = {
  readonly kind: "answered";
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
};

/** A minimal client that can send invalid bytes. It reuses its connection where possible. */
export type Wire = {
  exchange(request: WireRequest, withinMs: number): Promise<WireOutcome>;
  close(): void;
};

export function openWire({ host, port }: { host: string; port: number }): Wire {
  let socket: Socket | undefined;
  const drop = () => {
    socket?.destroy();
    socket = undefined;
  };
  return {
    exchange({ method, bytes, keeps: mayKeep }, withinMs) {
      const { promise, resolve } = Promise.withResolvers<WireOutcome>();
      let received: Buffer = Buffer.alloc(0);
      const here = socket?.destroyed === false ? socket : connect({ host, port, noDelay: true });
      socket = here;
      const settle = (outcome: WireOutcome, keeps: boolean) => {
        clearTimeout(timer);
        here.removeAllListeners("data").removeAllListeners("close").removeAllListeners("error");
        here.on("error", () => {});
        if (!keeps) drop();
        resolve(outcome);
      };
      const timer = setTimeout(() => settle({ kind: "silent" }, false), withinMs);
      here.on("data", (chunk: Buffer) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
        const answer = readAnswer(received, { method, isOver: false });
        if (answer) settle(answer, mayKeep && answer.headers.get("connection") !== "close" && answer.status < 400);
      });
      here.on("close", () => settle(readAnswer(received, { method, isOver: true }) ?? { kind: "closed" }, false));
      here.on("error", () => {});
      here.write(bytes);
      return promise;
    },
    close: drop,
  };
}

const headEnd = Buffer.from("\r\n\r\n");

/** Parses the response at the start of the received bytes, once it is complete. */
function readAnswer(received: Buffer, { method, isOver }: { method: string; isOver: boolean }): Answered | undefined {
  const end = received.indexOf(headEnd);
  if (end === -1) return undefined;
  const [first = "", ...lines] = received.toString("latin1", 0, end).split("\r\n");
  const status = Number(first.split(" ")[1]);
  const rest = received.subarray(end + headEnd.length);
  // An interim response is followed by the final response.
  if (status === 100) return readAnswer(rest, { method, isOver });
  const headers = new Headers();
  for (const line of lines) headers.append(line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim());
  const body = bodyOf(rest, headers, { isOver, hasNone: method === "HEAD" || status === 204 || status === 304 });
  return body && { kind: "answered", status, headers, body };
}

function bodyOf(rest: Buffer, headers: Headers, { isOver, hasNone }: { isOver: boolean; hasNone: boolean }) {
  if (hasNone) return Buffer.alloc(0);
  if (headers.get("transfer-encoding") === "chunked") return joinChunks(rest);
  const length = headers.get("content-length");
  if (length === null) return isOver ? rest : undefined;
  return rest.length >= Number(length) ? rest.subarray(0, Number(length)) : undefined;
}

function joinChunks(rest: Buffer): Buffer | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = rest.indexOf("\r\n", at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(rest.toString("latin1", at, lineEnd), 16);
    const start = lineEnd + 2;
    if (rest.length < start + size + 2) return undefined;
    if (size === 0) return Buffer.concat(parts);
    parts.push(rest.subarray(start, start + size));
    at = start + size + 2;
  }
}
