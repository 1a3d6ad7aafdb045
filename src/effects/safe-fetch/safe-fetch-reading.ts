import type { IncomingMessage } from "node:http";
import { hostOf, requirePermitted } from "../../core/flow/outgoing-rules.ts";
import { limits } from "../../limits/index.ts";
import type { Clock } from "../../platform/concurrency/clock.ts";
import { type ArrivedBytes, createArrivedBytes, type HoldMs } from "./arrived-bytes.ts";
import { asCallError, FailedCall, type Hop, isPlain, type OpenRules, open, send } from "./safe-fetch-exchange.ts";

/** The timeouts of a response: until the first byte of its body, between two pieces afterwards, and for all of it. */
export type ReadTimes = { readonly firstByteMs: number; readonly silenceMs: number; readonly timeoutMs: number };

/** Status and headers at once; the body as it arrives. Reading the body throws a FailedCall if it breaks off. */
export type StreamedResponse = {
  readonly status: number;
  /** The headers under lower-case names. */
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
  /** The limit of an answer in bytes. */
  readonly maxBytes: number;
  /** How long bytes may be held back, to be delivered together with later ones. */
  readonly holdMs: HoldMs;
  /**
   * Called once when the call ends: with the failure, or with the address of its connection, if the connection can be
   * reused.
   */
  onEnd(end: { readonly error?: Error; readonly address?: string | undefined }): void;
};

/**
 * Sends one request and returns its response as it arrives.
 *
 *     opening ─ status and headers are there ────────────────────────────→ reading: the response is given
 *     opening ─ refused, broken, time over, aborted, leads elsewhere ────→ failed: the call throws
 *     reading ─ a piece comes ───────────────────────────────────────────→ reading; the time of silence starts again
 *     reading ─ `unreadBytes` wait for the reader ───────────────────────→ held back: the sender waits, and no silence is counted
 *     held back ─ the reader has taken them ─────────────────────────────→ reading
 *     reading ─ the answer is complete ──────────────────────────────────→ ended
 *     reading, held back ─ broken, too long, time over, aborted ─────────→ failed: the reader throws, after all earlier bytes
 *     reading, held back ─ the reader cancels ───────────────────────────→ ended, and the connection with it
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
    /** One timer that checks when the last piece arrived, in place of a timer for each piece. */
    const watchSilence = (ms = times.silenceMs): void => {
      stopSilence = clock.startTimer(ms, () => {
        const leftMs = (pieceAt ?? 0) + times.silenceMs - clock.now();
        if (leftMs > 0) watchSilence(leftMs);
        else timeOver(`There was nothing within ${times.silenceMs} ms`)();
      });
    };
    const onAbort = (): void => fail(new FailedCall("network", "The call was broken off", { cause: signal?.reason }));

    try {
      requirePermitted(host, rules);
    } catch (error) {
      onEnd({});
      return reject(error);
    }
    const request = open(hop, host, rules);
    const stopAll = clock.startTimer(
      times.timeoutMs,
      timeOver(`There was no whole answer within ${times.timeoutMs} ms`),
    );
    // Set before the response can be destroyed: an error without a listener ends the process.
    request.on("error", fail);
    if (signal?.aborted) return onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
    stopSilence = clock.startTimer(times.firstByteMs, timeOver(`There was no answer within ${times.firstByteMs} ms`));
    request.on("upgrade", (_, socket) => {
      socket.destroy();
      fail(new FailedCall("answer", "The server wants to change the protocol"));
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
        if (!response.complete) fail(new Error("The connection was closed before the answer was complete"));
      });
      resolve({ status: response.statusCode ?? 0, headers: headersOf(response), body: body.body });
    });
    request.on("close", () => {
      if (!arrived) fail(new Error("The connection was closed before there was an answer"));
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

/** Counts the body; for events also the length of each line, which its reader would hold in memory. */
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
