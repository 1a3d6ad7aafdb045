import { AppError } from "../../errors.ts";
import { limits } from "../../limits.ts";

const jsonType = /^application\/([\w.-]+\+)?json\s*(;|$)/i;
const escapesThatNeedCare = /\\u(0000|d[89a-f])/i;

/**
 * The JSON body of a request, read by ours instead of by Elysia: bytes are counted while they come in (chunked too),
 * `__proto__` and unknown keys stay ordinary keys, and U+0000 and unpaired surrogates become U+FFFD in values and keys.
 * An empty body is `{}`. Throws `request.too_large` or `request.malformed`.
 */
export async function readJsonBody(request: Request, maxBytes: number): Promise<unknown> {
  const text = await readText(request, maxBytes);
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

async function readText(request: Request, maxBytes: number): Promise<string> {
  return new TextDecoder().decode(await readBytes(request, maxBytes));
}

/** The body of a request, counted while it comes in. Throws `request.too_large`. */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const announced = request.headers.get("content-length");
  if (announced !== null && Number(announced) > maxBytes) throw tooLarge(maxBytes);
  if (!request.body) return new Uint8Array();
  // Bun holds a request to the length it announces, so only chunked bodies need counting.
  const bytes = announced === null ? await readCounted(request.body, maxBytes) : await request.bytes();
  if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes);
  return bytes;
}

async function readCounted(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
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
