import type { Caller } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import type { ConnectionPlace, ConnectionRow } from "./connections.sql.ts";
import { findForCaller, viewOf } from "./connections.ts";

/** How the messenger calls this service: when it did last, and which calls were refused. */
export type WebhookInfo = Pick<ConnectionRow, "lastCallAt" | "refusedCalls" | "refusedAt" | "refusedWhy"> & {
  readonly url: string | null;
};

export async function readWebhookInfo(
  deps: ManagementDependencies,
  caller: Caller,
  path: ConnectionPlace,
  requestOrigin: string,
): Promise<WebhookInfo> {
  const row = await findForCaller(deps, caller, path, "work");
  const { lastCallAt, refusedCalls, refusedAt, refusedWhy } = row;
  return { url: viewOf(deps, row, requestOrigin).webhookUrl, lastCallAt, refusedCalls, refusedAt, refusedWhy };
}
