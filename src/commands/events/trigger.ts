import { StartError } from "../../config.ts";
import type { EventType } from "../../events.ts";
import { findWorkspace } from "../bots/find-bot.ts";
import { printJson, type Tools } from "../command.ts";
import { type Call, openCalls } from "../service.ts";
import type { ServiceOptions } from "../service-options.ts";

export type TriggerOptions = ServiceOptions & {
  readonly endpoint?: string;
  readonly workspace?: string;
  readonly json?: true;
};

/**
 * Sends a sample event to the listeners of a workspace, or to one endpoint. Throws a StartError if the workspace has no
 * listeners and no endpoint is named.
 */
export async function trigger(tools: Tools, type: EventType, options: TriggerOptions): Promise<void> {
  const call = openCalls(options, tools.environment);
  const workspaceId = await findWorkspace(call, { name: options.workspace, url: options.url });
  const endpoints = options.endpoint === undefined ? await listListeners(call, workspaceId) : [options.endpoint];
  if (endpoints.length === 0)
    throw new StartError(`There are no listeners in this workspace: run "parley listen" first, or use --endpoint.`);
  const deliveries: object[] = [];
  for (const endpointId of endpoints) {
    const name = "POST /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId/test";
    const { delivery } = await call(name, { path: { workspaceId, endpointId }, body: { type } });
    deliveries.push(delivery);
    if (!options.json) tools.print(`${delivery.id}\n`);
  }
  if (options.json) printJson(tools, { deliveries });
}

async function listListeners(call: Call, workspaceId: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: 100, cursor };
    const page = await call("GET /api/v1/workspaces/:workspaceId/event-endpoints", { path: { workspaceId }, query });
    for (const { id, isListener } of page.eventEndpoints) if (isListener) ids.push(id);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return ids;
}
