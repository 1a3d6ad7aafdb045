import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { limits } from "../../limits/index.ts";

/** The outcome of a call: the response of the receiver on this machine, or the reason why there is none. */
export type Forwarded = {
  readonly isDelivered: boolean;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly response: string | null;
};

type ToForward = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

/**
 * Sends a call with the same headers and body as a call of the service. The only additional headers are `Host`,
 * `Connection` and `Content-Length`. Redirects are not followed, and the service's time limit applies.
 */
export async function forward(address: URL, { headers, body }: ToForward): Promise<Forwarded> {
  const request = address.protocol === "https:" ? requestHttps : requestHttp;
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(address, {
        method: "POST",
        headers: { ...headers, "Content-Length": String(Buffer.byteLength(body)) },
        signal: AbortSignal.timeout(limits.events.attemptMs),
      });
      sent.on("response", resolve).on("error", reject).end(body);
    });
    const statusCode = answer.statusCode ?? 0;
    const response = await beginningOf(answer);
    const isDelivered = statusCode >= 200 && statusCode < 300;
    return {
      isDelivered,
      statusCode,
      error: isDelivered ? null : `The receiver responded with status ${statusCode}`,
      response,
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      isDelivered: false,
      statusCode: null,
      error: `There was no response: ${reason}`.slice(0, limits.events.responseCharacters),
      response: null,
    };
  }
}

async function beginningOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= limits.events.responseBytes) break;
  }
  return Buffer.concat(chunks).toString("utf8").slice(0, limits.events.responseCharacters);
}
