import type { TestApi } from "./api.ts";
import { waitFor } from "./wait.ts";

/**
 * A step in the form that a client receives: the pieces that the test sends, then the step that the service itself
 * runs.
 */
export type ScriptedStep = {
  readonly headers: Headers;
  send(event: string, data: object, id?: string): void;
  /** Breaks the connection. */
  cut(): void;
  /** Runs the step, and sends its response. */
  finish(): Promise<void>;
  /** Whether its client has disconnected. */
  isGone(): boolean;
};

export type ScriptedSteps = {
  readonly origin: string;
  /** The connections so far, of clients that accept events as an answer. */
  readonly steps: readonly ScriptedStep[];
  /** The next connection, once it is open. */
  next(): Promise<ScriptedStep>;
  /** Addresses of the requested stops. */
  readonly stops: readonly string[];
  /** The answer of the next stop. */
  answerStops(status: number): void;
  close(): Promise<void>;
};

/** The service, whose step events the test sends. */
export function scriptSteps(api: Pick<TestApi, "handle">): ScriptedSteps {
  const steps: ScriptedStep[] = [];
  const stops: string[] = [];
  let seen = 0;
  let stopStatus = 200;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    // On a busy machine there may be a long time between two pieces.
    idleTimeout: 255,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname.endsWith("/stopAnswer") && request.method === "POST") {
        stops.push(pathname);
        return Response.json({}, { status: stopStatus });
      }
      const isStreamed = pathname.endsWith("/continueChat") && request.headers.get("accept")?.includes("event-stream");
      return isStreamed ? respond(request, await request.text()) : api.handle(request);
    },
  });
  const respond = (request: Request, body: string): Response => {
    const encoder = new TextEncoder();
    const stream = new TransformStream<Uint8Array, Uint8Array>();
    const writer = stream.writable.getWriter();
    const write = (text: string): void => void writer.write(encoder.encode(text)).catch(() => {});
    write(": begun\n\n");
    steps.push({
      headers: request.headers,
      send(event, data, id) {
        write(`event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`);
      },
      cut: () => void writer.abort().catch(() => {}),
      isGone: () => request.signal.aborted,
      async finish() {
        const headers = new Headers(request.headers);
        headers.delete("accept");
        const response = await api.handle(new Request(request.url, { method: "POST", headers, body }));
        write(`event: step\ndata: ${await response.text()}\n\n`);
        await writer.close().catch(() => {});
      },
    });
    return new Response(stream.readable, {
      headers: { "Content-Type": "text/event-stream", "Access-Control-Allow-Origin": "*" },
    });
  };
  return {
    origin: server.url.origin,
    steps,
    async next() {
      // Pages of earlier tests may have repeated their request just before they were closed.
      const isGone = () => steps[seen]?.isGone();
      const step = await waitFor(
        () => {
          while (isGone()) seen += 1;
          return steps[seen];
        },
        { what: "a request that takes events" },
      );
      seen += 1;
      return step;
    },
    stops,
    answerStops(status) {
      stopStatus = status;
    },
    close: () => server.stop(true),
  };
}
