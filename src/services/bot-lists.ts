import type { Dependencies } from "../dependencies.ts";
import { type BotSummaryRow, listBots as listBotRows, listSharedBots } from "../store/bot-lists.ts";
import { type Caller, requireWorkspace, type UserMode } from "./access.ts";
import { requireFolderIn } from "./bots.ts";
import { cutPage, type PageRequest, readPage } from "./cursor.ts";

/**
 * A workspace's bots, newest first: all of them, or those in a folder (`root` for none). A GUEST gets only the bots that
 * they collaborate on.
 */
export async function listBots(
  deps: Dependencies,
  caller: Caller,
  { workspaceId, folderId: folder, ...request }: { workspaceId: string; folderId?: string } & PageRequest,
) {
  const { role } = await requireWorkspace(deps, caller, workspaceId, "see");
  const folderId = folder === "root" ? null : folder;
  await requireFolderIn(deps, workspaceId, folderId);
  const page = readPage("bots", request);
  const list = role === "GUEST" ? listSharedBots : listBotRows;
  const rows = await list(deps.sql, {
    workspaceId,
    folderId,
    userId: caller.userId,
    after: page.after,
    limit: page.size + 1,
  });
  const { rows: shown, ...rest } = cutPage({ rows, page });
  return { bots: shown.map((row) => viewSummary(row, accessRight(row, role))), ...rest };
}

function viewSummary({ collaboration: _, createdAt, updatedAt, ...bot }: BotSummaryRow, right: UserMode) {
  return { ...bot, accessRight: right, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

/** As `currentUserMode` of the bot: an administrator of the instance who is no member reads. */
function accessRight({ collaboration }: BotSummaryRow, role: "ADMIN" | "MEMBER" | "GUEST" | null): UserMode {
  return role === "ADMIN" || role === "MEMBER" || collaboration === "WRITE" ? "write" : "read";
}
