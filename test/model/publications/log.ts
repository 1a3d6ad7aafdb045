import type { Bot, Run, Workspace } from "./run.ts";
import type { Write } from "./world.ts";

/** A required entry of a workspace's log. */
export type LogLine = { readonly workspace: Workspace; readonly operation: string; readonly botId: string };

/** Operations that change no managed data. */
const unlogged = new Set([
  "POST /api/v1/bots/{botId}/startChat",
  "POST /api/v1/sessions/{sessionId}/continueChat",
  "POST /api/v1/bots/{botId}/testConversations/record",
]);

const names: Readonly<Record<string, string>> = {
  bots: "botId",
  sessions: "sessionId",
  workspaces: "workspaceId",
  members: "userId",
  publications: "number",
};
/** Path segments that follow a collection but are not ids. */
const words = new Set(["import", "bulk"]);

/**
 * Returns the required log entries of a write: in the workspace of its bot or its own workspace, and in the workspace
 * to which the bot moved.
 */
export function linesOf(run: Run, { method, path, body }: Write): LogLine[] {
  const parts = path.split("/");
  const ids: Record<string, string> = {};
  const template = parts.map((part, at) => {
    const name = names[parts[at - 1] ?? ""];
    if (name === undefined || words.has(part)) return part;
    ids[name] = part;
    return `{${name}}`;
  });
  const operation = `${method} ${template.join("/")}`;
  if (unlogged.has(operation)) return [];
  const botId = ids["botId"] ?? "";
  const bot = run.bots.find((each) => each.botId === botId);
  // The member is only invited to the workspace `home`.
  const own = path.endsWith("/invitations/accept") ? "home" : undefined;
  const from = own ?? bot?.workspace ?? workspaceOf(run, ids["workspaceId"] ?? Object(body).workspaceId);
  const to = operation.endsWith("/move") ? workspaceOf(run, Object(body).workspaceId) : undefined;
  const touched = new Set([from, to].flatMap((workspace) => (workspace === undefined ? [] : [workspace])));
  return [...touched].map((workspace) => ({ workspace, operation, botId: subjectOf(operation, bot) }));
}

/** The entry of a copy names the copy, whose id is not part of the request. */
function subjectOf(operation: string, bot: Bot | undefined): string {
  return operation.endsWith("/duplicate") ? "" : (bot?.botId ?? "");
}

function workspaceOf({ workspaces }: Run, id: unknown): Workspace | undefined {
  return id === workspaces.home ? "home" : id === workspaces.other ? "other" : undefined;
}
