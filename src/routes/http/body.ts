import { systemClock } from "../../concurrency/clock.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits.ts";
import { dueMs, inTime, type Pace, pacedChunks } from "./paced-body.ts";

export type BodyBounds = Partial<Pace> & { readonly maxBytes: number };

/** Bun gives a body at once for a tenth of what reading its chunks costs. This much arrives soon enough to be waited for as a whole. */
const smallBytes = 64 * 1024;

const jsonType = /^application\/([\w.-]+\+)?json\s*(;|$)/i;
const escapesThatNeedCare = /\\u(0000|d[89a-f])/i;

/**
 * The JSON body of a request, read by ours instead of by Elysia: bytes are counted while they come in (chunked too),
 * `__proto__` and unknown keys stay ordinary keys, and U+0000 and unpaired surrogates become U+FFFD in values and keys.
 * An empty body is `{}`. Throws `request.too_large`, `request.too_slow` or `request.malformed`.
 */
export async function readJsonBody(request: Request, bounds: BodyBounds): Promise<unknown> {
  const text = new TextDecoder().decode(await readBytes(request, bounds));
  if (text.trim() === "") return {};
  const contentType = request.headers.get("content-type");
  if (contentType !== null && !jsonType.test(contentType.trim())) throw new AppError("request.malformed");
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
export async function readBytes(
  request: Request,
  { maxBytes, withinMs = limits.request.bodyMs, clock = systemClock }: BodyBounds,
): Promise<Uint8Array<ArrayBuffer>> {
  const announced = request.headers.get("content-length");
  if (announced !== null && Number(announced) > maxBytes) throw tooLarge(maxBytes);
  if (!request.body) return new Uint8Array();
  // Bun holds a request to the length it announces, but nothing holds one to it that tests make.
  const isSmall = announced !== null && Number(announced) <= smallBytes;
  const bytes = isSmall
    ? await inTime(request.bytes(), dueMs(Number(announced), withinMs), clock)
    : await readCounted(pacedChunks(request.body, { withinMs, clock }), maxBytes);
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
    throw new AppError("request.malformed", { cause: error });
  }
}

function refuseDeep(value: unknown, depth: number): void {
  if (value === null || typeof value !== "object") return;
  if (depth === limits.request.jsonDepth) {
    throw new AppError("request.malformed", {
      message: `The body nests more than ${limits.request.jsonDepth} levels.`,
    });
  }
  for (const child of Object.values(value)) refuseDeep(child, depth + 1);
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
