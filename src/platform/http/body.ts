import { openBody } from "../../core/documents/incoming-body.ts";
import { parseJson } from "../../core/documents/incoming-json.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { systemClock } from "../concurrency/clock.ts";
import type { Admission } from "../rate-limits/rate-limits.ts";
import { dueMs, inTime, type Pace, pacedChunks } from "./paced-body.ts";

export type BodyBounds = Partial<Pace> & {
  readonly maxBytes: number;
  /** Waited for once the whole body has arrived, before it is parsed: parsing a large one takes as long as many other requests. */
  readonly turn?: (() => Promise<void>) | undefined;
  /** Reads a large one on a thread where nothing else waits: `core/documents/incoming-body.ts`. */
  readonly readApart?: ((bytes: Uint8Array<ArrayBuffer>) => Promise<string>) | undefined;
  /** Counts the bytes of a body without an announced length, once it has arrived. */
  readonly count?: ((bytes: number) => Promise<void> | undefined) | undefined;
};

/**
 * Counts the announced length of a body without a token for its address, before any of it is read or refused for another reason. Those below a
 * kilobyte are bounded by the count of their requests. One in chunks is counted by `counterOf`.
 */
export function countAnnounced({ headers }: Request, admission: Admission): Promise<void> | undefined {
  return counterOf(admission)(Number(headers.get("content-length") ?? 0));
}

export function counterOf({ admit, address }: Admission): (bytes: number) => Promise<void> | undefined {
  return (bytes) => {
    // A longer body is not read in any case.
    const kilobytes = Math.floor(Math.min(bytes, limits.request.managementBodyBytes) / 1024);
    return kilobytes > 0 ? admit("kilobytes", { address }, kilobytes) : undefined;
  };
}

/** Bun returns a whole body for a tenth of the cost of reading its chunks. A body up to this size arrives soon enough to be awaited as a whole. */
const smallBytes = 64 * 1024;

const utf8 = new TextDecoder();

const jsonType = /^application\/([\w.-]+\+)?json\s*(;|$)/i;

/**
 * The JSON body of a request, parsed by our own code instead of Elysia: bytes are counted while they come in (chunked too),
 * `__proto__` and unknown keys stay ordinary keys, and U+0000 and unpaired surrogates become U+FFFD in values and keys.
 * An empty body is `{}`. Throws `request.too_large`, `request.too_slow` or `request.malformed`.
 */
export async function readJsonBody(request: Request, bounds: BodyBounds): Promise<unknown> {
  const bytes = await readBytes(request, bounds);
  if (bounds.turn) await bounds.turn();
  const contentType = request.headers.get("content-type");
  const isJson = contentType === null || jsonType.test(contentType.trim());
  if (bounds.readApart && isJson && bytes.byteLength > limits.request.bodyOnThreadBytes)
    return openBody(await bounds.readApart(bytes));
  const text = utf8.decode(bytes);
  if (text.trim() === "") return {};
  if (!isJson) throw wrongType(contentType);
  return parseJson(text);
}

/** The body of a request, counted and timed while it comes in. Throws `request.too_large` or `request.too_slow`. */
export async function readBytes(request: Request, { count, ...bounds }: BodyBounds): Promise<Uint8Array<ArrayBuffer>> {
  const announced = request.headers.get("content-length");
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
  // On access to `body`, Bun makes a stream of the part that has already arrived.
  if (length > smallBytes)
    return request.body ? readCounted(pacedChunks(request.body, { withinMs, clock }), maxBytes) : new Uint8Array();
  const bytes = await inTime(request.bytes(), dueMs(length, withinMs), clock);
  // Bun enforces the announced length of a request, but requests that tests make are not checked.
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

function wrongType(contentType: string): AppError {
  const shown = JSON.stringify(contentType.slice(0, 100));
  const message = `This endpoint takes JSON: send the header Content-Type: application/json instead of ${shown}.`;
  return new AppError("request.malformed", { message });
}

/** The length that a request announces; null for a body in chunks. */
export function lengthOf(headers: Headers): number | null {
  const announced = headers.get("content-length");
  return announced === null ? null : Number(announced);
}
