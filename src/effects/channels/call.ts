import type { Channel, ProviderAnswer, ProviderCall, ProviderSetting } from "../../core/channels/channel.ts";
import { RefusedCall } from "../../core/flow/outgoing-rules.ts";
import { noHops } from "../safe-fetch/hops.ts";
import type { OutgoingRequest, SafeFetch } from "../safe-fetch/safe-fetch.ts";
import { BusyCall, FailedCall } from "../safe-fetch/safe-fetch-exchange.ts";

/** The way to providers: whose servers are where, by the operator's settings. */
export type ChannelWay = { readonly safeFetch: SafeFetch; readonly servers: Readonly<Record<ProviderSetting, string>> };

export type CallOptions = {
  readonly workspaceId: string;
  /** For all of it. */
  readonly timeoutMs: number;
  /** Breaks it off. */
  readonly signal?: AbortSignal;
};

/** Nothing was sent, since this service itself has no room, or may not call the address. */
export type CallOutcome =
  | { readonly kind: "answer"; readonly answer: ProviderAnswer }
  | { readonly kind: "busy" }
  | { readonly kind: "refused"; readonly why: string };

/**
 * Sends a call to its provider. Paths hold secrets, so nothing of the address is in what comes back, and logs and
 * traces do not have it. No redirect is followed: it would take a token elsewhere.
 */
export async function callProvider(
  { safeFetch, servers }: ChannelWay,
  channel: Pick<Channel, "server">,
  call: ProviderCall,
  { workspaceId, timeoutMs, signal }: CallOptions,
): Promise<CallOutcome> {
  try {
    const { status, text, retryAfter } = await safeFetch({
      ...placeOf(servers, channel, call.path),
      method: call.method,
      headers: call.headers,
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

function placeOf(
  servers: ChannelWay["servers"],
  { server }: Pick<Channel, "server">,
  path: string,
): Pick<OutgoingRequest, "url" | "trusted"> {
  if (server === undefined) return { url: path };
  return { url: `${servers[server].replace(/\/$/, "")}${path}`, trusted: "channels" };
}

/** Errors of looking a host up and of connecting to it: nobody has read the request. */
const beforeSending = new Set([
  ...["ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ConnectionRefused", "EHOSTUNREACH", "ENETUNREACH"],
  ...["CERT_HAS_EXPIRED", "DEPTH_ZERO_SELF_SIGNED_CERT", "ERR_TLS_CERT_ALTNAME_INVALID"],
]);

function neverConnected({ cause }: FailedCall): boolean {
  const code = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined;
  return typeof code === "string" && beforeSending.has(code);
}
