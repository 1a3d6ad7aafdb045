import { AppError } from "../../../errors.ts";
import { limits } from "../../../limits/index.ts";
import { cutPage, type PageRequest, readPage } from "../../../platform/http/requests/cursor.ts";
import { invalidInput } from "../../../platform/http/requests/invalid-input.ts";
import { isId, newId } from "../../../platform/ids.ts";
import { type Caller, requireBot } from "../../access/access.ts";
import type { BotDependencies } from "../drafts/dependencies.ts";
import {
  type CommentPlace,
  type CommentRow,
  deleteComment,
  findComment,
  findSeen,
  insertComment,
  listComments,
  listReaders,
  putSeen,
  setResolved,
  updateCommentText,
} from "./comments.sql.ts";

export type { CommentPlace };

type Person = { readonly userId: string; readonly name: string | null };

export type CommentView = ReturnType<typeof viewOf>;

type Place = { readonly botId: string; readonly commentId: string };

/**
 * Returns a bot's comments, newest first. The first page also contains the people who may be mentioned, and the time up
 * to which the caller has seen the comments. Everybody who may read the bot may read and write comments.
 */
export async function listBotComments(deps: BotDependencies, caller: Caller, botId: string, request: PageRequest) {
  await requireBot(deps, caller, botId, "read");
  const page = readPage("comments", request, [botId]);
  const isFirst = request.cursor === undefined;
  const [found, people, seenAt] = await Promise.all([
    listComments(deps.sql, { botId, ...page.part }),
    isFirst ? listReaders(deps.sql, { botId, limit: limits.comments.people }) : undefined,
    isFirst ? findSeen(deps.sql, { botId, userId: caller.userId }) : undefined,
  ]);
  const { rows, ...rest } = cutPage({ rows: found, page });
  return { comments: rows.map(viewOf), ...(people && { people, seenAt: seenAt ?? null }), ...rest };
}

/**
 * Starts a thread at a position, or replies to a thread. Throws `comment.not_found` if there is no such thread, and
 * `comment.too_many` if the bot has the maximum number of comments.
 */
export async function createComment(
  deps: BotDependencies,
  caller: Caller,
  botId: string,
  { text, place, threadId }: { text: string; place?: CommentPlace | undefined; threadId?: string | undefined },
): Promise<CommentView> {
  await requireBot(deps, caller, botId, "read");
  if ((place === undefined) === (threadId === undefined)) {
    throw invalidInput([{ path: "", message: "must have either `place`, which starts a thread, or `threadId`" }]);
  }
  if (threadId !== undefined) {
    const thread = isId(threadId) ? await findComment(deps.sql, { botId, id: threadId }) : undefined;
    if (thread?.threadId !== threadId) throw new AppError("comment.not_found");
  }
  const mentionIds = await mentionedIn(deps, { botId, text, known: [] });
  const id = newId();
  const row = { id, botId, userId: caller.userId, threadId: threadId ?? id, place: place ?? null, text, mentionIds };
  const most = limits.comments.perBot;
  const notKept = await insertComment(deps.sql, row, { most });
  if (notKept === "gone") throw new AppError("comment.not_found");
  if (notKept === "full") throw new AppError("comment.too_many", { data: { most } });
  return await shown(deps, { botId, commentId: id });
}

/**
 * Changes the text of the caller's own comment, and resolves or reopens a thread. Throws `comment.not_yours` if the
 * caller changes the text of another person's comment.
 */
export async function updateComment(
  deps: BotDependencies,
  caller: Caller,
  place: Place,
  { text, isResolved }: { text?: string | undefined; isResolved?: boolean | undefined },
): Promise<CommentView> {
  const { botId, commentId: id } = place;
  await requireBot(deps, caller, botId, "read");
  const found = isId(id) ? await findComment(deps.sql, { botId, id }) : undefined;
  if (!found) throw new AppError("comment.not_found");
  if (isResolved !== undefined && found.threadId !== id) {
    throw invalidInput([
      { path: "isResolved", message: "must be absent, because this comment is an answer in a thread" },
    ]);
  }
  if (text !== undefined) {
    const mentionIds = await mentionedIn(deps, { botId, text, known: found.mentionIds });
    const isWritten = await updateCommentText(deps.sql, { botId, id, userId: caller.userId, text, mentionIds });
    if (!isWritten) throw new AppError("comment.not_yours");
  }
  if (isResolved !== undefined) await setResolved(deps.sql, { botId, id, userId: caller.userId, isResolved });
  return await shown(deps, place);
}

/** Deletes the caller's own comment. An ADMIN of the bot's workspace may delete any comment. */
export async function removeComment(deps: BotDependencies, caller: Caller, place: Place): Promise<CommentView> {
  const { botId, commentId: id } = place;
  const { role } = await requireBot(deps, caller, botId, "read");
  const found = isId(id) ? await findComment(deps.sql, { botId, id }) : undefined;
  if (!found || found.isRemoved) throw new AppError("comment.not_found");
  const isAdmin = role === "ADMIN";
  if (!isAdmin && found.userId !== caller.userId) throw new AppError("comment.not_yours");
  const isGone = await deleteComment(deps.sql, { botId, id, userId: isAdmin ? undefined : caller.userId });
  if (!isGone) throw new AppError("comment.not_found");
  deps.draftWatch.wake();
  return viewOf(found);
}

/** Records the time up to which the caller has seen the bot's comments. */
export async function noteSeen(
  deps: BotDependencies,
  caller: Caller,
  botId: string,
  at: Date,
): Promise<{ seenAt: Date }> {
  await requireBot(deps, caller, botId, "read");
  return { seenAt: await putSeen(deps.sql, { botId, userId: caller.userId, at }) };
}

async function shown(deps: BotDependencies, { botId, commentId: id }: Place): Promise<CommentView> {
  deps.draftWatch.wake();
  const row = await findComment(deps.sql, { botId, id });
  if (!row) throw new AppError("comment.not_found");
  return viewOf(row);
}

type Mentioning = { readonly botId: string; readonly text: string; readonly known: readonly string[] };

/**
 * Returns the distinct ids that a text mentions as `<@id>`. Throws `request.invalid` if there are too many ids, or if
 * the comment newly mentions a person who may not read the bot.
 */
async function mentionedIn(deps: BotDependencies, { botId, text, known }: Mentioning): Promise<readonly string[]> {
  const ids = [...new Set([...text.matchAll(/<@([0-9a-z]{26})>/g)].map(([, id = ""]) => id))];
  if (ids.length === 0) return ids;
  if (ids.length > limits.comments.mentions) {
    throw invalidInput([{ path: "text", message: `must mention at most ${limits.comments.mentions} people` }]);
  }
  const readers = await listReaders(deps.sql, { botId, limit: limits.comments.people });
  const mayBeNamed = (id: string): boolean => known.includes(id) || readers.some(({ userId }) => userId === id);
  if (!ids.every(mayBeNamed)) {
    throw invalidInput([{ path: "text", message: "must mention only people who may read the bot" }]);
  }
  return ids;
}

function viewOf(row: CommentRow) {
  const person = (userId: string | null, name: string | null): Person | null =>
    userId === null ? null : { userId, name };
  return {
    id: row.id,
    threadId: row.threadId,
    by: person(row.userId, row.userName),
    place: row.place,
    text: row.text,
    mentions: row.mentionIds.map((userId, index) => ({ userId, name: row.mentionNames?.[index] ?? null })),
    isRemoved: row.isRemoved,
    resolvedAt: row.resolvedAt,
    resolvedBy: person(row.resolvedBy, row.resolvedByName),
    editedAt: row.editedAt,
    createdAt: row.createdAt,
  };
}
