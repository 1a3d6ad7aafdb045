import { systemClock } from "../../concurrency/clock.ts";
import { findJsonFault } from "../../editing/json-position.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits.ts";
import type { Admission } from "../../rate-limits/rate-limits.ts";
import { dueMs, inTime, type Pace, pacedChunks } from "./paced-body.ts";

export type BodyBounds = Partial<Pace> & {
  readonly maxBytes: number;
  /** Waited for once all of the body is here, before anything is made of it: reading much takes as long as many other requests. */
  readonly turn?: (() => Promise<void>) | undefined;
  /** Counts its bytes: those that it announces before it is read, otherwise those that came. */
  readonly count?: ((bytes: number) => Promise<void> | undefined) | undefined;
};

/** Counts the kilobytes of bodies without a token for their address. Those below one are bounded by what their requests count as. */
export function counterOf({ admit, address }: Admission): (bytes: number) => Promise<void> | undefined {
  return (bytes) => {
    // More is not read in any case.
    const kilobytes = Math.floor(Math.min(bytes, limits.request.managementBodyBytes) / 1024);
    return kilobytes > 0 ? admit("kilobytes", { address }, kilobytes) : undefined;
  };
}

/** Bun gives a body at once for a tenth of what reading its chunks costs. This much arrives soon enough to be waited for as a whole. */
const smallBytes = 64 * 1024;

const utf8 = new TextDecoder();

const jsonType = /^application\/([\w.-]+\+)?json\s*(;|$)/i;
const escapesThatNeedCare = /\\u(0000|d[89a-f])/i;

/**
 * The JSON body of a request, read by ours instead of by Elysia: bytes are counted while they come in (chunked too),
 * `__proto__` and unknown keys stay ordinary keys, and U+0000 and unpaired surrogates become U+FFFD in values and keys.
 * An empty body is `{}`. Throws `request.too_large`, `request.too_slow` or `request.malformed`.
 */
export async function readJsonBody(request: Request, bounds: BodyBounds): Promise<unknown> {
  const bytes = await readBytes(request, bounds);
  if (bounds.turn) await bounds.turn();
  const text = utf8.decode(bytes);
  if (text.trim() === "") return {};
  const contentType = request.headers.get("content-type");
  if (contentType !== null && !jsonType.test(contentType.trim())) throw wrongType(contentType);
  return parseJson(text);
}

/** The JSON value of a text that came from outside, made safe to store. Throws `request.malformed`. */
export function parseJson(text: string): unknown {
  const value = parse(text);
  // Shorter texts cannot nest too deeply.
  if (text.length > limits.request.jsonDepth) refuseDeep(value, 0);
  return escapesThatNeedCare.test(text) ? clean(value) : value;
}

/** The text with U+0000 and unpaired surrogates as U+FFFD. */
export function cleanText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}

/** The body of a request, counted and timed while it comes in. Throws `request.too_large` or `request.too_slow`. */
export async function readBytes(request: Request, { count, ...bounds }: BodyBounds): Promise<Uint8Array<ArrayBuffer>> {
  const announced = request.headers.get("content-length");
  if (announced !== null) await count?.(Number(announced));
  const bytes = await readAnnounced(request, announced, bounds);
  if (announced === null) await count?.(bytes.byteLength);
  return bytes;
}

async function readAnnounced(
  request: Request,
  announced: string | null,
  { maxBytes, withinMs = limits.request.bodyMs, clock = systemClock }: BodyBounds,
): Promise<Uint8Array<ArrayBuffer>> {
  const length = announced === null ? Number.POSITIVE_INFINITY : Number(announced);
  if (announced !== null && length > maxBytes) throw tooLarge(maxBytes);
  // Asked for `body`, Bun makes a stream of what it has already.
  if (length > smallBytes)
    return request.body ? readCounted(pacedChunks(request.body, { withinMs, clock }), maxBytes) : new Uint8Array();
  const bytes = await inTime(request.bytes(), dueMs(length, withinMs), clock);
  // Bun holds a request to the length it announces, but nothing holds one to it that tests make.
  if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes);
  return bytes;
}

async function readCounted(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of chunks) {
    size += part.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function tooLarge(maxBytes: number): AppError {
  return new AppError("request.too_large", { data: { maxBytes } });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notJson(text, error);
  }
}

function notJson(text: string, cause: unknown): AppError {
  const position = findJsonFault(text, { depth: limits.request.jsonDepth });
  if (!position) return new AppError("request.malformed", { cause });
  const { line, column } = position;
  const message = `The body is not valid JSON: see line ${line}, column ${column}.`;
  return new AppError("request.malformed", { message, data: position, cause });
}

function wrongType(contentType: string): AppError {
  const shown = JSON.stringify(contentType.slice(0, 100));
  const message = `This endpoint takes JSON: send the header Content-Type: application/json instead of ${shown}.`;
  return new AppError("request.malformed", { message });
}

function refuseDeep(value: unknown, depth: number): void {
  if (value === null || typeof value !== "object") return;
  if (depth === limits.request.jsonDepth) {
    throw new AppError("request.malformed", {
      message: `The body nests more than ${limits.request.jsonDepth} levels.`,
    });
  }
  // A list of millions is not copied: `Object.values` takes seconds for it (Bun 1.4.4: 16 s for four million numbers, this 30 ms).
  for (const child of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof child === "object") refuseDeep(child, depth + 1);
  }
}

function clean(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(clean);
  const copy = {};
  for (const [key, child] of Object.entries(value)) {
    // Assigning to `__proto__` would set the prototype instead of a key.
    Object.defineProperty(copy, cleanText(key), {
      value: clean(child),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return copy;
}
