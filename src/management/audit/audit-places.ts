import { limits } from "../../limits/index.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { isId } from "../../platform/ids.ts";
import type { Caller } from "../access/access.ts";
import { hashToken } from "../access/tokens.ts";
import {
  findByEmail,
  findInsideFolder,
  findInvitedTo,
  findResultsOfBot,
  findWorkspacesOfBots,
} from "./audit-places.sql.ts";
import { type AuditSubject, auditSubjects, type SubjectPlace } from "./audit-subjects.sql.ts";

/** A write that is about to start, as described by the table of operations. */
export type Write = {
  readonly caller: Pick<Caller, "userId" | "tokenId"> | undefined;
  readonly address: string | undefined;
  readonly requestId: string;
  /** The write's method and path, such as `PATCH /api/v1/bots/{botId}`. */
  readonly operation: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: unknown;
  readonly body: unknown;
};

/** The parameters of paths and the objects that they identify, the most specific first. */
const namedByPath = [
  ["tokenId", "apiToken"],
  ["endpointId", "eventEndpoint"],
  ["credentialsId", "credentials"],
  ["connectionId", "channelConnection"],
  ["customDomainId", "customDomain"],
  ["themeTemplateId", "themeTemplate"],
  ["commentId", "comment"],
  ["fileId", "workspaceFile"],
  ["invitationId", "invitation"],
  ["userId", "user"],
  ["folderId", "folder"],
  ["resultId", "result"],
  ["botId", "bot"],
  ["workspaceId", "workspace"],
] as const satisfies readonly (readonly [string, AuditSubject])[];

/**
 * Returns the objects that a write names, one element for each entry of the log. An undefined element is an entry
 * without an object. A write to several bots has an entry for each workspace. A write to a folder, except a PATCH, also
 * has entries for the folders and bots in the folder.
 */
export async function placesOf(sql: Sql, write: Write): Promise<readonly (SubjectPlace | undefined)[]> {
  const { params, query, body, operation } = write;
  const botIds = idsIn(body, "botIds");
  const found = botIds.length > 0 ? byWorkspace(await findWorkspacesOfBots(sql, botIds)) : [];
  if (found.length > 0) return found;
  const place = placeOf(write);
  const [botId, workspaceId, folderId] = [idIn(params, "botId"), idIn(params, "workspaceId"), idIn(params, "folderId")];
  if (place?.subject === "folder" && folderId !== undefined && !operation.startsWith("PATCH ")) {
    const inside = await findInsideFolder(sql, folderId);
    return [place, ...companions("folder", inside.folderIds), ...companions("bot", inside.botIds)];
  }
  const named =
    [body, query]
      .map((part) => namesIn(part, "resultIds"))
      .find((ids) => ids.length > 0)
      ?.filter(isId) ?? [];
  if (botId !== undefined && named.length > 0) {
    const ids = await findResultsOfBot(sql, { botId, resultIds: named });
    return ids.length > 0 ? inParts({ subject: "result", ids, ownerId: botId }) : [place];
  }
  const code = memberOf(body, "code");
  if (operation.endsWith(" /api/v1/invitations/accept") && typeof code === "string" && write.caller) {
    return placesOfInvited(await findInvitedTo(sql, hashToken(code)), write.caller.userId);
  }
  const email = memberOf(body, "email");
  if (typeof email !== "string" || (place?.subject !== "bot" && place?.subject !== "workspace")) return [place];
  const { userId, invitationId } = await findByEmail(sql, { email, workspaceId, botId });
  const isRight = /\/(members|collaborators)$/.test(operation);
  if (isRight && userId !== null) {
    return [{ subject: botId ? "collaborator" : "member", ids: [userId], ownerId: botId ?? workspaceId }];
  }
  return [invitationId === null ? place : { subject: "invitation", ids: [invitationId], ownerId: undefined }];
}

/**
 * Returns the workspace that the write names, or otherwise the workspace of its bot. Undefined if the write names
 * neither or the bot does not exist.
 */
export async function workspaceOf(sql: Sql, { params, body }: Write): Promise<string | undefined> {
  const named = idIn(params, "workspaceId") ?? idIn(body, "workspaceId");
  const botId = idIn(params, "botId");
  if (named !== undefined || botId === undefined) return named;
  const [bot] = await findWorkspacesOfBots(sql, [botId]);
  return bot?.workspaceId;
}

function byWorkspace(bots: readonly { id: string; workspaceId: string }[]): SubjectPlace[] {
  const grouped = Map.groupBy(bots, ({ workspaceId }) => workspaceId);
  return [...grouped.values()].map((some) => ({ subject: "bot", ids: some.map(({ id }) => id), ownerId: undefined }));
}

function companions(subject: "bot" | "folder", ids: readonly string[]): SubjectPlace[] {
  return inParts({ subject, ids, ownerId: undefined, isCompanion: true });
}

function inParts(place: SubjectPlace): SubjectPlace[] {
  const most = limits.audit.subjects;
  return Array.from({ length: Math.ceil(place.ids.length / most) }, (_, index) => ({
    ...place,
    ids: place.ids.slice(index * most, (index + 1) * most),
  }));
}

function placesOfInvited(to: { workspaceId: string; botId: string | null } | undefined, userId: string) {
  if (!to) return [undefined];
  const member: SubjectPlace = { subject: "member", ids: [userId], ownerId: to.workspaceId };
  return to.botId
    ? [member, { ...member, subject: "collaborator" as const, ownerId: to.botId, isCompanion: true as const }]
    : [member];
}

/**
 * Returns the object that the path of the write names, or the caller for writes to `/users/me`. Returns undefined if
 * the path names no object.
 */
function placeOf({ params, operation, caller }: Write): SubjectPlace | undefined {
  if (operation.endsWith(" /api/v1/users/me") && caller) {
    return { subject: "user", ids: [caller.userId], ownerId: undefined };
  }
  const workspaceId = idIn(params, "workspaceId");
  const botId = idIn(params, "botId");
  const { name } = params;
  if (typeof name === "string") {
    const owner = botId ?? workspaceId;
    return { subject: botId === undefined ? "secret" : "testConversation", ids: [name], ownerId: owner };
  }
  for (const [parameter, named] of namedByPath) {
    const id = idIn(params, parameter);
    if (id === undefined) continue;
    if (named === "result") return { subject: named, ids: [id], ownerId: botId };
    if (named !== "user") return { subject: named, ids: [id], ownerId: undefined };
    if (botId !== undefined) return { subject: "collaborator", ids: [id], ownerId: botId };
    if (workspaceId !== undefined) return { subject: "member", ids: [id], ownerId: workspaceId };
    return { subject: "user", ids: [id], ownerId: undefined };
  }
  return undefined;
}

/**
 * Returns the object that the write created. The response names this object, but the write itself does not. Returns
 * undefined if there is no such object.
 */
export function madeBy(
  answer: unknown,
  place: SubjectPlace | undefined,
  workspaceId: string | null,
): SubjectPlace | undefined {
  for (const subject of auditSubjects) {
    const shown = memberOf(answer, subject);
    const id = idIn(shown, "id") ?? idIn(shown, "userId");
    if (id === undefined) continue;
    if (place?.subject === subject) return place.ids.includes(id) ? undefined : { ...place, ids: [id] };
    const botId = place?.subject === "bot" ? place.ids[0] : undefined;
    if (subject === "collaborator") return { subject, ids: [id], ownerId: botId };
    return { subject, ids: [id], ownerId: idIn(shown, "workspaceId") ?? workspaceId ?? undefined };
  }
  return undefined;
}

export function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

export function idIn(value: unknown, name: string): string | undefined {
  const id = memberOf(value, name);
  return typeof id === "string" && isId(id) ? id : undefined;
}

function idsIn(value: unknown, name: string): string[] {
  const ids = memberOf(value, name);
  return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === "string" && isId(id)) : [];
}

/** Returns the strings of a list, or the parts of a comma-separated string. */
function namesIn(value: unknown, name: string): string[] {
  const names = memberOf(value, name);
  if (typeof names === "string") return names.split(",").map((part) => part.trim());
  return Array.isArray(names) ? names.filter((part) => typeof part === "string") : [];
}
