import type { IncomingMessage } from "node:http";
import { hostOf, requirePermitted } from "../../core/flow/outgoing-rules.ts";
import { limits } from "../../limits/index.ts";
import type { Clock } from "../../platform/concurrency/clock.ts";
import { type ArrivedBytes, createArrivedBytes, type HoldMs } from "./arrived-bytes.ts";
import { asCallError, FailedCall, type Hop, isPlain, type OpenRules, open, send } from "./safe-fetch-exchange.ts";

/**
 * The timeouts of a response: until the first byte of its body, between two later pieces, and for the entire response.
 */
export type ReadTimes = { readonly firstByteMs: number; readonly silenceMs: number; readonly timeoutMs: number };

/**
 * A response whose status and headers are available immediately, and whose body is streamed. Reading a body that was
 * interrupted throws a FailedCall.
 */
export type StreamedResponse = {
  readonly status: number;
  /** The headers by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** Cancelling the body ends the call. */
  readonly body: ReadableStream<Uint8Array>;
};

type ReadingRules = OpenRules & {
  readonly times: ReadTimes;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  /** Whether a redirect is returned like any other response. */
  readonly givesRedirects: boolean;
  /** The maximum size of a response in bytes. */
  readonly maxBytes: number;
  /** Returns how long bytes may be delayed so that they are delivered together with later bytes. */
  readonly holdMs: HoldMs;
  /** Called once when the call ends. `address` is set if the connection can be reused. */
  onEnd(end: { readonly error?: Error; readonly address?: string | undefined }): void;
};

/**
 * Sends one request and returns its response as it arrives.
 *
 *     opening ─ the status and headers arrive ────────────────────→ reading: the response is returned
 *     opening ─ rejected, broken, timed out, aborted, redirected ─→ failed: the call throws
 *     reading ─ a chunk arrives ──────────────────────────────────→ reading: the silence timeout starts again
 *     reading ─ `unreadBytes` are not read yet ───────────────────→ paused: the sender waits, without a silence timeout
 *     paused ─ the reader has read the bytes ─────────────────────→ reading
 *     reading ─ the response is complete ─────────────────────────→ ended
 *     reading, paused ─ broken, too long, timed out, aborted ─────→ failed: the reader throws after all earlier bytes
 *     reading, paused ─ the reader cancels ───────────────────────→ ended, with the connection closed
 */
export function readAnswer(hop: Hop, rules: ReadingRules): Promise<StreamedResponse> {
  const { times, clock, signal, holdMs, onEnd } = rules;
  return new Promise((resolve, reject) => {
    const host = hostOf(hop.url);
    let arrived: ArrivedBytes | undefined;
    let isOver = false;
    let stopSilence = (): void => {};
    let pieceAt: number | undefined;

    let address: string | undefined;
    const end = (
      notify: () => void,
      { keepsConnection = false, error }: { keepsConnection?: boolean; error?: Error } = {},
    ): void => {
      if (isOver) return;
      isOver = true;
      stopSilence();
      stopAll();
      signal?.removeEventListener("abort", onAbort);
      notify();
      onEnd({ ...(error && { error }), ...(keepsConnection && { address }) });
      if (!keepsConnection) request.destroy();
    };
    const fail = (cause: unknown): void => {
      const error = asCallError(cause, request.reusedSocket && !arrived ? "stale" : "network");
      end(() => (arrived ? arrived.fail(error) : reject(error)), { error });
    };
    const timeOver = (message: string) => (): void => fail(new FailedCall("timeout", message));
    /** A single timer checks when the last piece arrived, instead of one timer per piece. */
    const watchSilence = (ms = times.silenceMs): void => {
      stopSilence = clock.startTimer(ms, () => {
        const leftMs = (pieceAt ?? 0) + times.silenceMs - clock.now();
        if (leftMs > 0) watchSilence(leftMs);
        else timeOver(`No data arrived within ${times.silenceMs} ms`)();
      });
    };
    const onAbort = (): void => fail(new FailedCall("network", "The call was aborted", { cause: signal?.reason }));

    try {
      requirePermitted(host, rules);
    } catch (error) {
      onEnd({});
      return reject(error);
    }
    const request = open(hop, host, rules);
    const stopAll = clock.startTimer(
      times.timeoutMs,
      timeOver(`The response was not complete within ${times.timeoutMs} ms`),
    );
    // The listener is added before the response can be destroyed, because an error without a listener ends the process.
    request.on("error", fail);
    if (signal?.aborted) return onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
    stopSilence = clock.startTimer(times.firstByteMs, timeOver(`There was no response within ${times.firstByteMs} ms`));
    request.on("upgrade", (_, socket) => {
      socket.destroy();
      fail(new FailedCall("answer", "The server requests another protocol"));
    });
    request.on("response", (response) => {
      const problem = problemOf(response, rules);
      address = request.socket?.remoteAddress;
      response.on("error", fail);
      if (problem) return fail(problem);
      const bounds = createBounds(response, rules);
      let isHeldBack = false;
      const body = createArrivedBytes({
        clock,
        holdMs,
        onRead() {
          if (!isHeldBack || isOver) return;
          isHeldBack = false;
          pieceAt = clock.now();
          watchSilence();
          response.resume();
        },
        onCancel: () => end(() => {}),
      });
      arrived = body;
      response.on("data", (piece: Buffer) => {
        if (isOver) return;
        const tooLong = bounds.add(piece);
        if (tooLong) return fail(tooLong);
        if (pieceAt === undefined) {
          stopSilence();
          watchSilence();
        }
        pieceAt = clock.now();
        body.add(piece);
        if (body.waiting() < limits.streams.unreadBytes) return;
        isHeldBack = true;
        stopSilence();
        response.pause();
      });
      response.on("end", () => {
        if (response.complete) end(() => body.close(), { keepsConnection: true });
      });
      response.on("close", () => {
        if (!response.complete) fail(new Error("The connection was closed before the response was complete"));
      });
      resolve({ status: response.statusCode ?? 0, headers: headersOf(response), body: body.body });
    });
    request.on("close", () => {
      if (!arrived) fail(new Error("The connection was closed before there was a response"));
    });
    send(request, hop, fail);
  });
}

function problemOf(
  { statusCode = 0, headers }: IncomingMessage,
  { givesRedirects }: Pick<ReadingRules, "givesRedirects">,
): FailedCall | undefined {
  if (!givesRedirects && statusCode >= 300 && statusCode < 400) {
    return new FailedCall("answer", "The server redirects to another address, and this call follows no redirects");
  }
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "";
  return isPlain(encoding)
    ? undefined
    : new FailedCall("answer", "The response is compressed, although the request did not allow this");
}

/**
 * Counts the bytes of the body. For event streams, the length of each line is also limited, because the reader keeps
 * the line in memory.
 */
function createBounds({ headers }: IncomingMessage, { maxBytes: answerBytes }: Pick<ReadingRules, "maxBytes">) {
  const hasLines = headers["content-type"]?.includes("text/event-stream") ?? false;
  const lineBytes = limits.streams.lineBytes;
  const lineEnd = 0x0a;
  let bytes = 0;
  let line = 0;
  return {
    add(piece: Buffer): FailedCall | undefined {
      bytes += piece.byteLength;
      if (bytes > answerBytes) return new FailedCall("answer", `The response is larger than ${answerBytes} bytes`);
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
