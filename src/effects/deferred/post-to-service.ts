import { withoutKeys } from "../../core/credentials/without-keys.ts";
import { limits } from "../../limits/index.ts";
import { sentenceIn } from "../models/ask-provider.ts";
import { noHops } from "../safe-fetch/hops.ts";
import { FailedCall, RefusedCall } from "../safe-fetch/safe-fetch.ts";
import type { Headers } from "../safe-fetch/safe-fetch-exchange.ts";
import type { DeferredWorld } from "./deferred-service.ts";

/** A service's response. `problem` is a sentence without keys, if it did not accept the request; without a status it did not answer. */
export type ServiceAnswer =
  | { readonly status: number; readonly text: string }
  | { readonly status: number | null; readonly problem: string };

/** Posts JSON to a service. A key only goes to its own server: no redirect is followed. */
export async function postToService(
  { safeFetch, workspaceId, credentials }: DeferredWorld,
  { url, headers = [], body }: { url: string; headers?: Headers; body: unknown },
): Promise<ServiceAnswer> {
  const keys = Object.values(credentials).filter((member) => typeof member === "string");
  try {
    const { status, text } = await safeFetch({
      url,
      method: "POST",
      headers: [["Content-Type", "application/json"], ...headers],
      body: JSON.stringify(body),
      timeoutMs: limits.deferredCalls.deliveryMs,
      redirect: "manual",
      hops: { ...noHops, workspaceId },
    });
    if (status >= 200 && status < 300) return { status, text };
    const said = status < 400 ? "it leads elsewhere, and a key follows no redirect" : sentenceIn(text);
    return { status, problem: withoutKeys(`The server answered ${status}${said && `: ${said}`}`, keys) };
  } catch (error) {
    if (!(error instanceof FailedCall || error instanceof RefusedCall)) throw error;
    return { status: null, problem: withoutKeys(error.message, keys) };
  }
}
