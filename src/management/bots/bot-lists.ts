import { limits } from "../../limits/index.ts";
import { cutPage, type PageRequest, readPage } from "../../platform/http/requests/cursor.ts";
import { type Caller, requireWorkspace, type UserMode } from "../access/access.ts";
import {
  type BotOrder,
  type BotSummaryRow,
  botOrders,
  listBots as listBotRows,
  listSharedBots,
} from "./bot-lists.sql.ts";
import { requireFolderIn } from "./bots.ts";
import type { BotDependencies } from "./drafts/dependencies.ts";
import type { botStates } from "./schemas.ts";

export { botOrders };

export type BotListRequest = PageRequest & {
  readonly workspaceId: string;
  /** `root` selects bots that are in no folder. */
  readonly folderId?: string;
  readonly search?: string;
  readonly isPublished?: boolean;
  readonly isArchived?: boolean;
  readonly sort?: BotOrder;
  /** The origin of addresses if the settings contain no origin. */
  readonly requestOrigin: string;
};

/**
 * Returns a workspace's bots that match the request, in the requested order. A GUEST gets only the bots on which they
 * collaborate.
 */
export async function listBots(deps: BotDependencies, caller: Caller, request: BotListRequest) {
  const { workspaceId, isPublished, isArchived = false, sort: order = "createdAt" } = request;
  const { role } = await requireWorkspace(deps, caller, workspaceId, "see");
  const folderId = request.folderId === "root" ? null : request.folderId;
  await requireFolderIn(deps, workspaceId, folderId);
  const search = request.search?.trim() || undefined;
  const page = readPage("bots", request, [workspaceId, folderId, search, isPublished, isArchived, order]);
  const { after, limit } = page.part;
  const list = role === "GUEST" ? listSharedBots : listBotRows;
  const rows = await list(deps.sql, {
    ...{ workspaceId, folderId, search, isPublished, isArchived, order, limit },
    after: after && { ...after, name: after.window ?? "" },
    userId: caller.userId,
  });
  const last = rows[page.size - 1];
  const positions = rows.map((row) => ({ row, id: row.id, createdAt: timeOf(row, order) }));
  // A cursor contains only a time and an id, so the name is passed separately.
  const window = order === "name" ? last?.name : undefined;
  const { rows: shown, ...rest } = cutPage({ rows: positions, page, window });
  const base = chatBase(deps, request.requestOrigin);
  return { bots: shown.map(({ row }) => viewSummary(row, { right: accessRight(row, role), base })), ...rest };
}

function timeOf({ createdAt, updatedAt, lastAnsweredAt }: BotSummaryRow, order: BotOrder): Date {
  if (order === "lastAnsweredAt") return lastAnsweredAt ?? new Date(0);
  return order === "updatedAt" ? updatedAt : createdAt;
}

function chatBase({ config }: BotDependencies, requestOrigin: string): string {
  return (config.CHAT_URL ?? config.PUBLIC_URL ?? requestOrigin).replace(/\/$/, "");
}

function viewSummary(row: BotSummaryRow, { right, base }: { right: UserMode; base: string }) {
  const { collaboration: _, createdAt, updatedAt, lastAnsweredAt, lastChangedAt, lastChangedBy, ...bot } = row;
  const { startedCount, completedCount, startsByAge, hasUnpublishedChanges: _changes, errorCount, ...facts } = bot;
  const days = limits.dashboard.days;
  const isMet = bot.publicId !== null && bot.publicationNumber !== null && !bot.isArchived;
  return {
    ...facts,
    address: isMet ? `${base}/${bot.publicId}` : null,
    lastAnsweredAt: lastAnsweredAt?.toISOString() ?? null,
    accessRight: right,
    state: stateOf(row),
    errorCount,
    lastChange: { at: (lastChangedAt ?? updatedAt).toISOString(), by: lastChangedBy },
    lastSevenDays: { startedCount, completedCount },
    startsByDay: Array.from({ length: days }, (_, index) => startsByAge[days - 1 - index] ?? 0),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/**
 * Returns the state of a bot. A published bot that is not closed is in `trouble` if it had errors, and otherwise
 * `changed` or `live`.
 */
function stateOf(bot: BotSummaryRow): (typeof botStates)[number] {
  if (bot.publicationNumber === null) return "draft";
  if (bot.isClosed) return "closed";
  if (bot.errorCount > 0) return "trouble";
  return bot.hasUnpublishedChanges ? "changed" : "live";
}

/**
 * Returns the same mode as `currentUserMode` of the bot. An administrator of the instance who is not a member may read.
 */
function accessRight({ collaboration }: BotSummaryRow, role: "ADMIN" | "MEMBER" | "GUEST" | null): UserMode {
  return role === "ADMIN" || role === "MEMBER" || collaboration === "WRITE" ? "write" : "read";
}
