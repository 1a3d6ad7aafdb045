import { printJson, type Tools } from "../command.ts";
import { printTable, timeText } from "../output/table.ts";
import { openCalls } from "../service.ts";
import type { JsonServiceOptions } from "../service-options.ts";
import { findWorkspace, listAllBots } from "./find-bot.ts";

export type ListOptions = JsonServiceOptions & {
  readonly workspace?: string;
  readonly search?: string;
  readonly published?: true;
  readonly unpublished?: true;
  readonly archived?: true;
};

/** Prints a workspace's bots, sorted by name. `--json` prints the entries of the API's list. */
export async function printBots(tools: Tools, { json, workspace, search, ...options }: ListOptions): Promise<void> {
  const call = openCalls(options, tools.environment);
  const workspaceId = await findWorkspace(call, { name: workspace, url: options.url });
  const bots = await listAllBots(call, workspaceId, {
    ...(search !== undefined && { search }),
    ...((options.published ?? options.unpublished) && { isPublished: options.published ?? false }),
    ...(options.archived && { isArchived: true }),
  });
  if (json) return printJson(tools, { bots });
  const rows = bots.map(({ id, name, state, publicationNumber, publicId, lastChange }) => {
    return [id, name, state, publicationNumber, publicId, timeText(lastChange.at)];
  });
  printTable(tools, ["ID", "NAME", "STATE", "VERSION", "PUBLIC ID", "CHANGED"], rows);
}
