import type { EffectContext, FoundFile } from "./effect-context.ts";
import { FailedCall, RefusedCall } from "./safe-fetch/safe-fetch.ts";

/**
 * The maximum number of redirects. Three are sufficient for a short link, a service that resolves the link, and the
 * storage of that service.
 */
const maxRedirects = 3;

/**
 * Returns the bytes at an address, or the reason why they cannot be used. Files of this chat are read from the storage.
 * Any other file is requested from its server.
 */
export async function fetchBytes(
  address: string,
  context: Pick<EffectContext, "safeStream" | "hops" | "files"> & {
    readonly maxBytes: number;
    readonly timeoutMs: number;
  },
): Promise<FoundFile> {
  const { files, maxBytes } = context;
  const own = await files?.read(address, { maxBytes });
  if (own) return own;
  try {
    return await fetchOutside(address, context);
  } catch (error) {
    if (error instanceof RefusedCall || error instanceof FailedCall) return { problem: error.message };
    throw error;
  }
}

async function fetchOutside(
  first: string,
  {
    safeStream,
    hops,
    maxBytes,
    timeoutMs,
  }: Pick<EffectContext, "safeStream" | "hops"> & { readonly maxBytes: number; readonly timeoutMs: number },
): Promise<FoundFile> {
  const times = { firstByteMs: timeoutMs, silenceMs: timeoutMs, timeoutMs };
  let url = first;
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const { status, headers, body } = await safeStream({
      url,
      method: "GET",
      headers: [],
      hops,
      redirect: "manual",
      maxBytes,
      ...times,
    });
    const fields = new Map(headers);
    const location = fields.get("location");
    if (status >= 300 && status < 400 && location !== undefined) {
      await body.cancel();
      url = URL.parse(location, url)?.href ?? location;
      continue;
    }
    if (status < 200 || status > 299) {
      await body.cancel();
      return { problem: `its server responded with status ${status}` };
    }
    const bytes = await gather(body, maxBytes);
    if (!bytes) return { problem: `it is larger than ${maxBytes} bytes` };
    const name = new URL(url).pathname.split("/").at(-1) ?? "";
    return { bytes, type: fields.get("content-type") ?? "", name };
  }
  return { problem: "it redirects too many times" };
}

/** Returns a complete body, or undefined if the body is longer than `maxBytes`. */
export async function gather(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.byteLength;
    if (bytes > maxBytes) return undefined;
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts));
}
