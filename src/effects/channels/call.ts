import type { Channel, ProviderAnswer, ProviderCall, ProviderSetting } from "../../core/channels/channel.ts";
import { RefusedCall } from "../../core/flow/outgoing-rules.ts";
import { limits } from "../../limits/index.ts";
import { noHops } from "../safe-fetch/hops.ts";
import type { OutgoingRequest, SafeFetch } from "../safe-fetch/safe-fetch.ts";
import { BusyCall, FailedCall, type SizedBody } from "../safe-fetch/safe-fetch-exchange.ts";

/** The dependencies of calls to providers: the HTTP client, and the server addresses from the operator's settings. */
export type ChannelWay = { readonly safeFetch: SafeFetch; readonly servers: Readonly<Record<ProviderSetting, string>> };

export type CallOptions = {
  readonly workspaceId: string;
  /** The total timeout of the call. */
  readonly timeoutMs: number;
  /** The file of a call with a multipart form. */
  readonly upload?: SizedBody;
  readonly signal?: AbortSignal;
};

/**
 * The outcome of a call. `busy`: nothing was sent, because too many calls are running. `refused`: nothing was sent,
 * because the address must not be called.
 */
export type CallOutcome =
  | { readonly kind: "answer"; readonly answer: ProviderAnswer }
  | { readonly kind: "busy" }
  | { readonly kind: "refused"; readonly why: string };

/**
 * Sends a call to its provider. Paths contain secrets, so the outcome contains no path. Redirects are not followed,
 * because they would send a token to another server.
 */
export async function callProvider(
  { safeFetch, servers }: ChannelWay,
  channel: Pick<Channel, "server">,
  call: ProviderCall,
  { workspaceId, timeoutMs, upload, signal }: CallOptions,
): Promise<CallOutcome> {
  try {
    const form = call.form && upload && formWith(call.form, upload);
    const { status, text, retryAfter } = await safeFetch({
      ...placeOfServer(servers, channel, call.path),
      method: call.method,
      headers: [...call.headers, ...(form ? [["Content-Type", form.contentType] as const] : [])],
      ...(form && { upload: form.body, maxSentBytes: limits.channels.uploadBytes }),
      ...(call.body !== undefined && { body: call.body }),
      timeoutMs,
      hops: { ...noHops, workspaceId },
      redirect: "manual",
      ...(signal && { signal }),
    });
    return { kind: "answer", answer: { status, wasSent: true, body: text, retryAfter } };
  } catch (error) {
    if (error instanceof BusyCall) return { kind: "busy" };
    if (error instanceof RefusedCall) return { kind: "refused", why: error.message };
    if (!(error instanceof FailedCall)) throw error;
    return { kind: "answer", answer: { wasSent: !neverConnected(error), body: "" } };
  }
}

/** Creates a multipart form with a file, which is read while the form is sent. */
export function formWith(
  { fields, file }: NonNullable<ProviderCall["form"]>,
  content: SizedBody,
): { readonly contentType: string; readonly body: SizedBody } {
  const boundary = `parley-${crypto.randomUUID()}`;
  const parts = fields.map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`,
  );
  const place = `Content-Disposition: form-data; name="${quoted(file.field)}"; filename="${quoted(file.name)}"`;
  const head = Buffer.from(`${parts.join("")}--${boundary}\r\n${place}\r\nContent-Type: ${file.type}\r\n\r\n`);
  const end = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: {
      bytes: head.byteLength + content.bytes + end.byteLength,
      async *open() {
        yield head;
        yield* content.open();
        yield end;
      },
    },
  };
}

/** Escapes a name in a form as browsers do. */
function quoted(name: string): string {
  return name.replaceAll(/["\r\n]/g, (sign) => encodeURIComponent(sign));
}

/**
 * Returns the URL of a call. `path` is relative to the server in the operator's settings for the channel. If the
 * channel has no such setting, `path` is a full URL.
 */
export function placeOfServer(
  servers: ChannelWay["servers"],
  { server }: Pick<Channel, "server">,
  path: string,
): Pick<OutgoingRequest, "url" | "trusted"> {
  if (server === undefined) return { url: path };
  return { url: `${servers[server].replace(/\/$/, "")}${path}`, trusted: "channels" };
}

/** Error codes of DNS resolution, connecting and TLS. After such an error, no server has received the request. */
const beforeSending = new Set([
  ...["ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ConnectionRefused", "EHOSTUNREACH", "ENETUNREACH"],
  ...["CERT_HAS_EXPIRED", "DEPTH_ZERO_SELF_SIGNED_CERT", "ERR_TLS_CERT_ALTNAME_INVALID"],
]);

function neverConnected({ cause }: FailedCall): boolean {
  const code = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined;
  return typeof code === "string" && beforeSending.has(code);
}
