import type { Answer } from "../../web/app/api/call.ts";
import { printJson, type Tools } from "../command.ts";
import { printTable, timeText } from "../output/table.ts";
import { type Call, openCalls } from "../service.ts";
import type { JsonServiceOptions } from "../service-options.ts";
import { findBot } from "./find-bot.ts";

export type Publication = Answer<"GET /api/v1/bots/:botId/publications">["publications"][number];

/**
 * Prints a bot with its published version and its canary. `--json` prints the whole bot as `bot`; the version and the
 * canary may be null.
 */
export async function printBot(tools: Tools, name: string, { json, ...options }: JsonServiceOptions): Promise<void> {
  const call = openCalls(options, tools.environment);
  const path = { botId: await findBot(call, name) };
  const { bot } = await call("GET /api/v1/bots/:botId", { path });
  const { canary } = await call("GET /api/v1/bots/:botId/canary", { path });
  const publication = (await listVersions(call, path.botId)).find(({ isCurrent }) => isCurrent) ?? null;
  if (json) return printJson(tools, { bot, publication, canary });
  const blocks = bot.groups.reduce((sum, group) => sum + (group.blocks?.length ?? 0), 0);
  const published = publication ? `${publication.number}, since ${timeText(publication.createdAt)}` : "none";
  const facts: readonly (readonly [string, string])[] = [
    ["id", bot.id],
    ["name", bot.name],
    ["workspace", bot.workspaceId],
    ["public id", bot.publicId ?? "none"],
    ["version", publication?.note ? `${published}: ${publication.note}` : published],
    ["canary", canary ? `${canary.number}, for ${canary.percent}% of new chats` : "none"],
    [
      "draft",
      `${bot.groups.length} groups, ${blocks} blocks; revision ${bot.revision}, changed ${timeText(bot.updatedAt)}`,
    ],
    ["open", bot.isArchived ? "no: archived" : bot.isClosed ? "no: closed" : "yes"],
  ];
  for (const [title, value] of facts) tools.print(`${title.padEnd(11)}${value}\n`);
}

export async function printVersions(
  tools: Tools,
  name: string,
  { json, ...options }: JsonServiceOptions,
): Promise<void> {
  const call = openCalls(options, tools.environment);
  const publications = await listVersions(call, await findBot(call, name));
  if (json) return printJson(tools, { publications });
  const rows = publications.map((one) => {
    const { number, createdAt, publishedByName, figures, note } = one;
    return [number, roleOf(one), timeText(createdAt), publishedByName, figures.starts, figures.completions, note];
  });
  printTable(tools, ["VERSION", "IS", "CREATED", "BY", "STARTED", "COMPLETED", "NOTE"], rows);
}

function roleOf({ isCurrent, isCanary, isDraft }: Publication): string {
  if (isCurrent) return "published";
  if (isCanary) return "canary";
  return isDraft ? "draft" : "";
}

/** Returns all versions of a bot, newest first. */
export async function listVersions(call: Call, botId: string): Promise<Publication[]> {
  const publications: Publication[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: 100, cursor };
    const page = await call("GET /api/v1/bots/:botId/publications", { path: { botId }, query });
    publications.push(...page.publications);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return publications;
}
