import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

export type Asked = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The parsed JSON body. Any other body results in an empty object. */
  readonly json: Readonly<Record<string, unknown>>;
};

/** The response of a fake. The default status is 200, and the default body is empty. */
export type Answer = {
  readonly status?: number;
  readonly json?: unknown;
  readonly text?: string;
  readonly bytes?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Failures of any provider. With `cut`, the response ends in the middle. */
export const faults = ["401", "403", "404", "429", "500", "hang", "malformed", "html", "cut"] as const;
export type Fault = (typeof faults)[number] | "503";
/** All faults that a test can plan, including some that few tests use. */
export type PlannedFault = Fault | "408" | "502" | "504";

export type FakeProvider = {
  /** The name of the provider in PROVIDER_URLS. */
  readonly name: string;
  readonly origin: string;
  readonly asked: readonly Asked[];
  /** Fails the next `times` requests that match `of`. With `isDone`, they still take effect. */
  fail(
    fault: PlannedFault,
    options?: { readonly times?: number; readonly of?: (asked: Asked) => boolean; readonly isDone?: boolean },
  ): void;
  recover(): void;
  /** Calls `watch` with each request before it is answered, until the returned function is called. */
  onAsked(watch: (asked: Asked) => PromiseLike<unknown> | undefined): () => void;
  close(): Promise<void>;
};

export type FakeSpec = {
  readonly name: string;
  readonly port?: number;
  answer(asked: Asked, response: ServerResponse): Answer | Promise<Answer>;
  /** Returns the body of an error in the provider's format. The body contains the key, like that of real providers. */
  refusal?(status: number, asked: Asked): unknown;
};

type Planned = {
  readonly fault: PlannedFault;
  left: number;
  readonly of: (asked: Asked) => boolean;
  readonly isDone: boolean;
};

/** Starts a fake of a provider on a loopback port, based on its public documentation. */
export async function startFake({ name, port = 0, answer, refusal = plainRefusal }: FakeSpec): Promise<FakeProvider> {
  const asked: Asked[] = [];
  const planned: Planned[] = [];
  const watches = new Set<(asked: Asked) => PromiseLike<unknown> | undefined>();
  const server = createServer(async (incoming, response) => {
    const one = await askedOf(incoming);
    asked.push(one);
    await Promise.all([...watches].map((watch) => watch(one)));
    const fault = planned.find(({ left, of }) => left > 0 && of(one));
    if (!fault) return send(response, await answer(one, response));
    fault.left--;
    if (fault.isDone) await answer(one, response);
    fails(response, fault.fault, (status) => refusal(status, one));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  return {
    name,
    origin: `http://127.0.0.1:${typeof address === "object" ? address?.port : port}`,
    asked,
    fail: (fault, { times = 1, of = () => true, isDone = false } = {}) =>
      void planned.push({ fault, left: times, of, isDone }),
    recover: () => void planned.splice(0),
    onAsked(watch) {
      watches.add(watch);
      return () => watches.delete(watch);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns the PROVIDER_URLS setting that makes a service call these fakes. */
export function providerUrls(fakes: readonly Pick<FakeProvider, "name" | "origin">[]): string {
  return fakes.map(({ name, origin }) => `${name}=${origin}`).join(",");
}

async function askedOf(incoming: IncomingMessage): Promise<Asked> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part);
  const text = Buffer.concat(parts).toString();
  const url = new URL(incoming.url ?? "/", "http://fake");
  return {
    method: incoming.method ?? "GET",
    path: url.pathname,
    query: url.searchParams,
    headers: Object.fromEntries(Object.entries(incoming.headers).map(([header, value]) => [header, String(value)])),
    text,
    json: jsonIn(text),
  };
}

function jsonIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

function send(response: ServerResponse, { status = 200, json, text, bytes, headers = {} }: Answer): void {
  // The handler has already sent the response, for example as a stream.
  if (response.headersSent) return;
  const type = json !== undefined ? { "content-type": "application/json" } : {};
  response.writeHead(status, { ...type, ...headers });
  response.end(json !== undefined ? JSON.stringify(json) : (bytes ?? text ?? ""));
}

function fails(response: ServerResponse, fault: PlannedFault, refusal: (status: number) => unknown): void {
  switch (fault) {
    case "hang":
      return;
    case "malformed":
      send(response, { text: '{"this is": no JSON', headers: { "content-type": "application/json" } });
      return;
    case "html":
      send(response, { text: "<html><h1>Sign in</h1></html>", headers: { "content-type": "text/html" } });
      return;
    case "cut":
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write('{"half":');
      response.socket?.destroySoon();
      return;
    default: {
      const status = Number(fault);
      send(response, { status, json: refusal(status) });
    }
  }
}

/** Returns an error that contains the rejected key, as the errors of real providers do. */
function plainRefusal(status: number, { headers }: Asked): unknown {
  const key = headers["authorization"] ?? headers["xc-token"] ?? headers["xi-api-key"] ?? "";
  return { message: `Refused with ${status}: ${key}` };
}
