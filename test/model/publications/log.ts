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
 * Returns the log entries that a write requires. They are in the workspace of the write or of its bot. If the bot
 * moves, there is another entry in its new workspace.
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

/**
 * Returns the id of the bot in the entry. For a copy it is empty, because the request does not contain the id of the
 * copy.
 */
function subjectOf(operation: string, bot: Bot | undefined): string {
  return operation.endsWith("/duplicate") ? "" : (bot?.botId ?? "");
}

function workspaceOf({ workspaces }: Run, id: unknown): Workspace | undefined {
  return id === workspaces.home ? "home" : id === workspaces.other ? "other" : undefined;
}
