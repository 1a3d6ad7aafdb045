import type { TestApi } from "./api.ts";
import { waitFor } from "./wait.ts";

/**
 * A streamed step as a client receives it: the events that the test sends, followed by the step that the service runs.
 */
export type ScriptedStep = {
  readonly headers: Headers;
  send(event: string, data: object, id?: string): void;
  cut(): void;
  /** Runs the step and sends its response. */
  finish(): Promise<void>;
  isGone(): boolean;
};

export type ScriptedSteps = {
  readonly origin: string;
  /** The connections of clients that accept events, so far. */
  readonly steps: readonly ScriptedStep[];
  /** Resolves to the next connection once it is open. */
  next(): Promise<ScriptedStep>;
  /** The paths of requests to stop a step. */
  readonly stops: readonly string[];
  /** Sets the status of the responses to such requests from now on. */
  answerStops(status: number): void;
  close(): Promise<void>;
};

/** Starts a service for which the test sends the events of each step. */
export function scriptSteps(api: Pick<TestApi, "handle">): ScriptedSteps {
  const steps: ScriptedStep[] = [];
  const stops: string[] = [];
  let seen = 0;
  let stopStatus = 200;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    // On a busy machine, there may be a long time between two events.
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
      // Skips requests of closed pages, which may have been repeated just before the pages were closed.
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
