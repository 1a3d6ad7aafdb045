import type { IncomingMessage } from "node:http";
import type { Clock } from "../concurrency/clock.ts";
import { limits } from "../limits.ts";
import { hostOf, requirePermitted } from "../outgoing-rules.ts";
import { asCallError, FailedCall, type Hop, isPlain, type OpenRules, open, send } from "./safe-fetch-exchange.ts";

/** How long an answer may take: until the first byte of its body, between two pieces afterwards, and for all of it. */
export type ReadTimes = { readonly firstByteMs: number; readonly silenceMs: number; readonly timeoutMs: number };

/** Status and headers at once; the body as it comes. Reading it throws a FailedCall where it breaks off. */
export type StreamedResponse = {
  readonly status: number;
  /** Under lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
  /** Cancelling it ends the call. */
  readonly body: ReadableStream<Uint8Array>;
};

type ReadingRules = OpenRules & {
  readonly times: ReadTimes;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  /** Whether an answer that leads elsewhere is given like any other. */
  readonly givesRedirects: boolean;
  /** Of an answer. */
  readonly maxBytes: number;
  /** Called once, however it ends. */
  onEnd(): void;
};

/**
 * Sends one request and gives its answer as it comes.
 *
 *     opening ─ status and headers are there ────────────────────────────→ reading: the response is given
 *     opening ─ refused, broken, time over, aborted, leads elsewhere ────→ failed: the call throws
 *     reading ─ a piece comes ───────────────────────────────────────────→ reading; the time of silence begins anew
 *     reading ─ `pieces` bytes wait for the reader ──────────────────────→ held back: the sender waits, and no silence is counted
 *     held back ─ the reader has taken some ─────────────────────────────→ reading
 *     reading ─ the answer is complete ──────────────────────────────────→ ended
 *     reading, held back ─ broken, too long, time over, aborted ─────────→ failed: the reader throws, once it has what came before
 *     reading, held back ─ the reader cancels ───────────────────────────→ ended, and the connection with it
 */
export function readAnswer(hop: Hop, rules: ReadingRules): Promise<StreamedResponse> {
  const { times, clock, signal, onEnd } = rules;
  return new Promise((resolve, reject) => {
    const host = hostOf(hop.url);
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    let isOver = false;
    let stopSilence = (): void => {};

    const end = (tell: () => void, { keepsConnection = false } = {}): void => {
      if (isOver) return;
      isOver = true;
      stopSilence();
      stopAll();
      signal?.removeEventListener("abort", onAbort);
      tell();
      onEnd();
      if (!keepsConnection) request.destroy();
    };
    const fail = (error: unknown): void =>
      end(() => (controller ? controller.error(asCallError(error, "network")) : reject(asCallError(error, "network"))));
    const timeOver = (message: string) => (): void => fail(new FailedCall("timeout", message));
    const waitFor = (ms: number, what: string): void => {
      stopSilence();
      stopSilence = clock.startTimer(ms, timeOver(`There was ${what} within ${ms} ms`));
    };
    const onAbort = (): void => fail(new FailedCall("network", "The call was broken off", { cause: signal?.reason }));

    try {
      requirePermitted(host, rules);
    } catch (error) {
      onEnd();
      return reject(error);
    }
    const request = open(hop, host, rules);
    const stopAll = clock.startTimer(
      times.timeoutMs,
      timeOver(`There was no whole answer within ${times.timeoutMs} ms`),
    );
    // Before anything can destroy it: an error that nobody listens to ends the process.
    request.on("error", fail);
    if (signal?.aborted) return onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
    waitFor(times.firstByteMs, "no answer");
    request.on("upgrade", (_, socket) => {
      socket.destroy();
      fail(new FailedCall("answer", "The server wants to change the protocol"));
    });
    request.on("response", (response) => {
      const problem = problemOf(response, rules);
      response.on("error", fail);
      if (problem) return fail(problem);
      const bounds = createBounds(response, rules);
      const pieces = new ByteLengthQueuingStrategy({ highWaterMark: limits.streams.unreadBytes });
      const body = new ReadableStream<Uint8Array>(
        {
          start(started) {
            controller = started;
          },
          pull() {
            if (!response.isPaused()) return;
            response.resume();
            waitFor(times.silenceMs, "nothing");
          },
          cancel: () => end(() => {}),
        },
        pieces,
      );
      response.on("data", (piece: Buffer) => {
        if (isOver) return;
        const tooLong = bounds.add(piece);
        if (tooLong) return fail(tooLong);
        controller?.enqueue(new Uint8Array(piece));
        if ((controller?.desiredSize ?? 0) > 0) return waitFor(times.silenceMs, "nothing");
        response.pause();
        stopSilence();
      });
      response.on("end", () => {
        if (response.complete) end(() => controller?.close(), { keepsConnection: true });
      });
      response.on("close", () => {
        if (!response.complete) fail(new Error("The connection was closed before the answer was complete"));
      });
      resolve({ status: response.statusCode ?? 0, headers: headersOf(response), body });
    });
    request.on("close", () => {
      if (!controller) fail(new Error("The connection was closed before there was an answer"));
    });
    send(request, hop, fail);
  });
}

function problemOf(
  { statusCode = 0, headers }: IncomingMessage,
  { givesRedirects }: Pick<ReadingRules, "givesRedirects">,
): FailedCall | undefined {
  if (!givesRedirects && statusCode >= 300 && statusCode < 400) {
    return new FailedCall("answer", "The server leads elsewhere, and this call follows no redirect");
  }
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "";
  return isPlain(encoding) ? undefined : new FailedCall("answer", "The answer is compressed, which was not asked for");
}

/** Counts what comes; of events also the length of each line, which whoever reads them would hold in memory. */
function createBounds({ headers }: IncomingMessage, { maxBytes: answerBytes }: Pick<ReadingRules, "maxBytes">) {
  const hasLines = headers["content-type"]?.includes("text/event-stream") ?? false;
  const lineBytes = limits.streams.lineBytes;
  const lineEnd = 0x0a;
  let bytes = 0;
  let line = 0;
  return {
    add(piece: Buffer): FailedCall | undefined {
      bytes += piece.byteLength;
      if (bytes > answerBytes) return new FailedCall("answer", `The answer is larger than ${answerBytes} bytes`);
      if (!hasLines) return undefined;
      const first = piece.indexOf(lineEnd);
      const longest = line + (first === -1 ? piece.byteLength : first);
      line = first === -1 ? longest : piece.byteLength - 1 - piece.lastIndexOf(lineEnd);
      const isTooLong = longest > lineBytes || line > lineBytes;
      return isTooLong ? new FailedCall("answer", `A line is longer than ${lineBytes} bytes`) : undefined;
    },
  };
}

function headersOf({ headers }: IncomingMessage): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );
}
