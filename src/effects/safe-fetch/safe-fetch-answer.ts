import {
  bytesToHold,
  type ExchangeRules,
  encodingOf,
  type RawAnswer,
  redirectStatuses,
  tooLarge,
  uncountedBytes,
} from "./safe-fetch-exchange.ts";

/**
 * Reads a response of the runtime's HTTP client, either completely or only the first `excerptBytes`, after which the
 * connection is closed. The body of a redirect is not read.
 */
export async function receive(response: Response, rules: ExchangeRules): Promise<RawAnswer> {
  const { status } = response;
  const headers = response.headers.toJSON();
  const encoding = encodingOf(headers);
  const answer = { status, location: undefined, retryAfter: headers["retry-after"], encoding, headers };
  const location = redirectStatuses.has(status) ? headers["location"] : undefined;
  if (location === undefined) return { ...answer, body: await readBody(response, headers, rules) };
  await response.body?.cancel();
  return { ...answer, location, body: Buffer.alloc(0) };
}

async function readBody(
  response: Response,
  headers: RawAnswer["headers"],
  { maxBytes, excerptBytes = Number.POSITIVE_INFINITY, reserve, pace }: ExchangeRules,
): Promise<Buffer> {
  if (Number(headers["content-length"] ?? Number.NaN) < Math.min(excerptBytes, uncountedBytes)) {
    return Buffer.from(await response.arrayBuffer());
  }
  const parts: Uint8Array[] = [];
  let bytes = 0;
  let isReserved = false;
  // Leaving the loop cancels the body.
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    parts.push(part);
    if (bytes >= excerptBytes) return Buffer.concat(parts).subarray(0, excerptBytes);
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    if (bytes <= uncountedBytes) continue;
    await (isReserved ? pace(part.byteLength) : reserve(bytesToHold(headers, maxBytes)));
    isReserved = true;
  }
  return Buffer.concat(parts);
}
